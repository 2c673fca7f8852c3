package daemon

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/solocron/solocron/election"
)

const (
	checkTimeout = 2 * time.Second
	checkEvery   = 5 * time.Second // once it has answered
	sayEvery     = 5 * time.Second // that it has not answered yet
)

// awaitPause is between two questions to a store that has never answered.
var awaitPause = election.Backoff{First: 250 * time.Millisecond, Max: 5 * time.Second}

// sentry keeps the health of a replica up to date by asking its store.
type sentry struct {
	store  Store
	health *health
	fit    *fitness
	log    *slog.Logger
}

// timed is a store whose clock can be read.
type timed interface {
	Clock(ctx context.Context) (time.Time, error)
}

// readClock reads the store's clock: a replica that takes no ticks hears nothing
// of it otherwise, and could never know that its own is right again.
func (s *sentry) readClock(ctx context.Context) {
	t, ok := s.store.(timed)
	if !ok || s.fit.metrics == nil {
		return
	}
	asking, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	asked := time.Now()
	if now, err := t.Clock(asking); err == nil { // else the next check says so
		s.fit.metrics.NoteClock(asked, now)
		_ = s.fit.Fit() // it says so itself
	}
}

// await asks the store until it gives a good answer, and says every few
// seconds that it does not; false if ctx ended first.
func (s *sentry) await(ctx context.Context) bool {
	var said time.Time
	for tries := 1; ; tries++ {
		_, err := s.check(ctx)
		if err == nil {
			s.log.Info("lease store answers", "tries", tries)
			return true
		}
		pause := awaitPause.Pause(tries, rand.Float64())
		if ctx.Err() == nil && time.Since(said) >= sayEvery {
			said = time.Now()
			s.log.Warn("waiting for the lease store; nothing runs until it answers",
				"err", err, "tries", tries, "retry", pause.Round(time.Millisecond).String())
		}
		if !sleep(ctx, pause) {
			return false
		}
	}
}

// watch checks the store until ctx ends, and says when it goes away and when
// it is back.
func (s *sentry) watch(ctx context.Context) {
	for sleep(ctx, checkEvery) {
		changed, err := s.check(ctx)
		switch {
		case !changed:
		case err != nil:
			s.log.Warn("lease store does not answer as it should", "err", err)
		default:
			s.log.Info("lease store answers again")
		}
	}
}

// check asks the store once. Changed says that its answer differs in kind from
// the one before; then its warnings are logged too.
func (s *sentry) check(ctx context.Context) (changed bool, err error) {
	asking, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	warnings, err := s.store.Check(asking)
	if ctx.Err() != nil {
		return false, context.Cause(ctx) // an answer cut short says nothing of the store
	}
	if err == nil {
		s.readClock(ctx)
	}
	changed = s.health.checked(err)
	if s.fit.metrics != nil {
		s.fit.metrics.StoreChecked(err)
	}
	if changed {
		for _, w := range warnings {
			s.log.Warn("lease store", "warning", w)
		}
	}
	return changed, err
}

// sleep waits for pause; false if ctx ended first.
func sleep(ctx context.Context, pause time.Duration) bool {
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
