package redisjournal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/redis/go-redis/v9"
)

const (
	quiet     = 5 * time.Second // without a message, after which the connection is tested
	backFirst = 100 * time.Millisecond
	backLast  = 5 * time.Second
)

// listen hands on the news of the others until ctx ends.
func (m *Members) listen(ctx context.Context, news func(scheduler.News)) {
	subscribe(ctx, m.air, m.channel, func(got any) { m.take(got, news) })
}

// subscribe hands on what arrives on a channel until ctx ends. When a connection
// fails it opens another after a jittered pause, which grows while none works.
func subscribe(ctx context.Context, a *air, channel string, take func(any)) {
	pause := backFirst
	for ctx.Err() == nil {
		if session(ctx, a, channel, take) {
			pause = backFirst
		}
		wait(ctx, pause/2+rand.N(pause/2))
		pause = min(2*pause, backLast)
	}
}

// session receives on one connection until it fails or ctx ends, and reports
// whether anything arrived. A connection that is silent is tested once; if the
// test has no answer, it is not alive.
func session(ctx context.Context, a *air, channel string, take func(any)) (worked bool) {
	sub := a.subscribe(ctx, channel)
	defer sub.Close()
	stop := context.AfterFunc(ctx, func() { _ = sub.Close() }) // ends a receive that waits
	defer stop()
	for tested := false; ; {
		got, err := receive(ctx, sub, quiet)
		a.learn(err)
		if ended(got) {
			return worked
		}
		if err == nil {
			tested, worked = false, true
			take(got)
			continue
		}
		timeout, ok := errors.AsType[net.Error](err)
		if !ok || !timeout.Timeout() || tested || sub.Ping(ctx) != nil {
			return worked
		}
		tested = true
	}
}

// receive is sub.ReceiveTimeout, which panics at what no server should say.
func receive(ctx context.Context, sub *redis.PubSub, limit time.Duration) (got any, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("redis pub/sub: unreadable message: %v", v)
		}
	}()
	return sub.ReceiveTimeout(ctx, limit)
}

// take deals with one message. What nobody understands is dropped: a newer
// version may speak of other things.
func (m *Members) take(got any, news func(scheduler.News)) {
	switch got := got.(type) {
	case *redis.Subscription:
		m.refresh() // what was said before is missed
	case *redis.Message:
		n, changed, err := decode(got.Payload)
		switch {
		case err != nil || n.From == m.self.ID:
		case changed:
			m.refresh()
		default:
			news(n)
		}
	}
}

// refresh asks for a heartbeat soon.
func (m *Members) refresh() {
	select {
	case m.again <- struct{}{}:
	default:
	}
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
