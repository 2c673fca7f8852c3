package journal

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solocron/solocron/scheduler"
)

const (
	defaultSightings = 20_000
	// MaxSeen is how many sightings of one tick are told, the latest.
	MaxSeen = 64
	// MaxWords is the longest text of a sighting, in bytes.
	MaxWords = 120
)

// Sighting is what one replica saw of a tick: a fact, or several of one kind in
// a row.
type Sighting struct {
	Phase   scheduler.Phase   // yielded, waiting, started or ended
	At      time.Time         // of the first, on the replica's clock, in whole milliseconds
	Last    time.Time         // of the last
	Count   int               // how many; only of waiting it is above 1
	Attempt int               // started, ended: of the run
	Delay   time.Duration     // started: from the release of the tick to the start
	Verdict scheduler.Verdict // ended
	Reason  scheduler.Reason  // ended
	By      string            // who had the tick, if not this replica; at most 120 bytes
	Note    string            // what was said of the last, or its error; at most 120 bytes
}

// Sightings remembers what this replica saw of the latest ticks: the answer to
// why it did, or did not, run one. Nothing is written anywhere. It is safe for
// concurrent use.
type Sightings struct {
	mu    sync.Mutex
	max   int
	count int             // of facts so far; the number of the next
	facts []fact          // number n is at n modulo max, while it is among the last max
	last  map[tickRef]int // number of the latest fact of a tick
}

type tickRef struct {
	job string
	ms  int64
}

// fact is one sighting; before is the number of the one before it of the same
// tick, -1 if there was none.
type fact struct {
	tick   tickRef
	before int
	Sighting
}

// NewSightings returns an empty memory for the latest size sightings; 0 and less: 20,000.
func NewSightings(size int) *Sightings {
	if size <= 0 {
		size = defaultSightings
	}
	return &Sightings{max: size, last: make(map[tickRef]int)}
}

// Observe takes what tells of a tick.
func (s *Sightings) Observe(e scheduler.Event) {
	switch e.Phase {
	case scheduler.Yielded, scheduler.Waiting, scheduler.Started, scheduler.Ended:
		s.keep(tickRef{e.Tick.Job, e.Tick.At.UnixMilli()}, sighting(e))
	}
}

func (s *Sightings) keep(tick tickRef, seen Sighting) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, known := s.last[tick]
	if !known {
		before = -1
	} else if old := &s.facts[before%s.max]; seen.Phase == scheduler.Waiting && old.Phase == scheduler.Waiting {
		old.repeat(seen)
		return
	}
	s.place(fact{tick, before, seen})
}

// place puts f in the ring, where the oldest gives way to it.
func (s *Sightings) place(f fact) {
	if len(s.facts) < s.max {
		s.facts = append(s.facts, f)
	} else {
		at := s.count % s.max
		if old := s.facts[at].tick; s.last[old] == s.count-s.max {
			delete(s.last, old)
		}
		s.facts[at] = f
	}
	s.last[f.tick] = s.count
	s.count++
}

// Seen returns what was seen of a tick, the earliest first: the latest 64 sightings.
func (s *Sightings) Seen(job string, tick time.Time) []Sighting {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, known := s.last[tickRef{job, tick.UnixMilli()}]
	if !known {
		return nil
	}
	var seen []Sighting
	for n >= max(0, s.count-s.max) && len(seen) < MaxSeen {
		f := &s.facts[n%s.max]
		seen, n = append(seen, f.Sighting), f.before
	}
	slices.Reverse(seen)
	return seen
}

// sighting is what is kept of e.
func sighting(e scheduler.Event) Sighting {
	note := e.Note
	if e.Err != nil {
		note = e.Err.Error()
	}
	at := time.UnixMilli(e.At.UnixMilli()).UTC()
	return Sighting{
		Phase: e.Phase, At: at, Last: at, Count: 1, Attempt: e.Run.Attempt, Delay: e.Delay,
		Verdict: e.Verdict, Reason: e.Reason, By: words(e.By), Note: words(note),
	}
}

func (s *Sighting) repeat(again Sighting) {
	s.Count++
	s.Last, s.Note = again.Last, again.Note
	s.By = cmp.Or(again.By, s.By)
}

// words is text on one line, cut. It does not hold on to what is cut off.
func words(text string) string {
	cut := strings.Clone(fit(text, MaxWords))
	return strings.ReplaceAll(strings.ToValidUTF8(cut, "\uFFFD"), "\n", " ")
}
