package redislease

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
)

const (
	hintTry     = time.Second            // for one publish or subscribe
	hintQuiet   = 5 * time.Second        // without a message, after which the connection is tested
	hintBack    = 100 * time.Millisecond // first pause after a failed connection
	hintBackMax = 5 * time.Second
	hintRings   = 4096 // keys waiting to be rung; more are dropped
)

// Hints are election.Hints over Redis pub/sub, for Locks of many processes. They
// cost one PUBLISH for every unlock, and nothing for those who do not have to
// wait. All waiters of a process share one connection, which is opened again
// when it fails; until then hints are lost, as they may be at any time.
type Hints struct {
	store *Store
	local election.LocalHints
	stop  context.CancelFunc
	both  sync.WaitGroup
	todo  chan struct{} // receives when there is something to send

	mu     sync.Mutex
	sub    *redis.PubSub // of the session under way; nil: there is none
	heard  map[string]*hearing
	change map[string]struct{} // channels to subscribe to, or not any more
	rings  map[string]struct{} // channels to publish on
}

// A hearing is a channel that somebody here waits on.
type hearing struct {
	key     string
	waiters int
}

var _ election.Hints = (*Hints)(nil)

// NewHints returns Hints between all processes that use the prefix and namespace
// of s. Channels are named like the keys of s, so the ACL of its user needs
// them, too: &<prefix>:*. Close them when no lock is used any more.
func NewHints(s *Store) *Hints {
	ctx, stop := context.WithCancel(context.Background())
	h := &Hints{
		store: s, stop: stop, todo: make(chan struct{}, 1), heard: make(map[string]*hearing),
		change: make(map[string]struct{}), rings: make(map[string]struct{}),
	}
	h.both.Go(func() { h.listen(ctx) })
	h.both.Go(func() { h.send(ctx) })
	return h
}

// Close ends the connection; hints are lost from then on.
func (h *Hints) Close() {
	h.stop()
	h.both.Wait()
}

// channel is where the key's being free is told.
func (h *Hints) channel(key string) string {
	var t text
	h.store.writeKey(&t, key)
	return t.String() + ":free"
}

// Wait implements election.Hints. It does not wait for Redis: a hint that comes
// before the channel is subscribed to is lost.
func (h *Hints) Wait(ctx context.Context, key string) (<-chan struct{}, func()) {
	rung, leave := h.local.Wait(ctx, key)
	channel := h.channel(key)
	h.mu.Lock()
	defer h.mu.Unlock()
	x := h.heard[channel]
	if x == nil {
		x = &hearing{key: key}
		h.heard[channel] = x
		h.changed(channel)
	}
	x.waiters++
	return rung, func() {
		leave()
		h.mu.Lock()
		defer h.mu.Unlock()
		if x.waiters--; x.waiters == 0 {
			delete(h.heard, channel)
			h.changed(channel)
		}
	}
}

// Ring implements election.Hints. Waiters of this process hear it from Redis
// like all others, so that none has an advantage.
func (h *Hints) Ring(key string) {
	channel := h.channel(key)
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.rings) < hintRings {
		h.rings[channel] = struct{}{}
		h.wake()
	}
}

// changed notes that a channel is wanted, or not any more. The caller holds h.mu.
func (h *Hints) changed(channel string) {
	h.change[channel] = struct{}{}
	h.wake()
}

func (h *Hints) wake() {
	select {
	case h.todo <- struct{}{}:
	default:
	}
}
