package telemetry

import (
	"sync"
	"time"
)

// At most waitLines lines in waitWindow say that ticks wait: a Redis that is
// away makes ten thousand jobs wait, and each asks again every other second.
const (
	waitLines  = 5
	waitWindow = 5 * time.Second
)

// throttle lets limit events through in each window.
type throttle struct {
	limit  int
	window time.Duration

	mu      sync.Mutex
	began   time.Time // of the current window
	passed  int       // in it
	dropped int       // since one passed
}

// allow reports whether one more event may pass at now, and, if it may, how
// many were dropped since the last that did.
func (t *throttle) allow(now time.Time) (ok bool, dropped int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Sub(t.began) >= t.window {
		t.began, t.passed = now, 0
	}
	if t.passed >= t.limit {
		t.dropped++
		return false, 0
	}
	t.passed++
	dropped, t.dropped = t.dropped, 0
	return true, dropped
}
