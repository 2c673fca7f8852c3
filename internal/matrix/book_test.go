package matrix_test

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// A start is a run as its member saw it begin.
type start struct {
	name    string // of the key and the tick
	by      string
	token   int64
	tick    time.Time
	decided time.Time // the last tick decided before, as the grant said
	granted time.Time // when the grant arrived
	acked   time.Time // when the answer to its start arrived: the run begins
}

// A book holds the runs of all members against the promise. What a server has
// forgotten that replaced another, it tells from a fault of ours.
type book struct {
	mu        sync.Mutex
	changes   []time.Time // when a server was killed or frozen
	starts    map[string][]start
	inside    map[string]string // key -> the run in progress
	tokens    map[string]int64
	abandoned map[string]bool // runs found without a holder, by name
	faults    []string
	forgotten []string // what only lost data explains
	ended     map[string]int
}

func newBook() *book {
	return &book{
		starts: make(map[string][]start), inside: make(map[string]string), tokens: make(map[string]int64),
		abandoned: make(map[string]bool), ended: make(map[string]int),
	}
}

// runName names a run.
func runName(key string, tick time.Time) string { return key + "." + tick.UTC().Format("15:04:05") }

// change notes that from now on another server may answer.
func (b *book) change() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changes = append(b.changes, time.Now())
}

// enter is called when a run begins.
func (b *book) enter(key string, s start) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if other := b.inside[key]; other != "" {
		b.suspect(key, s, fmt.Sprintf("%s on %s begins while %s runs", s.name, s.by, other))
	}
	if s.token <= b.tokens[key] {
		b.suspect(key, s, fmt.Sprintf("%s on %s has token %d after %d", s.name, s.by, s.token, b.tokens[key]))
	}
	if before := b.starts[s.name]; len(before) > 0 {
		b.suspect(key, s, fmt.Sprintf("%s begins on %s after %s", s.name, s.by, before[0].by))
	}
	b.inside[key] = s.name + " on " + s.by
	b.tokens[key] = max(b.tokens[key], s.token)
	b.starts[s.name] = append(b.starts[s.name], s)
}

// suspect says whose fault it is: if a run of the same tick, or of a later one, had
// been acknowledged before a server was replaced, and the grant of s after that
// knows nothing of it, the server has lost what it acknowledged.
func (b *book) suspect(key string, s start, what string) {
	what = s.acked.UTC().Format("15:04:05.000 ") + what
	for _, earlier := range b.of(key) {
		if earlier.tick.Before(s.tick) || !s.decided.Before(earlier.tick) {
			continue
		}
		for _, at := range b.changes {
			if earlier.acked.Before(at) && s.granted.After(at) {
				b.forgotten = append(b.forgotten, what)
				return
			}
		}
	}
	what += ": " + s.String()
	for _, earlier := range b.of(key) {
		if !earlier.tick.Before(s.tick) {
			what += "; after " + earlier.String()
		}
	}
	b.faults = append(b.faults, what)
}

// String says all that is known of a start.
func (s start) String() string {
	const clock = "15:04:05.000"
	return fmt.Sprintf("%s on %s, token %d, decided before %s, granted %s, begun %s", s.name, s.by, s.token,
		s.decided.UTC().Format(clock), s.granted.UTC().Format(clock), s.acked.UTC().Format(clock))
}

func keyOf(name string) string { return name[:len(name)-len(".15:04:05")] }

// of are the starts of key so far.
func (b *book) of(key string) []start {
	var list []start
	for name, s := range b.starts {
		if keyOf(name) == key {
			list = append(list, s...)
		}
	}
	return list
}

// leave is called when a run has ended.
func (b *book) leave(key string, s start, how string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.inside[key] == s.name+" on "+s.by {
		delete(b.inside, key)
	}
	b.ended[how]++
}

// quiet reports whether nothing runs.
func (b *book) quiet() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.inside) == 0
}

// found notes a run that was found without a holder.
func (b *book) found(key string, tick time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.abandoned[runName(key, tick)] = true
}

// fault notes what must not be.
func (b *book) fault(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = append(b.faults, time.Now().UTC().Format("15:04:05.000 ")+fmt.Sprintf(format, args...))
}

// count is how many ticks of key have run.
func (b *book) count(key string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for name := range b.starts {
		if keyOf(name) == key {
			n++
		}
	}
	return n
}

// missing are the ticks of key from first to last that were neither run nor found
// without a holder.
func (b *book) missing(key string, first, last time.Time) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var names []string
	for tick := first; !tick.After(last); tick = tick.Add(step(key)) {
		if name := runName(key, tick); len(b.starts[name]) == 0 && !b.abandoned[name] {
			names = append(names, name)
		}
	}
	return names
}

// verdict returns the faults, what only lost data explains, and a summary.
func (b *book) verdict() (faults, forgotten []string, summary string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.faults), slices.Clone(b.forgotten),
		fmt.Sprintf("%d ticks run, %d runs found without a holder, ends %v, servers ended at %v", len(b.starts), len(b.abandoned), b.ended, b.changes)
}
