package effective

import (
	"cmp"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

// layers are what a file says of one thing: of a job itself, and in defaults. Either
// may be nil.
type layers struct{ own, common *yaml.Node }

// at is what the layers say of a key. A text alone stands for the key short.
func (l layers) at(key, short string) layers {
	below := func(n *yaml.Node) *yaml.Node {
		if n != nil && n.Kind == yaml.ScalarNode && short == key {
			return n
		}
		return child(n, key)
	}
	return layers{below(l.own), below(l.common)}
}

// jobs is the list of jobs, each with what holds where it says nothing.
func (w *writer) jobs(item *config.Part, list, defaults *yaml.Node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.SequenceNode}
	if list == nil {
		return out
	}
	for i, n := range list.Content {
		if i >= len(w.source.Loaded.Jobs) || !w.room() {
			break
		}
		j := &w.source.Loaded.Jobs[i]
		w.rules = rules{j.Policies, !j.Unscheduled, starts(j.Runner)}
		job := w.fields(item, "", layers{target(n), defaults})
		out.Content = append(out.Content, job)
	}
	return out
}

// fields is the keys of p, which stand at path in a job; nil if there is nothing.
func (w *writer) fields(p *config.Part, path string, l layers) *yaml.Node {
	m := mapping()
	for i := range p.Parts {
		part := &p.Parts[i]
		below := path + part.Key
		value, whence := w.field(part, below, l.at(part.Key, p.Short))
		tell(m, part.Key, value, whence)
	}
	if len(m.Content) == 0 {
		return nil
	}
	return m
}

// fromDefaults begins the comment of what defaults say.
const fromDefaults = "defaults, "

// field is the part at path, and who says so.
func (w *writer) field(p *config.Part, path string, l layers) (value *yaml.Node, whence string) {
	nobody := l.own == nil && l.common == nil
	switch {
	case !w.room(), l.own == nil && w.rules.idle(path):
		return nil, ""
	case p.Form == config.FieldsForm && nobody && !w.common[path]: // a thing that is not used
		return nil, ""
	case p.Form == config.FieldsForm:
		return w.fields(p, path+".", l), ""
	case p.Form == config.MapForm && l.own != nil && l.common != nil:
		return w.united(p, l), ""
	case l.own != nil:
		return w.copied(p, l.own), line(l.own)
	case l.common != nil:
		return w.copied(p, l.common), fromDefaults + line(l.common)
	}
	if fixed := cmp.Or(w.rules.derived(path), p.Default); fixed != "" && scalar(p.Form) {
		return plain(fixed), ""
	}
	return nil, ""
}

func scalar(f config.Form) bool {
	switch f {
	case config.TextForm, config.WholeForm, config.NumberForm, config.BoolForm, config.LengthForm, config.SizeForm:
		return true
	case config.SecretForm, config.ListForm, config.MapForm, config.FieldsForm:
	}
	return false
}

// united is a map of which both layers have a part; a job's own entries come first.
func (w *writer) united(p *config.Part, l layers) *yaml.Node {
	m := mapping()
	own := entries(l.own, 0)
	for _, e := range own {
		tell(m, e.key, w.copied(p.Item, e.value), line(e.value))
	}
	for _, e := range entries(l.common, 0) {
		if !slices.ContainsFunc(own, func(o entry) bool { return o.key == e.key }) {
			tell(m, e.key, w.copied(p.Item, e.value), fromDefaults+line(e.value))
		}
	}
	return m
}

// rules are those defaults of a job that depend on its other fields.
type rules struct {
	policies  jobs.Policies
	scheduled bool
	process   bool // it starts one
}

// starts reports whether a job of this kind starts a process.
func starts(r jobs.Runner) bool {
	switch r.(type) {
	case *jobs.Command, *jobs.Shell:
		return true
	}
	return false
}

// idle reports whether a field that the job itself does not have has no effect, as
// another one has not the value that it goes with: to write it would be a fault, or
// mislead.
func (r *rules) idle(path string) bool {
	switch path {
	case "catchup.max", "catchup.spacing":
		return r.policies.Catchup.Policy != jobs.CatchupAll
	case "queueLimit":
		return r.policies.Overlap != jobs.QueueOverlap
	case "retry.initialInterval", "retry.backoffCoefficient", "retry.maxInterval", "retry.jitter":
		return r.policies.Retry.MaxAttempts <= 1
	case "seconds", "dst", "jitter", "catchup":
		return !r.scheduled
	case "stopGracePeriod":
		return !r.process
	}
	return false
}

// usualMaxInterval is how package jobs bounds the wait between two attempts where
// nobody does, unless the first wait is longer.
const usualMaxInterval = 5 * time.Minute

// derived is the default of a field where that is made of others; "": it is fixed.
func (r *rules) derived(path string) string {
	if path == "retry.maxInterval" {
		return config.FormatDuration(max(usualMaxInterval, r.policies.Retry.InitialInterval))
	}
	return ""
}
