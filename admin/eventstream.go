package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/solocron/solocron/journal"
)

// resetPause is about how long a stream waits before it begins anew, each another
// time: they all must when the store has lost its data.
const resetPause = time.Second

// stream is one answer with what happens.
type stream struct {
	api  *API
	pen  *pen
	want interest
	at   journal.Place // up to here all was said, or is of no interest
}

// open begins the answer: with a snapshot, unless the client knows where to go on.
// Alone is for a client that wants to know only whether there would be one.
func (s *stream) open(ctx context.Context, alone bool) error {
	if s.at.IsZero() && !alone {
		if s.want.lost {
			s.pen.event("reset", "", []byte(`{"reason":"unknown-id"}`))
		}
		if err := s.snapshot(ctx, time.Time{}); err != nil {
			return err
		}
	}
	s.pen.begin()
	if alone {
		return nil
	}
	_ = s.pen.flush() // what is wrong is wrong with the next piece, too
	return nil
}

// run says what happens until ctx ends, the client is too slow, or the feed has
// ended.
func (s *stream) run(ctx context.Context) {
	for {
		err := s.api.Memory.Feed.Follow(ctx, s.at, s.take)
		if !errors.Is(err, journal.ErrFeedGap) {
			s.bye(ctx, err)
			return
		}
		if !s.restart(ctx) {
			return
		}
	}
}

// take says what of told is of interest, and that the stream is alive when there
// was nothing for long. The comment moves the place, so that a client that hears
// little need not begin anew when it comes back.
func (s *stream) take(told []journal.Told) error {
	for i := range told {
		if one := &told[i]; s.want.wants(&one.Happening) {
			s.pen.event(string(one.Topic), one.Place.String(), one.Text)
		}
		s.at = told[i].Place
	}
	if s.pen.empty() {
		if s.pen.quiet() < heartbeat {
			return nil
		}
		s.pen.comment("alive", s.at.String())
	}
	return s.pen.flush()
}

// restart has the client forget what it knows, and begins anew; false if that was
// not possible: it will come back.
func (s *stream) restart(ctx context.Context) bool {
	found := time.Now()
	pause(ctx, resetPause/2+rand.N(resetPause))
	s.pen.event("reset", "", []byte(`{"reason":"gap"}`))
	if ctx.Err() != nil || s.snapshot(ctx, found) != nil {
		_ = s.pen.flush()
		return false
	}
	return s.pen.flush() == nil
}

// snapshot says how things stand, as seen after a moment.
func (s *stream) snapshot(ctx context.Context, after time.Time) error {
	p, err := s.api.picture(ctx, after)
	if err != nil {
		return err
	}
	body, err := json.Marshal(p.of(&s.want))
	if err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	s.at = p.place
	s.pen.event("snapshot", p.place.String(), body)
	return nil
}

// bye says why the stream ends, if anybody is there to hear it.
func (s *stream) bye(ctx context.Context, why error) {
	if cause := context.Cause(ctx); cause != nil {
		why = cause
	}
	reason := ""
	switch {
	case errors.Is(why, errDraining), errors.Is(why, journal.ErrFeedEnded):
		reason = errDraining.Error()
	case errors.Is(why, errStreamOver):
		reason = errStreamOver.Error()
	case errors.Is(why, journal.ErrFeedSlow):
		reason = "slow"
	default: // the client is gone
		return
	}
	s.pen.hurry()
	s.pen.event("bye", "", []byte(`{"reason":"`+reason+`"}`))
	_ = s.pen.flush()
}

// pause waits, unless ctx ends first.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
