package telemetry

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/scheduler"
)

// series is everything that is counted for one job, looked up once.
type series struct {
	job   string
	own   bool // it has histograms of its own
	about atomic.Pointer[Job]

	vec     *prometheus.CounterVec
	ticks   [len(pairs)]atomic.Pointer[prometheus.Counter]
	delay   prometheus.Observer
	took    prometheus.Observer
	lost    prometheus.Counter
	retries prometheus.Counter
	overran prometheus.Counter
	near    prometheus.Counter

	good, bad atomic.Int64 // when a run last succeeded, failed; Unix milliseconds, 0: not known
	reached   atomic.Int64 // the last tick that somebody has decided, or from when on ticks are expected; Unix milliseconds

	mu   sync.Mutex
	runs map[runKey]progress // in progress on this replica
}

// tick returns the counter of the i-th pair, made when it is first wanted: a
// job that only ever succeeds has one series, not twenty.
func (s *series) tick(i int) prometheus.Counter {
	if c := s.ticks[i].Load(); c != nil {
		return *c
	}
	c := s.vec.WithLabelValues(s.job, string(pairs[i].verdict), string(pairs[i].reason))
	s.ticks[i].Store(&c)
	return c
}

// define takes over what is known of the job. A schedule that was not in force
// before expects nothing before now.
func (s *series) define(about Job, now time.Time) {
	old := s.about.Swap(&about)
	if old == nil || momentsOf(old.Times) != momentsOf(about.Times) || s.reached.Load() == 0 {
		s.reached.Store(now.UnixMilli())
	}
}

// momentsOf is a text that tells schedules apart; schedules say so themselves.
func momentsOf(t Times) string {
	if s, ok := t.(interface{ String() string }); ok {
		return s.String()
	}
	return ""
}

// decided notes that somebody has decided t, and with it all ticks before it.
func (s *series) decided(t scheduler.Tick) {
	if t.Manual || t.At.IsZero() || s.job == OtherJobs {
		return
	}
	raise(&s.reached, t.At.UnixMilli())
}

// remember notes when the job last succeeded or failed. A run that was cut short
// by people, by a shutdown or by its lease is neither.
func (s *series) remember(v scheduler.Verdict, at time.Time) {
	switch v {
	case scheduler.Succeeded:
		raise(&s.good, at.UnixMilli())
	case scheduler.Failed, scheduler.TimedOut:
		raise(&s.bad, at.UnixMilli())
	case scheduler.Cancelled, scheduler.Interrupted, scheduler.LeaseLost, scheduler.Skipped, scheduler.Missed:
	}
}

// raise sets v to at least n.
func raise(v *atomic.Int64, n int64) {
	for old := v.Load(); n > old && !v.CompareAndSwap(old, n); old = v.Load() {
	}
}

// nearTimeout is from which share of its timeout on a run counts as near it.
const nearTimeout = 0.8

// over counts the end of an attempt that this replica has run. E may be about one
// that it has found abandoned, or decided without a run.
func (s *series) over(e scheduler.Event) {
	if e.Run.ID == "" || e.Run.Replica != e.Replica {
		return
	}
	s.leave(e)
	s.took.Observe(e.Took.Seconds())
	limit := s.about.Load().Timeout
	if e.Verdict == scheduler.TimedOut || limit > 0 && e.Took.Seconds() >= nearTimeout*limit.Seconds() {
		s.near.Inc()
	}
	if e.Verdict == scheduler.LeaseLost {
		s.lost.Inc()
	}
}
