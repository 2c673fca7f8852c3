package redislease

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

// send does what was asked for, all at a time, until ctx ends.
func (h *Hints) send(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.todo:
		}
		rings, sub, on, off := h.take()
		call, cancel := context.WithTimeout(ctx, hintTry)
		if len(rings) > 0 {
			pipe := h.store.rdb.Pipeline()
			for channel := range rings {
				pipe.Publish(call, channel, "")
			}
			_, _ = pipe.Exec(call) // lossy by contract
		}
		if sub != nil && len(on) > 0 {
			_ = sub.Subscribe(call, on...) // the session finds out that the connection has failed
		}
		if sub != nil && len(off) > 0 {
			_ = sub.Unsubscribe(call, off...)
		}
		cancel()
	}
}

// take empties the lists of what is to do.
func (h *Hints) take() (rings map[string]struct{}, sub *redis.PubSub, on, off []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for channel := range h.change {
		if h.heard[channel] != nil {
			on = append(on, channel)
		} else {
			off = append(off, channel)
		}
	}
	clear(h.change)
	rings, h.rings = h.rings, make(map[string]struct{})
	return rings, h.sub, on, off
}

// listen wakes waiters until ctx ends, on one connection after the other.
func (h *Hints) listen(ctx context.Context) {
	for pause := hintBack; ctx.Err() == nil; pause = min(2*pause, hintBackMax) {
		if h.session(ctx) {
			pause = hintBack
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause/2 + rand.N(pause/2)):
		}
	}
}

// session receives on one connection until it fails or ctx ends, and reports
// whether anything arrived.
func (h *Hints) session(ctx context.Context) (worked bool) {
	sub := h.open(ctx)
	defer h.close(sub)
	stop := context.AfterFunc(ctx, func() { _ = sub.Close() }) // ends a receive that waits
	defer stop()
	for tested := false; ; {
		got, err := receiveHint(ctx, sub)
		if err == nil {
			tested, worked = false, true
			h.hear(got)
			continue
		}
		timeout, ok := errors.AsType[net.Error](err)
		if !ok || !timeout.Timeout() || tested || sub.Ping(ctx) != nil {
			return worked
		}
		tested = true
	}
}

// open subscribes to a channel that nobody speaks on, so that there always is a
// connection, and to those that are wanted by now. It does not tell how that
// went: the first receive does.
func (h *Hints) open(ctx context.Context) *redis.PubSub {
	sub := h.store.rdb.Subscribe(ctx) // without a channel it sends nothing
	channels := h.begin(sub)
	call, cancel := context.WithTimeout(ctx, hintTry)
	defer cancel()
	_ = sub.Subscribe(call, channels...)
	return sub
}

// begin makes sub that of the session; it returns the channels it has to be on.
func (h *Hints) begin(sub *redis.PubSub) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sub = sub
	clear(h.change)
	return append(slices.Collect(maps.Keys(h.heard)), h.store.heads[0]+":hints")
}

func (h *Hints) close(sub *redis.PubSub) {
	h.mu.Lock()
	h.sub = nil
	h.mu.Unlock()
	_ = sub.Close()
}

// hear takes what arrived. With a subscription that was just made, what was said
// before is missed: somebody should look.
func (h *Hints) hear(got any) {
	var channel string
	switch got := got.(type) {
	case *redis.Subscription:
		if got.Kind == "subscribe" {
			channel = got.Channel
		}
	case *redis.Message:
		channel = got.Channel
	}
	h.mu.Lock()
	x := h.heard[channel]
	h.mu.Unlock()
	if x != nil {
		h.local.Ring(x.key)
	}
}

// receiveHint is sub.ReceiveTimeout, which panics at what no server should say.
func receiveHint(ctx context.Context, sub *redis.PubSub) (got any, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("redis pub/sub: unreadable message: %v", v)
		}
	}()
	return sub.ReceiveTimeout(ctx, hintQuiet)
}
