package journal

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"
)

const (
	flushEvery  = 250 * time.Millisecond
	flushRun    = 64 << 10 // bytes of a running job in one flush
	flushEnded  = 1 << 20  // bytes of one that has ended in one call
	flushBytes  = 1 << 20  // bytes in one call, after which no other run is added
	flushTracks = 128      // runs in one call
	callLimit   = 5 * time.Second
	lastLimit   = 5 * time.Second // for what is left when Run's context has ended
	backLast    = 5 * time.Second
	patience    = 10 * time.Minute // for the output of a run that has ended and cannot be written
	idleLimit   = 24 * time.Hour   // after which a silent run is forgotten until it prints again
)

// Run writes until ctx ends, then for at most five more seconds what is left.
// While Logs fail it tries again, in jittered, growing pauses. It returns nil.
// Output that comes later is dropped.
func (o *Output) Run(ctx context.Context) error {
	defer o.close()
	sweep := time.NewTicker(time.Hour)
	defer sweep.Stop()
	for fails := 0; o.await(ctx, sweep.C, fails); {
		if o.flush(ctx, false) {
			fails = 0
		} else {
			fails++
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLimit)
	defer cancel()
	for !o.clean() && last.Err() == nil {
		if !o.flush(last, true) {
			sleep(last, flushEvery)
		}
	}
	return nil
}

// await returns true when it is time for a flush, false when ctx ends: a while
// after the first line, at once when a run has ended, and later after failures.
func (o *Output) await(ctx context.Context, sweep <-chan time.Time, fails int) bool {
	for o.clean() {
		select {
		case <-ctx.Done():
			return false
		case <-sweep:
			o.sweep(time.Now())
		case <-o.more:
		}
	}
	if fails > 0 {
		return sleep(ctx, pause(fails, rand.Float64()))
	}
	due := time.NewTimer(flushEvery)
	defer due.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-sweep:
		o.sweep(time.Now())
	case <-o.hurry:
	case <-due.C:
	}
	return true
}

// pause is how long to wait after so many failures in a row.
func pause(fails int, jitter float64) time.Duration {
	full := min(flushEvery<<min(fails, 10), backLast)
	return full/2 + time.Duration(jitter*float64(full/2))
}

func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// clean reports whether there is nothing to be written.
func (o *Output) clean() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.desk.dirty) == 0
}

// flush writes of each run what it may; false if a call was made of which
// nothing was kept: then it leaves the rest. All lifts the limit of running jobs.
func (o *Output) flush(ctx context.Context, all bool) bool {
	o.mu.Lock()
	left := len(o.desk.dirty)
	o.mu.Unlock()
	for left > 0 {
		tracks, parts := o.take(left, all)
		left -= len(tracks)
		call, cancel := context.WithTimeout(ctx, callLimit)
		errs := o.logs.Append(call, parts)
		cancel()
		if !o.settle(tracks, parts, errs) {
			return false
		}
	}
	return true
}

// take makes the parts of one call, of at most most runs.
func (o *Output) take(most int, all bool) (tracks []*track, parts []Part) {
	o.mu.Lock()
	defer o.mu.Unlock()
	bytes := 0
	for _, t := range o.desk.dirty[:min(most, flushTracks)] {
		limit := flushRun
		if all || !t.ended.IsZero() {
			limit = flushEnded
		}
		chunks, last := t.tape.take(limit)
		tracks = append(tracks, t)
		parts = append(parts, Part{
			Run: t.run, Writer: Writer{t.token, t.session}, Chunks: chunks,
			Total: t.tape.total, Keep: t.tape.room, Done: last && !t.ended.IsZero(),
		})
		for _, c := range chunks {
			bytes += len(c.Data)
		}
		if bytes >= flushBytes {
			break
		}
	}
	o.desk.dirty = slices.Delete(o.desk.dirty, 0, len(tracks))
	return tracks, parts
}

// settle takes over what became of parts, and reports whether anything was
// kept. What was not comes first the next time, in the same order: a later
// attempt must not be written before an earlier one.
func (o *Output) settle(tracks []*track, parts []Part, errs []error) (kept bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var again []*track
	for i, t := range tracks {
		err := errorAt(errs, i)
		t.tape.settle(err == nil)
		switch {
		case err == nil:
			kept = true
			o.written(t, parts[i].Done)
		case errors.Is(err, ErrOvertaken), !t.ended.IsZero() && time.Since(t.ended) > patience:
			kept = true // there is no use in waiting
			o.forget(t)
		default:
			again = append(again, t)
		}
		o.account(t)
	}
	o.desk.dirty = append(again, o.desk.dirty...)
	return kept
}

// written goes on with a track of which something was written.
func (o *Output) written(t *track, done bool) {
	o.desk.crowded = false
	t.dirty = false
	switch {
	case len(t.tape.blocks) > 0 || !done && !t.ended.IsZero():
		o.mark(t)
		if !t.ended.IsZero() {
			ring(o.hurry)
		}
	case done:
		o.forget(t)
	}
}

// forget gives up a track and what it holds.
func (o *Output) forget(t *track) {
	t.tape.waste()
	o.account(t)
	t.dirty = false
	if o.desk.runs[t.trackID] == t {
		delete(o.desk.runs, t.trackID)
		o.desk.held -= trackCost
		o.desk.crowded = false
	}
}

// sweep forgets runs that have been silent for long: their end was not told,
// or something printed after it.
func (o *Output) sweep(now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range o.desk.runs {
		if !t.dirty && now.Sub(t.spoke) > idleLimit {
			o.forget(t)
		}
	}
}

// close gives up everything.
func (o *Output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.desk.closed = true
	for _, t := range o.desk.runs {
		o.forget(t)
	}
	o.desk.dirty = nil
}

func errorAt(errs []error, i int) error {
	if i < len(errs) {
		return errs[i]
	}
	return nil
}
