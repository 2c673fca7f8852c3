package memjournal

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
)

const memory = 24 * time.Hour // how long the ID of a request is known that is gone

// ask is a request that is kept.
type ask struct {
	scheduler.Request
	since time.Time // not begun: when it comes or came due; begun: when
}

// wish is a stop that is kept.
type wish struct {
	scheduler.Stop
	since time.Time
}

// queue is what waits.
type queue struct {
	asks  map[string]ask
	gone  map[string]time.Time // IDs of requests that are gone, and until when they are known
	stops map[string]wish

	enough int // of gone before it is worth while to prune
}

func newQueue() queue {
	return queue{asks: make(map[string]ask), gone: make(map[string]time.Time), stops: make(map[string]wish)}
}

// put reports whether r is fresh.
func (q *queue) put(r scheduler.Request, now time.Time) (bool, error) {
	if _, known := q.asks[r.ID]; known || q.gone[r.ID].After(now) {
		return false, nil
	}
	if len(q.asks) >= journal.MaxRequests {
		return false, journal.ErrFull
	}
	since := r.NotBefore
	if since.Before(now) {
		since = now
	}
	q.asks[r.ID] = ask{Request: r, since: since}
	return true, nil
}

// forget removes a request.
func (q *queue) forget(id string, now time.Time) {
	if _, known := q.asks[id]; known {
		delete(q.asks, id)
		q.gone[id] = now.Add(memory)
	}
}

// prune forgets which requests there were long ago, or the oldest of too many.
func (q *queue) prune(now time.Time) {
	if len(q.gone) < q.enough {
		return
	}
	maps.DeleteFunc(q.gone, func(_ string, until time.Time) bool { return !until.After(now) })
	if len(q.gone) > journal.MaxKnown {
		byAge := slices.SortedFunc(maps.Keys(q.gone), func(a, b string) int { return q.gone[a].Compare(q.gone[b]) })
		for _, id := range byAge[:len(byAge)/10] {
			delete(q.gone, id)
		}
	}
	q.enough = min(2*len(q.gone)+1000, journal.MaxKnown)
}

// list returns the requests that which selects, the earliest first.
func (q *queue) list(which func(ask) bool) []ask {
	var found []ask
	for _, a := range q.asks {
		if which(a) {
			found = append(found, a)
		}
	}
	slices.SortFunc(found, func(a, b ask) int {
		return cmp.Or(a.since.Compare(b.since), cmp.Compare(a.ID, b.ID))
	})
	return found
}

// requests copies at most limit of asks.
func requests(asks []ask, limit int) []scheduler.Request {
	asks = asks[:min(limit, len(asks))]
	out := make([]scheduler.Request, len(asks))
	for i, a := range asks {
		out[i] = a.Request
		out[i].Params, out[i].Tries = maps.Clone(a.Params), slices.Clone(a.Tries)
	}
	return out
}
