package config

import (
	"fmt"
	"slices"
	"strings"
)

const (
	maxPath   = 50 // jobs of a cycle that a message names
	maxCycles = 20 // that are reported
)

// findCycles reports ways along which a run of a job leads back to the job.
func (l *loader) findCycles() {
	w := walker{out: map[string][]hop{}, state: map[string]visit{}}
	for _, x := range l.links.hops {
		w.out[x.from] = append(w.out[x.from], x)
	}
	for _, x := range l.links.hops {
		w.follow(x.from)
	}
	for _, cycle := range w.cycles {
		l.blameCycle(cycle)
	}
}

// blameCycle reports a cycle at the hop that closes it.
func (l *loader) blameCycle(cycle []hop) {
	names := make([]string, 0, len(cycle)+1)
	for _, x := range cycle {
		names = append(names, x.from)
	}
	last := cycle[len(cycle)-1]
	names = append(names, last.to)
	if extra := len(names) - maxPath; extra > 0 {
		names = slices.Concat(names[:maxPath/2], []string{fmt.Sprintf("(%d more)", extra)}, names[len(names)-maxPath/2:])
	}
	l.faults.at(last.node, last.at, "closes a cycle, in which each run would wait for or start the next: %s; remove one of these links",
		strings.Join(names, " -> "))
}

// visit says how far the hops from a job have been followed.
type visit uint8

const (
	unseen visit = iota
	open         // on the present path
	closed
)

// walker follows hops, each once. It does not call itself: a chain may have as
// many jobs as the file.
type walker struct {
	out    map[string][]hop // from each job
	state  map[string]visit
	cycles [][]hop
}

// step is a job on the path of a walker.
type step struct {
	job  string
	next int // of its hops
	by   hop // that led here
}

// follow notes a cycle for each hop that leads from what can be reached from job
// back to the path it was reached on.
func (w *walker) follow(job string) {
	if w.state[job] != unseen {
		return
	}
	w.state[job] = open
	path := []step{{job: job}}
	for len(path) > 0 {
		top := &path[len(path)-1]
		if top.next == len(w.out[top.job]) {
			w.state[top.job] = closed
			path = path[:len(path)-1]
			continue
		}
		x := w.out[top.job][top.next]
		top.next++
		switch w.state[x.to] {
		case unseen:
			w.state[x.to] = open
			path = append(path, step{job: x.to, by: x})
		case open:
			w.note(path, x)
		}
	}
}

// note keeps the cycle that x closes.
func (w *walker) note(path []step, x hop) {
	if len(w.cycles) == maxCycles {
		return
	}
	start := slices.IndexFunc(path, func(s step) bool { return s.job == x.to })
	var cycle []hop
	for _, s := range path[start+1:] {
		cycle = append(cycle, s.by)
	}
	w.cycles = append(w.cycles, append(cycle, x))
}
