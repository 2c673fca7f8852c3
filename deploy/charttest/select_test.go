package charttest_test

import (
	"slices"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/solocron/solocron/deploy/charttest"
)

func TestWhateverSelectsPodsSelectsTheRightOnes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, _ string, r charttest.Rendered) {
		pods := charttest.Pods(r)
		for _, o := range r.Objects {
			selector, ok := selects(t, o)
			if !ok {
				continue
			}
			want := "Deployment/solocron"
			if strings.HasSuffix(o.GetName(), "-redis") {
				want = "StatefulSet/solocron-redis"
			}
			var got []string
			for name, pod := range pods {
				if selector.Matches(labels.Set(pod.Labels)) {
					got = append(got, name)
				}
			}
			if !slices.Equal(got, []string{want}) {
				t.Errorf("%s %s: got %v, want %s", o.Kind, o.GetName(), got, want)
			}
		}
	})
}

func selects(t *testing.T, o charttest.Object) (labels.Selector, bool) {
	t.Helper()
	var s *meta.LabelSelector
	switch x := o.Typed.(type) {
	case *core.Service:
		return labels.SelectorFromSet(x.Spec.Selector), true
	case *apps.Deployment:
		s = x.Spec.Selector
	case *apps.StatefulSet:
		s = x.Spec.Selector
	case *policy.PodDisruptionBudget:
		s = x.Spec.Selector
	case *networking.NetworkPolicy:
		s = &x.Spec.PodSelector
	default:
		return nil, false
	}
	selector, err := meta.LabelSelectorAsSelector(s)
	if err != nil {
		t.Fatal(err)
	}
	return selector, true
}

func TestADrainTakesOnePodAtATime(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, _ string, r charttest.Rendered) {
		pdb := only(t, charttest.All[*policy.PodDisruptionBudget](r)).Spec
		if got := *pdb.MaxUnavailable; got != intstr.FromInt32(1) || pdb.MinAvailable != nil {
			t.Errorf("got %v unavailable, %v available, want 1 and nothing", got, pdb.MinAvailable)
		}
		if got := *pdb.UnhealthyPodEvictionPolicy; got != policy.AlwaysAllow {
			t.Errorf("pods that are not ready: got %v, want AlwaysAllow", got)
		}
		spread := charttest.Pods(r)["Deployment/solocron"].Spec.TopologySpreadConstraints
		if len(spread) != 2 || spread[0].WhenUnsatisfiable != core.ScheduleAnyway {
			t.Errorf("got %v, want a spread over zones and nodes", spread)
		}
		rolling := only(t, charttest.All[*apps.Deployment](r)).Spec.Strategy.RollingUpdate
		if rolling.MaxUnavailable.IntValue() != 0 || rolling.MaxSurge.IntValue() != 1 {
			t.Errorf("a roll-out takes %v pods away, want 0", rolling.MaxUnavailable)
		}
	})
}

func TestThePageThatExplainsAnOutageCanBeReached(t *testing.T) {
	t.Parallel()
	for _, s := range charttest.All[*core.Service](render(t, "redis: {addr: 'redis:6379'}")) {
		if !s.Spec.PublishNotReadyAddresses {
			t.Errorf("Service %s has only pods that are ready", s.Name)
		}
	}
}

func TestTheNetworkPolicyLetsOutToRedisAndWhatIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values string
		ports  []int
	}{
		{"{redis: {addr: 'redis:6380'}}", []int{53, 53, 6380}},
		{"{redis: {addrs: ['a:26379', 'b:26379'], sentinelMaster: m}}", []int{53, 53, 6379, 26379}},
		{"{redis: {addrs: ['a:7000', 'b:7001'], cluster: true}}", []int{53, 53, 7000, 7001}},
		{"{redis: {deploy: {enabled: true}}}", []int{53, 53, 6379}},
		{"{redis: {addr: 'redis:6379'}, networkPolicy: {egress: [{ports: [{port: 443}]}]}}", []int{53, 53, 443, 6379}},
	} {
		v := values(t, c.values)
		r, err := charttest.Render(load(t), charttest.Release{Name: "solocron", Namespace: "jobs", Values: mergedPolicy(v)})
		if err != nil {
			t.Fatal(err)
		}
		p := named(t, r, "NetworkPolicy", "solocron").Typed.(*networking.NetworkPolicy)
		var got []int
		for _, rule := range p.Spec.Egress {
			for _, port := range rule.Ports {
				got = append(got, port.Port.IntValue())
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, c.ports) {
			t.Errorf("%s: got ports %v, want %v", c.values, got, c.ports)
		}
		for _, rule := range p.Spec.Ingress {
			if rule.Ports[0].Port.String() == "http" && len(rule.From) == 0 {
				t.Errorf("%s: everybody reaches the API", c.values)
			}
		}
	}
}

// mergedPolicy turns the policy on.
func mergedPolicy(v map[string]any) map[string]any {
	p, _ := v["networkPolicy"].(map[string]any)
	if p == nil {
		p = map[string]any{}
	}
	p["enabled"] = true
	v["networkPolicy"] = p
	return v
}
