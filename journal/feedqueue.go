package journal

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/solocron/solocron/scheduler"
)

const (
	queueRoom   = 1000     // happenings that wait to be written
	batchMost   = 128      // happenings of one batch
	batchWeight = 64 << 10 // bytes of them, about
	tallyWords  = 64       // different words that are counted; more are counted as others
)

// feedQueue is what waits to be written. It never grows beyond its bounds.
type feedQueue struct {
	waiting []Happening
	noted   map[string]int // where in waiting the progress of a run is
	second  int64          // that spent is about
	spent   int
	tally   map[tallied]int
	tallied int64
	closed  bool
}

// tallied is what is counted instead of told.
type tallied struct {
	topic Topic
	word  string // verdict, or else phase
}

// passage says what becomes of a happening.
type passage uint8

const (
	enters   passage = iota
	replaces         // what the run said before of its progress, and nobody has seen
	isCounted
)

// judge decides about a happening with progress or another, given how many wait and
// how many were let in during this second. Progress, of which a run may
// tell any amount, leaves half of everything to the rest.
func judge(progress, again bool, waiting, spent int) passage {
	share := 1
	if progress {
		share = 2
	}
	switch {
	case progress && again:
		return replaces
	case waiting >= queueRoom/share, spent >= FeedRate/share:
		return isCounted
	}
	return enters
}

func (q *feedQueue) put(h Happening, now time.Time) {
	if s := now.Unix(); s != q.second {
		q.second, q.spent = s, 0
	}
	progress := h.Phase == string(scheduler.Noted)
	at, again := q.noted[h.Run]
	switch judge(progress, again, len(q.waiting), q.spent) {
	case replaces:
		q.waiting[at] = h
	case isCounted:
		q.count(h)
	case enters:
		if q.closed {
			q.tallied++
			return
		}
		if progress {
			q.noted[h.Run] = len(q.waiting)
		}
		q.spent++
		q.waiting = append(q.waiting, h)
	}
}

func (q *feedQueue) count(h Happening) {
	key := tallied{h.Topic, cmp.Or(string(h.Verdict), h.Phase)}
	if _, known := q.tally[key]; !known && len(q.tally) >= tallyWords {
		key = tallied{h.Topic, "other"}
	}
	q.tally[key]++
	q.tallied++
}

// take removes what one batch holds, the oldest first, and says what was counted
// once nothing waits before it; left reports whether there is more.
func (q *feedQueue) take(replica string, now time.Time) (batch []Happening, left bool) {
	n, weight := 0, 0
	for n < min(len(q.waiting), batchMost) && weight < batchWeight {
		weight += q.waiting[n].size()
		n++
	}
	batch = slices.Clone(q.waiting[:n])
	q.waiting = slices.Delete(q.waiting, 0, n)
	clear(q.noted) // those that are left are told as they are
	if len(q.waiting) > 0 {
		return batch, true
	}
	batch = append(batch, q.bursts(replica, now)...)
	clear(q.tally)
	return batch, false
}

// bursts is one happening for each topic of which some were counted.
func (q *feedQueue) bursts(replica string, now time.Time) []Happening {
	counts := make(map[Topic]map[string]int)
	for key, n := range q.tally {
		if counts[key.topic] == nil {
			counts[key.topic] = make(map[string]int)
		}
		counts[key.topic][key.word] += n
	}
	list := make([]Happening, 0, len(counts))
	for _, topic := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, Happening{At: millis(now), Replica: replica, Topic: topic, Phase: Burst, Counts: counts[topic]})
	}
	return list
}
