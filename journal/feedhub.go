package journal

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

const (
	feedWait = time.Second     // for which one read waits for something to happen
	feedSure = 5 * time.Second // without a look, after which it is asked whether the place is still kept
	earRoom  = 256             // batches that wait for one who follows
)

// hub hands what is read once to all who follow.
type hub struct {
	mu    sync.Mutex
	ears  map[*ear]struct{}
	at    BatchID // up to which all was handed on
	turn  int     // how often somebody came when nobody was there: at was set anew
	ended bool
	wake  chan struct{} // somebody has come
}

// ear is one who follows. What is handed on is closed when it ends; err says why.
type ear struct {
	batches chan []Told
	err     error
}

// join returns an ear for what comes after at, or for what comes after a later
// place if others follow already.
func (h *hub) join(at BatchID) (*ear, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return nil, ErrFeedEnded
	}
	if len(h.ears) == 0 {
		h.at = at
		h.turn++
		ring(h.wake)
	}
	e := &ear{batches: make(chan []Told, earRoom)}
	h.ears[e] = struct{}{}
	return e, nil
}

func (h *hub) leave(e *ear) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.ears, e)
}

// end sends everybody away for good.
func (h *hub) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	h.dismiss(ErrFeedEnded)
}

func (h *hub) dismiss(why error) {
	for e := range h.ears {
		h.drop(e, why)
	}
}

func (h *hub) drop(e *ear, why error) {
	e.err = why
	close(e.batches)
	delete(h.ears, e)
}

// position is where to read on, and at whose turn; false: nobody follows.
func (h *hub) position() (at BatchID, turn int, followed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at, h.turn, len(h.ears) > 0
}

// hand hands on what was read at a turn, unless another one has begun. Who has not
// taken what came before is sent away.
func (h *hub) hand(turn int, batches []Batch, err error) {
	told := make([][]Told, len(batches))
	for i, b := range batches {
		told[i] = unpack(b)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case turn != h.turn:
		return
	case err != nil:
		h.dismiss(err)
		return
	case len(batches) > 0:
		h.at = batches[len(batches)-1].ID
	}
	for e := range h.ears {
		for _, list := range told {
			select {
			case e.batches <- list:
				continue
			default:
				h.drop(e, ErrFeedSlow)
			}
			break
		}
	}
}

// read reads for all who follow, with one call at a time, until ctx ends.
func (f *Feed) read(ctx context.Context) {
	l := look{feed: f}
	for fails := 0; ctx.Err() == nil; {
		at, turn, followed := f.hub.position()
		if !followed {
			select {
			case <-ctx.Done():
			case <-f.hub.wake:
			}
			continue
		}
		if turn != l.turn {
			l = look{feed: f, turn: turn}
		}
		batches, gap, err := l.next(ctx, at)
		switch {
		case err != nil:
			fails++
			sleep(ctx, pause(fails, rand.Float64()))
		case gap:
			f.hub.hand(turn, nil, ErrFeedGap)
		default:
			fails = 0
			f.hub.hand(turn, batches, nil)
		}
	}
}

// look is how far behind the reader can be.
type look struct {
	feed *Feed
	turn int
	sure time.Time // when it asked last and got all there was; zero: it is behind, or does not know
}

// next reads on. To wait for what comes after a place does not tell whether
// something in between is gone, so it waits only where nothing can be: it was at
// the end a short time ago, in which no cluster fills the store.
func (l *look) next(ctx context.Context, at BatchID) (batches []Batch, gap bool, err error) {
	asked := time.Now()
	if asked.Sub(l.sure) < feedSure {
		call, cancel := context.WithTimeout(ctx, feedWait+feedCall)
		defer cancel()
		batches, err = l.feed.batches.Await(call, at, MaxBatchRead, feedWait)
	} else {
		batches, gap, err = l.feed.page(ctx, at)
	}
	if l.sure = asked; err != nil || gap || len(batches) >= MaxBatchRead-1 {
		l.sure = time.Time{}
	}
	return batches, gap, err
}

// page reads what comes after a batch; gap: that batch is no longer kept, so there
// may have been others. After the zero batch is all that is kept.
func (f *Feed) page(ctx context.Context, after BatchID) (batches []Batch, gap bool, err error) {
	call, cancel := context.WithTimeout(ctx, feedCall)
	defer cancel()
	batches, err = f.batches.From(call, after, MaxBatchRead)
	switch {
	case err != nil || after.IsZero():
		return batches, false, err
	case len(batches) == 0 || batches[0].ID != after:
		return nil, true, nil
	}
	return batches[1:], false, nil
}
