package config

import (
	"slices"

	"github.com/solocron/solocron/jobs"
	"go.yaml.in/yaml/v3"
)

// links is what can be judged only when all jobs are read.
type links struct {
	byHand []*entry // jobs without a schedule
	hops   []hop
	near   []string // names to propose for one that is unknown
}

// hop says that a run of one job starts, or lets start, one of another.
type hop struct {
	from, to string
	other    string     // of the two, the one that is named
	starts   bool       // a trigger
	node     *yaml.Node // where it is written
	at       *trail
}

// maxNear is how many jobs a file may have for names to be proposed: comparing
// them is for files that people read.
const maxNear = 10_000

// remember notes what link is to look at. That is little: most jobs have nothing.
func (l *loader) remember(e *entry, p jobs.Policies) {
	if e.byHand {
		kept := *e // the next job is read into e
		l.links.byHand = append(l.links.byHand, &kept)
	}
	for i, d := range p.DependsOn {
		l.addHop(e, "dependsOn", i, hop{from: d.Job, to: e.fields.Name, other: d.Job})
	}
	for i, t := range p.Triggers {
		l.addHop(e, "triggers", i, hop{from: e.fields.Name, to: t.Job, other: t.Job, starts: true})
	}
	if !e.byHand {
		l.checkRequired(e)
	}
}

func (l *loader) addHop(e *entry, field string, i int, x hop) {
	if x.from == x.to || x.other == "" {
		return // a fault of its own
	}
	x.node, x.at = e.place(field), e.at.key(field)
	if x.node.Kind == yaml.SequenceNode && i < len(x.node.Content) {
		x.node, x.at = target(x.node.Content[i]), x.at.index(i)
	}
	if x.node.Kind == yaml.MappingNode {
		x.node, x.at = nearestNode(x.node, "job"), x.at.key("job")
	}
	l.links.hops = append(l.links.hops, x)
}

// checkRequired reports parameters that people must give and ticks cannot have.
func (l *loader) checkRequired(e *entry) {
	list := e.value("params")
	for i, p := range e.params {
		if !p.Required || p.Default != "" || list == nil || i >= len(list.Content) {
			continue
		}
		if n := target(list.Content[i]); find(n, "default") == nil {
			l.faults.at(n, e.at.key("params").index(i).key("default"), "is missing: the job has a schedule, and its ticks have the default")
		}
	}
}

// link judges how jobs refer to each other.
func (l *loader) link() {
	if len(l.links.hops)+len(l.links.byHand) == 0 || l.faults.full() {
		return
	}
	started := l.resolve()
	for _, e := range l.links.byHand {
		l.checkByHand(e, started[e.fields.Name])
	}
	l.findCycles()
}

// resolve reports hops to jobs that are not there, and drops them. It returns
// the jobs that others start.
func (l *loader) resolve() (started map[string]bool) {
	started = map[string]bool{}
	l.links.hops = slices.DeleteFunc(l.links.hops, func(x hop) bool {
		_, known := l.names[x.other]
		if !known {
			l.faults.at(x.node, x.at, "%s is no job%s", quote(x.other), l.nearJob(x.other))
		}
		started[x.to] = started[x.to] || x.starts
		return !known
	})
	return started
}

// nearJob says what name may have been meant to be.
func (l *loader) nearJob(name string) string {
	if len(l.names) > maxNear {
		return " of this file"
	}
	if l.links.near == nil {
		for known := range l.names {
			l.links.near = append(l.links.near, known)
		}
		slices.Sort(l.links.near)
	}
	return meantName(name, l.links.near, "")
}

// checkByHand reports a schedule that is missing, and what makes no sense without
// one.
func (l *loader) checkByHand(e *entry, started bool) {
	if e.value("schedule") == nil && !started {
		l.faults.at(e.place("schedule"), e.at.key("schedule"), noSchedule)
		return
	}
	for _, field := range []string{"seconds", "dst", "jitter", "startAt", "endAt", "exclude", "tests", "catchup", "dependsOn"} {
		if n := e.value(field); n != nil {
			l.faults.at(n, e.at.key(field), "has no effect: the job has no schedule, so it has no ticks")
		}
	}
}
