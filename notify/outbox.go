package notify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/solocron/solocron/election"
)

const (
	takeMost   = 50               // messages
	takeHold   = 3 * time.Minute  // until others may take them
	takeLong   = time.Minute      // how long new deliveries of what was taken begin: they end well before the hold does
	rateWindow = time.Minute      //
	maxAge     = 24 * time.Hour   // of a message that is tried again
	sendMost   = 35 * time.Second // for one delivery, whatever the channel
	giveUp     = 3                // failures in a row until the rest waits
	outboxTick = 5 * time.Second  // between two looks for what others have put there
)

// sendPause is between two tries of a delivery: a tenth of it to all of it.
var sendPause = election.Backoff{First: 10 * time.Second, Max: 5 * time.Minute}

// deliver sends what is in the outbox, until ctx ends. Channels do not wait for each
// other.
func (n *Notifier) deliver(ctx context.Context) {
	var sending sync.WaitGroup
	defer sending.Wait()
	var mu sync.Mutex
	busy := map[string]bool{}
	for {
		for _, c := range n.plan.Load().channels {
			mu.Lock()
			start := !busy[c.name]
			busy[c.name] = true
			mu.Unlock()
			if !start {
				continue
			}
			sending.Go(func() {
				n.empty(ctx, c)
				mu.Lock()
				defer mu.Unlock()
				delete(busy, c.name)
			})
		}
		select {
		case <-ctx.Done():
			return
		case <-n.wake:
		case <-time.After(outboxTick):
		}
	}
}

// empty sends what is in the outbox for c.
func (n *Notifier) empty(ctx context.Context, c *channel) {
	for ctx.Err() == nil {
		taken, err := n.takeFor(ctx, c)
		if err != nil {
			if ctx.Err() == nil {
				n.log.Debug("the outbox does not answer", "channel", c.name, "err", err)
			}
			return
		}
		if len(taken.Items) == 0 {
			return
		}
		ends := n.send(ctx, c, taken)
		n.settle(ctx, c, ends)
		if len(taken.Items) < takeMost {
			return
		}
	}
}

func (n *Notifier) takeFor(ctx context.Context, c *channel) (Taken, error) {
	ctx, cancel := context.WithTimeout(ctx, foldTry)
	defer cancel()
	return n.deps.Store.Take(ctx, Call{Channel: c.name, Now: time.Now(), Hold: takeHold, Most: takeMost, Rate: c.rate, Window: rateWindow})
}

// settle tells the store, even when this replica stops: else what was sent is sent
// again.
func (n *Notifier) settle(ctx context.Context, c *channel, ends []End) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), foldTry)
	defer cancel()
	if err := n.deps.Store.Settle(ctx, c.name, ends); err != nil {
		n.log.Warn("what was sent may be sent again", "channel", c.name, "messages", len(ends), "err", err)
	}
}

// send sends what was taken, and says what became of each message.
func (n *Notifier) send(ctx context.Context, c *channel, taken Taken) []End {
	var ends []End
	began, failures := time.Now(), 0
	for _, p := range parcels(taken) {
		if failures >= giveUp || ctx.Err() != nil || time.Since(began) > takeLong {
			ends = append(ends, p.ends(time.Now().Add(sendPause.Pause(p.try, rand.Float64())))...)
			continue
		}
		err := n.sendOne(ctx, c, p)
		if err == nil {
			failures = 0
			n.deps.Meter.Sent(c.name, len(p.items))
			ends = append(ends, p.ends(time.Time{})...)
			continue
		}
		failures++
		ends = append(ends, n.failed(c, p, err)...)
	}
	return ends
}

// sendOne sends one parcel.
func (n *Notifier) sendOne(ctx context.Context, c *channel, p *parcel) error {
	d, err := p.delivery()
	if err != nil {
		return &RefusedError{err}
	}
	ctx, cancel := linger(ctx, sendMost)
	defer cancel()
	return c.sender.Send(ctx, d)
}

// linger is a context that lasts at most so long, and a moment longer than ctx: what is
// on its way when a replica stops should arrive, or it would be sent twice.
func linger(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	stop := context.AfterFunc(ctx, func() {
		sleep(sending, lastMoment)
		cancel()
	})
	return sending, func() {
		cancel()
		stop()
	}
}

// failed says what becomes of a parcel that was not sent because of err.
func (n *Notifier) failed(c *channel, p *parcel, err error) []End {
	n.deps.Meter.Failed(c.name)
	now := time.Now()
	verdict, pause := verdictOn(err, p.try, now.Sub(p.items[0].Made), rand.Float64())
	if verdict == sendDrop {
		n.deps.Meter.Dropped(c.name, len(p.items))
		n.log.Error("a message was dropped", "channel", c.name, "messages", len(p.items), "try", p.try, "err", err)
		return p.ends(time.Time{})
	}
	n.log.Warn("a message was not sent; it is tried again", "channel", c.name, "messages", len(p.items), "try", p.try,
		"retry", pause.Round(time.Millisecond).String(), "err", err)
	return p.ends(now.Add(pause))
}

// A sendVerdict is what becomes of a message that was not sent.
type sendVerdict uint8

const (
	sendAgain sendVerdict = iota
	sendDrop
)

// verdictOn decides what follows a try that failed, of a message so old.
func verdictOn(err error, try int, age time.Duration, jitter float64) (sendVerdict, time.Duration) {
	if _, ok := errors.AsType[*RefusedError](err); ok || age > maxAge {
		return sendDrop, 0
	}
	pause := sendPause.Pause(try, jitter)
	if busy, ok := errors.AsType[*BusyError](err); ok {
		pause = max(pause, busy.After)
	}
	return sendAgain, pause
}

// parcel is the messages of one delivery.
type parcel struct {
	items []Item
	try   int
}

// parcels divides what was taken among the deliveries that are allowed: one each, and
// the last is all that are left.
func parcels(t Taken) []*parcel {
	var list []*parcel
	for i := range t.Items {
		if n := len(list); n > 0 && n >= t.Deliveries {
			last := list[n-1]
			last.items = append(last.items, t.Items[i])
			last.try = max(last.try, t.Items[i].Try)
			continue
		}
		list = append(list, &parcel{[]Item{t.Items[i]}, t.Items[i].Try})
	}
	return list
}

// ends says of all messages of p that they are tried again then; zero: never.
func (p *parcel) ends(again time.Time) []End {
	list := make([]End, len(p.items))
	for i, it := range p.items {
		list[i] = End{ID: it.ID, Again: again}
	}
	return list
}

func (p *parcel) delivery() (*Delivery, error) {
	d := &Delivery{ID: p.items[0].ID, Try: p.try, Messages: make([]Message, len(p.items))}
	sum := sha256.New()
	for i, it := range p.items {
		if err := json.Unmarshal(it.Data, &d.Messages[i]); err != nil {
			return nil, err
		}
		sum.Write([]byte(it.ID + "\n"))
	}
	if len(p.items) > 1 { // another set of messages is another delivery
		const enough = 12 // bytes
		d.ID = hex.EncodeToString(sum.Sum(nil)[:enough])
	}
	return d, nil
}
