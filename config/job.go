package config

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/solocron/solocron/jobs"
	"go.yaml.in/yaml/v3"
)

const (
	maxJobs = 200_000
	maxSpan = 366 * 24 * time.Hour // of timeout and startingDeadline
	maxStop = time.Hour            // of stopGracePeriod
)

// jobFields is what YAML may say about a job beside its one kind.
type jobFields struct {
	Name             string                 `yaml:"name"`
	Description      string                 `yaml:"description"`
	Schedule         string                 `yaml:"schedule"` // or a list: Schedules
	Seconds          bool                   `yaml:"seconds"`
	TimeZone         string                 `yaml:"timeZone"`
	DST              DST                    `yaml:"dst"`
	Jitter           time.Duration          `yaml:"jitter"` // 0: none
	StartAt          string                 `yaml:"startAt"`
	EndAt            string                 `yaml:"endAt"`
	Exclude          exclude                `yaml:"exclude"`
	Tests            []test                 `yaml:"tests"`
	Timeout          time.Duration          `yaml:"timeout"` // 0: none
	StartingDeadline time.Duration          `yaml:"startingDeadline"`
	StopGracePeriod  time.Duration          `yaml:"stopGracePeriod"`
	Suspend          bool                   `yaml:"suspend"`
	Env              map[string]jobs.Secret `yaml:"env"`
	WorkingDir       string                 `yaml:"workingDir"`
	SuccessExitCodes []int                  `yaml:"successExitCodes"`
	Labels           map[string]string      `yaml:"labels"`
	Owner            string                 `yaml:"owner"`
	Runbook          string                 `yaml:"runbook"`
	Notify           NotifyPolicy           `yaml:"notify"`
	Expect           Expect                 `yaml:"expect"`
	Ping             jobs.Secret            `yaml:"ping"`
	policyFields
	linkFields

	Schedules []string // if schedule is a list
}

// laterField reports whether key is a field of a job that is decided on but not built.
func laterField(key string) bool {
	switch key {
	case "shards":
		return true
	}
	return false
}

// vocabulary is the words that may be keys of a job.
type vocabulary struct {
	kinds []string
	job   []string // fields and kinds
}

func newVocabulary(d *decoder, kinds []jobs.Kind) vocabulary {
	var v vocabulary
	for _, k := range kinds {
		v.kinds = append(v.kinds, k.Name)
	}
	v.job = slices.Concat(d.fields(reflect.TypeFor[jobFields]()).names, v.kinds)
	return v
}

// entry is one job while it is read.
type entry struct {
	node   *yaml.Node
	at     *trail
	pairs  []pair
	fields jobFields
	broken []string // fields that have a fault already
	action *pair    // the one that names its kind
	params []jobs.Param
	byHand bool // it has no schedule
	policy bool // it says something about its policies

	before, decoded int // how many faults there were before and after its fields were read
}

// value returns the node of a field, nil if it is not given.
func (e *entry) value(field string) *yaml.Node {
	for _, p := range e.pairs {
		if p.key.Value == field {
			return p.value
		}
	}
	return nil
}

// ok reports whether a field has no fault so far.
func (e *entry) ok(field string) bool { return !slices.Contains(e.broken, field) }

// place returns where to report a fault of a field: its value, or else the job.
func (e *entry) place(field string) *yaml.Node {
	if n := e.value(field); n != nil {
		return n
	}
	return e.node
}

// jobs reads the list of jobs.
func (l *loader) jobs(top, list *yaml.Node) {
	at := (*trail)(nil).key("jobs")
	switch {
	case list == nil:
		l.faults.add(Fault{File: l.faults.file, Line: top.Line, Col: top.Column, Msg: noJobs})
		return
	case list.Kind == yaml.MappingNode:
		l.faults.at(list, at, `must be a list, not a map: write "- name: backup" and below it the fields of the job, instead of "backup:"`)
		return
	case list.Kind == yaml.ScalarNode && list.Tag != "!!null":
		l.faults.at(list, at, "must be a list, not %s", what(list))
		return
	case len(list.Content) == 0:
		l.faults.at(list, at, "is empty: there must be at least one job")
		return
	case len(list.Content) > maxJobs:
		l.faults.at(list, at, "holds %d jobs: at most %d", len(list.Content), maxJobs)
		return
	}
	l.config.Jobs = make([]Job, 0, len(list.Content))
	for i, n := range list.Content {
		if l.faults.full() {
			return
		}
		l.job(i, n, at)
	}
	l.link()
}

// job reads one job and adds it to the configuration.
func (l *loader) job(i int, n *yaml.Node, list *trail) {
	e := &l.entry
	*e = entry{node: n, at: list.key("[" + strconv.Itoa(i) + "]"), before: len(l.faults.faults)}
	body := target(n)
	if body.Kind != yaml.MappingNode {
		l.faults.at(n, e.at, "must be a map with name, schedule and one of %s, not %s", listed(l.words.kinds), what(body))
		return
	}
	if name := find(body, "name"); name != nil && name.Kind == yaml.ScalarNode && badName(name.Value) == "" {
		e.at = list.key("[" + name.Value + "]")
	}
	e.pairs = l.decoder.pairs(body, e.at, 0)
	d := l.config.Defaults
	e.fields = jobFields{
		TimeZone: d.TimeZone, DST: d.DST, Timeout: d.Timeout, StartingDeadline: d.StartingDeadline,
		StopGracePeriod: d.StopGracePeriod, policyFields: l.policies, linkFields: linkFields{QueueLimit: 1, Mode: "active"},
		Notify: l.config.Notify.Defaults,
	}
	l.fields(e)
	e.decoded = len(l.faults.faults)
	l.checkName(e)
	l.checkLimits(e)
	f := &e.fields
	e.params = f.params()
	runner := l.runner(e)
	planned, zone := l.plan(e)
	tests := l.tests(e, zone)
	l.checkJobNotify(e, zone)
	policies := l.checkPolicies(e, runner)
	l.remember(e, policies)
	l.config.Jobs = append(l.config.Jobs, Job{
		Job: jobs.Job{
			Name: f.Name, Kind: e.kind(), Runner: runner, Timeout: f.Timeout, StartingDeadline: f.StartingDeadline,
			Suspend: f.Suspend, Owner: f.Owner, Labels: l.labels(f.Labels),
			Policies: policies,
		},
		Unscheduled: e.byHand, Schedule: planned, Spec: f.Schedule, TimeZone: f.TimeZone, Tests: tests,
		Description: f.Description, Runbook: f.Runbook, Line: n.Line,
		Hash:   l.hash(e, planned),
		Notify: f.Notify, Expect: f.Expect, Ping: f.Ping,
	})
}

// fields reads the entries of a job into its fields and finds the one that
// names its kind.
func (l *loader) fields(e *entry) {
	v := reflect.ValueOf(&e.fields).Elem()
	shape := l.decoder.fields(v.Type())
	for i := range e.pairs {
		p := &e.pairs[i]
		key := p.key.Value
		index, known := shape.index[key]
		switch {
		case key == "schedule" && p.value.Kind == yaml.SequenceNode:
			if !l.decoder.value(p.value, reflect.ValueOf(&e.fields.Schedules).Elem(), e.at.key(key)) {
				e.broken = append(e.broken, key)
			}
		case (key == "startAt" || key == "endAt") && p.value.Tag == "!!null": // no bound
		case known:
			e.policy = e.policy || len(index) > 1 // of an embedded struct
			if !l.decoder.value(p.value, v.FieldByIndex(index), e.at.key(key)) {
				e.broken = append(e.broken, key)
			}
		case l.kinds[key].New != nil:
			l.choose(e, p)
		case laterField(key):
			l.faults.at(p.key, e.at.key(key), "comes with a later version")
		default:
			l.faults.at(p.key, e.at.key(key), "is unknown%s", meant(key, l.words.job))
		}
	}
	if e.action == nil {
		l.faults.at(e.node, e.at, "does nothing: it needs one of %s", strings.Join(l.words.kinds, ", "))
	}
}

// choose takes p as what the job does, if it is the first.
func (l *loader) choose(e *entry, p *pair) {
	if e.action != nil {
		l.faults.at(p.key, e.at.key(p.key.Value), "stands beside %s in line %d: a job does one thing", e.action.key.Value, e.action.key.Line)
		return
	}
	e.action = p
}

// kind returns the name of the job's kind, "" if there is none.
func (e *entry) kind() string {
	if e.action == nil {
		return ""
	}
	return e.action.key.Value
}

// labels merges the labels of a job over the defaults.
func (l *loader) labels(own map[string]string) map[string]string {
	common := l.config.Defaults.Labels
	if len(common) == 0 {
		return own
	}
	all := make(map[string]string, len(common)+len(own))
	for _, m := range []map[string]string{common, own} {
		maps.Copy(all, m)
	}
	return all
}
