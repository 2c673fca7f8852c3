package charttest

import (
	"fmt"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// Object is one object of a release.
type Object struct {
	Kind string
	meta.Object
	Typed runtime.Object // of the Go type that Kubernetes or the Prometheus operator defines
	Text  string         // as rendered
}

// known is the scheme of what the chart may make.
func known() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		core.AddToScheme, apps.AddToScheme, networking.AddToScheme, policy.AddToScheme, monitoring.AddToScheme,
	} {
		if err := add(s); err != nil {
			panic(err) // two of the libraries contradict each other
		}
	}
	return s
}

// read decodes one document into the type of its kind. A field that the type has not,
// a key that stands twice, and a kind that nobody has named here are errors.
func read(text string) (Object, error) {
	var head meta.TypeMeta
	if err := yaml.Unmarshal([]byte(text), &head); err != nil {
		return Object{}, err
	}
	typed, err := known().New(head.GroupVersionKind())
	if err != nil {
		return Object{}, err
	}
	if err := yaml.UnmarshalStrict([]byte(text), typed); err != nil {
		return Object{}, fmt.Errorf("%s: %w", head.Kind, err)
	}
	named, ok := typed.(meta.Object)
	if !ok {
		return Object{}, fmt.Errorf("%s has no name", head.Kind)
	}
	return Object{Kind: head.Kind, Object: named, Typed: typed, Text: text}, nil
}

// All returns the objects of type T, such as *core.Secret.
func All[T runtime.Object](r Rendered) []T {
	var list []T
	for _, o := range r.Objects {
		if typed, ok := o.Typed.(T); ok {
			list = append(list, typed)
		}
	}
	return list
}

// Pods returns what each object that makes pods makes, by kind and name.
func Pods(r Rendered) map[string]core.PodTemplateSpec {
	pods := map[string]core.PodTemplateSpec{}
	for _, o := range r.Objects {
		name := o.Kind + "/" + o.GetName()
		switch t := o.Typed.(type) {
		case *apps.Deployment:
			pods[name] = t.Spec.Template
		case *apps.StatefulSet:
			pods[name] = t.Spec.Template
		case *core.Pod:
			pods[name] = core.PodTemplateSpec{ObjectMeta: t.ObjectMeta, Spec: t.Spec}
		}
	}
	return pods
}
