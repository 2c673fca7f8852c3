package access

import (
	"net/netip"
	"sync"
	"time"
)

const (
	maxBad     = 10               // tokens of one source that may be wrong within badWithin
	badWithin  = time.Minute      //
	firstLock  = time.Minute      // how long a source is locked out; twice as long each time
	longest    = 16 * time.Minute //
	forgetting = time.Hour        // after which a source counts as new
	siegeAt    = 300              // bad tokens of all sources within badWithin
	maxSources = 4096             // that are remembered
	sampled    = 8                // of which one gives way to a new one
)

// offender is what is remembered of a source of bad tokens.
type offender struct {
	bad   int       // since since
	since time.Time //
	until time.Time // locked out before that
	locks int       // how often it was
	last  time.Time // a bad token
}

// after is o after one more bad token at now, of which so many may be.
func (o offender) after(now time.Time, most int) offender {
	if now.Sub(o.last) >= forgetting {
		o = offender{}
	}
	if now.Sub(o.since) >= badWithin {
		o.bad, o.since = 0, now
	}
	o.bad++
	o.last = now
	if o.bad >= most {
		o.until = now.Add(min(firstLock<<min(o.locks, 10), longest))
		o.locks++
		o.bad, o.since = 0, o.until
	}
	return o
}

// limiter counts bad tokens. Only those of a source lock it out: others' bad tokens
// never keep a good one from being looked at. But while there are very many, from
// wherever, a single one locks its source out.
type limiter struct {
	mu      sync.Mutex
	sources map[netip.Prefix]offender
	bad     int // of all sources since since
	since   time.Time
}

// wait returns for how long no token from source is looked at.
func (l *limiter) wait(source netip.Prefix, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(l.sources[source].until.Sub(now), 0)
}

// note counts a bad token from source, and returns for how long no other from there
// is looked at, and whether the log can bear a line about it: in a flood it cannot.
func (l *limiter) note(source netip.Prefix, now time.Time) (wait time.Duration, tell bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.since) >= badWithin {
		l.bad, l.since = 0, now
	}
	l.bad++
	most := maxBad
	if l.bad > siegeAt {
		most = 1
	}
	o, known := l.sources[source]
	if !known {
		l.makeRoom()
	}
	o = o.after(now, most)
	l.sources[source] = o
	return max(o.until.Sub(now), 0), l.bad <= siegeAt+1
}

// makeRoom forgets, when there is no more room, the source that was quiet for longest
// of a few: which few is the map's choice, so that the cost is bounded and nobody can
// plan for it.
func (l *limiter) makeRoom() {
	if l.sources == nil {
		l.sources = map[netip.Prefix]offender{}
	}
	if len(l.sources) < maxSources {
		return
	}
	var (
		quiet netip.Prefix
		last  time.Time
		n     int
	)
	for source, o := range l.sources {
		if n == 0 || o.last.Before(last) {
			quiet, last = source, o.last
		}
		if n++; n == sampled {
			break
		}
	}
	delete(l.sources, quiet)
}
