package notify

import (
	"context"
	"hash/fnv"
	"log/slog"
	"net/url"
	"sync"
	"time"
)

const (
	pingLanes   = 4   // jobs share a lane by their name; a lane sends one after the other
	pingRoom    = 250 // pings that wait in a lane
	pingTries   = 3
	pingTimeout = 5 * time.Second
	pingChannel = "ping" // in metrics
)

// pinger sends pings. Those of one job are in order.
type pinger struct {
	poster *poster
	meter  Meter
	log    *slog.Logger
	lanes  [pingLanes]chan ping
}

func newPinger(p *poster, m Meter, log *slog.Logger) *pinger {
	x := &pinger{poster: p, meter: m, log: log}
	for i := range x.lanes {
		x.lanes[i] = make(chan ping, pingRoom)
	}
	return x
}

// put adds p, or drops it if too many wait. It does no I/O.
func (x *pinger) put(p ping) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.job)) // never fails
	select {
	case x.lanes[h.Sum32()%pingLanes] <- p:
	default:
		x.meter.Dropped(pingChannel, 1)
	}
}

// run sends until ctx ends.
func (x *pinger) run(ctx context.Context) {
	var wg sync.WaitGroup
	for _, lane := range x.lanes {
		wg.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case p := <-lane:
					x.send(ctx, p)
				}
			}
		})
	}
	wg.Wait()
}

// flush sends what waits, as long as ctx lasts.
func (x *pinger) flush(ctx context.Context) {
	var wg sync.WaitGroup
	for _, lane := range x.lanes {
		wg.Go(func() {
			for {
				select {
				case p := <-lane:
					x.send(ctx, p)
				default:
					return
				}
			}
		})
	}
	wg.Wait()
}

// send sends p, or gives up after some tries.
func (x *pinger) send(ctx context.Context, p ping) {
	for try := 1; ; try++ {
		err := x.once(ctx, p)
		if err == nil {
			x.meter.Sent(pingChannel, 1)
			return
		}
		x.meter.Failed(pingChannel)
		if try == pingTries || !sleep(ctx, sendPause.Pause(try, 0)) {
			x.meter.Dropped(pingChannel, 1)
			x.log.Warn("a ping was not sent", "job", p.job, "tries", try, "err", err)
			return
		}
	}
}

func (x *pinger) once(ctx context.Context, p ping) error {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	return x.poster.send(ctx, &post{address: p.url, suffix: p.suffix, query: url.Values{"rid": {p.rid}}, body: []byte(p.body)})
}
