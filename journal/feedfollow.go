package journal

import (
	"context"
	"math/rand/v2"
	"time"
)

// Follow hands fn what happens in the cluster after a place, in order, and nothing
// whenever that is all for FeedPulse, until ctx ends or fn returns an error: that
// is what Follow returns. While the store gives no answer it waits. It returns
// ErrFeedGap if it cannot go on without leaving something out, ErrFeedSlow if
// fn takes so long that too much waits for it, and ErrFeedEnded when Run ends.
// What a replica had to write again may be told twice.
func (f *Feed) Follow(ctx context.Context, after Place, fn func([]Told) error) error {
	w := walk{feed: f, at: after, fn: fn}
	if err := w.begin(ctx); err != nil {
		return err
	}
	e, err := f.hub.join(w.at.Batch)
	if err != nil {
		return err
	}
	defer f.hub.leave(e)
	if err := w.catchUp(ctx); err != nil { // what came in between
		return err
	}
	return w.listen(ctx, e)
}

// walk is how far one who follows has come.
type walk struct {
	feed *Feed
	at   Place
	fn   func([]Told) error
}

// begin hands on the rest of the batch that the place is in, and all after it.
func (w *walk) begin(ctx context.Context) error {
	if w.at.IsZero() {
		return w.catchUp(ctx)
	}
	var first []Batch
	err := w.insist(ctx, func() (err error) {
		call, cancel := context.WithTimeout(ctx, feedCall)
		defer cancel()
		first, err = w.feed.batches.From(call, w.at.Batch, 1)
		return err
	})
	switch {
	case err != nil:
		return err
	case len(first) == 0 || first[0].ID != w.at.Batch:
		return ErrFeedGap
	}
	if err := w.hand(first[0].ID, unpack(first[0])); err != nil {
		return err
	}
	return w.catchUp(ctx)
}

// catchUp reads and hands on what there is.
func (w *walk) catchUp(ctx context.Context) error {
	for {
		var batches []Batch
		var gap bool
		err := w.insist(ctx, func() (err error) {
			batches, gap, err = w.feed.page(ctx, w.at.Batch)
			return err
		})
		switch {
		case err != nil:
			return err
		case gap:
			return ErrFeedGap
		}
		for _, b := range batches {
			if err := w.hand(b.ID, unpack(b)); err != nil {
				return err
			}
		}
		if len(batches) < MaxBatchRead-1 {
			return nil
		}
	}
}

// insist asks the store until it answers, ctx ends or the feed does.
func (w *walk) insist(ctx context.Context, ask func() error) error {
	told := time.Now()
	for fails := 1; ; fails++ {
		err := ask()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err == nil:
			return nil
		case w.feed.hub.over():
			return ErrFeedEnded
		}
		if time.Since(told) > FeedPulse {
			if err := w.fn(nil); err != nil {
				return err
			}
			told = time.Now()
		}
		sleep(ctx, pause(fails, rand.Float64()))
	}
}

// listen hands on what the hub hands to e.
func (w *walk) listen(ctx context.Context, e *ear) error {
	pulse := time.NewTimer(FeedPulse)
	defer pulse.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-pulse.C:
			if err := w.fn(nil); err != nil {
				return err
			}
		case told, open := <-e.batches:
			switch {
			case !open:
				return e.err
			case len(told) == 0:
				continue
			}
			if err := w.hand(told[0].Place.Batch, told); err != nil {
				return err
			}
		}
		pulse.Reset(FeedPulse)
	}
}

// hand hands on those of a batch that come after the place, and moves it there.
func (w *walk) hand(id BatchID, told []Told) error {
	for len(told) > 0 && told[0].Place.Compare(w.at) <= 0 && !w.at.IsZero() {
		told = told[1:]
	}
	if id.Compare(w.at.Batch) > 0 {
		w.at = Place{id, 0}
	}
	if len(told) == 0 {
		return nil
	}
	w.at = told[len(told)-1].Place
	return w.fn(told)
}

// over reports whether the feed has ended.
func (h *hub) over() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ended
}
