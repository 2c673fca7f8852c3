package charttest_test

import (
	"slices"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"

	"github.com/solocron/solocron/deploy/charttest"
)

func TestPodsHaveNoRights(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, _ string, r charttest.Rendered) {
		pods := charttest.Pods(r)
		if len(pods) < 2 {
			t.Fatalf("got %d that make pods, want the Deployment and the test at least", len(pods))
		}
		for name, pod := range pods {
			for _, fault := range rights(pod.Spec) {
				t.Errorf("%s: %s", name, fault)
			}
		}
	})
}

// rights lists what a pod may do that none of ours needs to.
func rights(p core.PodSpec) (faults []string) {
	check := func(ok bool, fault string) {
		if !ok {
			faults = append(faults, fault)
		}
	}
	s := p.SecurityContext
	check(s != nil && s.RunAsNonRoot != nil && *s.RunAsNonRoot, "may run as root")
	check(s != nil && s.RunAsUser != nil && *s.RunAsUser > 0, "has no numeric user")
	check(s != nil && s.SeccompProfile != nil && s.SeccompProfile.Type == core.SeccompProfileTypeRuntimeDefault, "has no seccomp profile")
	check(p.AutomountServiceAccountToken != nil && !*p.AutomountServiceAccountToken, "gets a token of Kubernetes")
	check(p.EnableServiceLinks != nil && !*p.EnableServiceLinks, "gets variables of Services")
	check(!p.HostNetwork && !p.HostPID && !p.HostIPC, "shares name spaces of the node")
	for _, v := range p.Volumes {
		check(v.HostPath == nil, "mounts a directory of the node: "+v.Name)
	}
	for _, c := range slices.Concat(p.Containers, p.InitContainers) {
		s := c.SecurityContext
		check(s != nil && s.AllowPrivilegeEscalation != nil && !*s.AllowPrivilegeEscalation, "may escalate privileges")
		check(s != nil && s.ReadOnlyRootFilesystem != nil && *s.ReadOnlyRootFilesystem, "can write to its root")
		check(s != nil && s.Privileged == nil, "says something of being privileged")
		check(s != nil && s.Capabilities != nil && slices.Equal(s.Capabilities.Drop, []core.Capability{"ALL"}) && len(s.Capabilities.Add) == 0, "keeps capabilities")
		check(!c.Resources.Limits.Memory().IsZero() && c.Resources.Limits.Cpu().IsZero(), "has no limit of memory, or one of CPU")
	}
	return faults
}

func TestProbesAskTheListenerThatNeedsNoToken(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, _ string, r charttest.Rendered) {
		c := only(t, charttest.Pods(r)["Deployment/solocron"].Spec.Containers)
		for _, p := range []struct {
			probe *core.Probe
			path  string
			spare int32 // seconds without a good answer, at least
		}{{c.StartupProbe, "/startupz", 300}, {c.ReadinessProbe, "/readyz", 5}, {c.LivenessProbe, "/livez", 30}} {
			get := p.probe.HTTPGet
			if get.Path != p.path || get.Port.String() != "probes" {
				t.Errorf("got a probe of %s at %s, want %s at probes", get.Path, get.Port.String(), p.path)
			}
			if got := p.probe.PeriodSeconds * p.probe.FailureThreshold; got < p.spare {
				t.Errorf("%s: given up after %d s, want %d at least", p.path, got, p.spare)
			}
		}
		if got, want := env(c)["SCHEDULER_ADMIN_PROBES"], ":8081"; got != want || port(c, "probes") != 8081 || port(c, "http") != 8080 {
			t.Errorf("probes: got listener %s and port %d, want %s and 8081", got, port(c, "probes"), want)
		}
	})
}

func env(c core.Container) map[string]string {
	m := map[string]string{}
	for _, e := range c.Env {
		m[e.Name] = e.Value
	}
	return m
}

func port(c core.Container, name string) int32 {
	for _, p := range c.Ports {
		if p.Name == name {
			return p.ContainerPort
		}
	}
	return 0
}

// What is written to lies on a volume, and every volume is mounted by somebody.
func TestVolumesAndMountsFitTogether(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, _ string, r charttest.Rendered) {
		spec := charttest.Pods(r)["Deployment/solocron"].Spec
		var volumes, mounts []string
		for _, v := range spec.Volumes {
			volumes = append(volumes, v.Name)
		}
		for _, m := range only(t, spec.Containers).VolumeMounts {
			mounts = append(mounts, m.Name)
			if m.SubPath != "" {
				t.Errorf("%s is mounted by subPath, which does not follow an edit", m.Name)
			}
			if strings.HasPrefix(m.MountPath, "/etc/") != m.ReadOnly {
				t.Errorf("%s at %s: read-only is %v", m.Name, m.MountPath, m.ReadOnly)
			}
		}
		slices.Sort(volumes)
		slices.Sort(mounts)
		if !slices.Equal(volumes, mounts) {
			t.Errorf("got volumes %v and mounts %v, want the same", volumes, mounts)
		}
	})
}

func TestSecretsAreNotForEverybodyInThePod(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, _ string, r charttest.Rendered) {
		for name, pod := range charttest.Pods(r) {
			for _, v := range pod.Spec.Volumes {
				if v.Secret != nil && (v.Secret.DefaultMode == nil || *v.Secret.DefaultMode != 0o440) {
					t.Errorf("%s: the files of %s have mode %v, want 0440", name, v.Name, v.Secret.DefaultMode)
				}
				if v.Secret != nil && strings.HasSuffix(v.Secret.SecretName, "-admin-token") {
					t.Errorf("%s: mounts the token of the admin", name)
				}
			}
			if strings.Contains(name, "Deployment/") && pod.Spec.SecurityContext.FSGroup == nil {
				t.Errorf("%s: without fsGroup nobody but root can read them", name)
			}
		}
	})
}
