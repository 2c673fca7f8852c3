package daemon

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// staleAfter is how long after its last good answer the store counts as away.
const staleAfter = 15 * time.Second

var (
	errStarting = errors.New("the lease store has not answered yet; nothing runs until it does")
	errStopping = errors.New("the replica is shutting down")
)

// health is what the replica knows of its own readiness.
type health struct {
	others []func() error // each says why the replica is not ready, beside what health knows

	mu       sync.Mutex
	stopping bool
	heard    time.Time // last good answer of the store; zero: never
	trouble  error     // what the last check said
}

// checked notes what a check of the store said, and reports whether that is
// news: the first good answer, the first trouble, or the end of it.
func (h *health) checked(err error) (news bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	news = h.heard.IsZero() || (err == nil) != (h.trouble == nil)
	h.trouble = err
	if err == nil {
		h.heard = time.Now()
	}
	return news
}

func (h *health) stop() {
	h.mu.Lock()
	h.stopping = true
	h.mu.Unlock()
}

// ready returns nil while the replica can run jobs, else every reason why not.
func (h *health) ready() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var reasons []error
	if h.stopping {
		reasons = append(reasons, errStopping)
	}
	if h.heard.IsZero() {
		reasons = append(reasons, errStarting)
	}
	if h.trouble != nil && (h.heard.IsZero() || time.Since(h.heard) > staleAfter) {
		reasons = append(reasons, fmt.Errorf("lease store: %w", h.trouble))
	}
	for _, why := range h.others {
		reasons = append(reasons, why()) // Join leaves out nil
	}
	return errors.Join(reasons...)
}

// stopped reports whether the replica has been told to end.
func (h *health) stopped() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stopping
}

// store is what is wrong with the lease store; nil while it answers as it should.
func (h *health) store() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.heard.IsZero() {
		return errors.Join(errStarting, h.trouble)
	}
	return h.trouble
}

// lastHeard is when the store last gave a good answer; zero: never.
func (h *health) lastHeard() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.heard
}

// started reports whether the store has ever answered.
func (h *health) started() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !h.heard.IsZero()
}
