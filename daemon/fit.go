package daemon

import (
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/solocron/solocron/telemetry"
)

// fitness says whether the clock of this replica is right enough to take ticks.
type fitness struct {
	most    time.Duration // what the clock may be off
	metrics *telemetry.Metrics
	log     *slog.Logger

	mu    sync.Mutex
	unfit bool // at the last look
}

// Fit returns nil while this replica may take ticks. Otherwise the error says how
// far its clock is from the store's. It asks nobody.
func (f *fitness) Fit() error {
	if f.metrics == nil || f.most <= 0 {
		return nil // nothing is measured, or nothing asked for
	}
	ahead, _ := f.metrics.ClockError() // 0 before the first reading
	err := judgeClock(ahead, f.most)
	f.mu.Lock()
	defer f.mu.Unlock()
	if unfit := err != nil; unfit != f.unfit {
		f.unfit = unfit
		f.metrics.SetUnfit(unfit)
		if unfit {
			f.log.Error("this replica takes no ticks until its clock is right", "err", err)
		} else {
			f.log.Info("the clock is right again; this replica takes ticks")
		}
	}
	return err
}

// judgeClock compares what the store's clock is ahead for sure with what it may be.
func judgeClock(ahead, most time.Duration) error {
	if ahead.Abs() <= most {
		return nil
	}
	where := "behind"
	if ahead < 0 {
		where = "ahead of"
	}
	return fmt.Errorf("clock: this machine's is %s %s the lease store's, more than clock.maxOffset %s; set both by NTP",
		ahead.Abs().Round(time.Millisecond), where, most)
}
