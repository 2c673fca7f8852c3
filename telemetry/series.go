package telemetry

import (
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/scheduler"
)

// pair is one way for a tick to end, as the labels of ticks_total say it.
type pair struct {
	verdict scheduler.Verdict
	reason  scheduler.Reason
}

// reasonOther stands for a reason this package does not know, so that the set
// of label values stays closed whatever an engine says.
const reasonOther scheduler.Reason = "other"

// pairs is the closed set. The last entry is for everything else.
var pairs = [...]pair{
	{scheduler.Succeeded, scheduler.ReasonNone},
	{scheduler.Failed, scheduler.ReasonNone},
	{scheduler.Failed, scheduler.ReasonPanic},
	{scheduler.TimedOut, scheduler.ReasonNone},
	{scheduler.Cancelled, scheduler.ReasonNone},
	{scheduler.Cancelled, scheduler.ReasonReplaced},
	{scheduler.Interrupted, scheduler.ReasonNone},
	{scheduler.LeaseLost, scheduler.ReasonNone},
	{scheduler.LeaseLost, scheduler.ReasonCrash},
	{scheduler.Skipped, scheduler.ReasonOverlap},
	{scheduler.Skipped, scheduler.ReasonPaused},
	{scheduler.Skipped, scheduler.ReasonExcluded},
	{scheduler.Skipped, scheduler.ReasonSuperseded},
	{scheduler.Skipped, scheduler.ReasonShadow},
	{scheduler.Missed, scheduler.ReasonDeadline},
	{scheduler.Missed, scheduler.ReasonStore},
	{scheduler.Missed, scheduler.ReasonUnreplicated},
	{scheduler.Missed, scheduler.ReasonCatchup},
	{scheduler.Missed, scheduler.ReasonDependency},
	{scheduler.Missed, scheduler.ReasonUnrecorded},
	{"other", reasonOther},
}

// pairOf returns the index in pairs of a verdict and its reason.
func pairOf(v scheduler.Verdict, r scheduler.Reason) int {
	for i, p := range pairs {
		if p.verdict == v && p.reason == r {
			return i
		}
	}
	return len(pairs) - 1
}

// series is everything that is counted for one job, looked up once.
type series struct {
	job     string
	vec     *prometheus.CounterVec
	ticks   [len(pairs)]atomic.Pointer[prometheus.Counter]
	delay   prometheus.Observer
	took    prometheus.Observer
	running prometheus.Gauge
	lost    prometheus.Counter
	retries prometheus.Counter
	overran prometheus.Counter
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

// of returns the series of job.
func (m *Metrics) of(job string) *series {
	if s, ok := m.jobs.Load(job); ok {
		return s.(*series)
	}
	histogram := job
	if m.count.Add(1) > MaxHistogramJobs {
		histogram = OtherJobs
	}
	s := &series{
		job: job, vec: m.ticks,
		delay:   m.delay.WithLabelValues(histogram),
		took:    m.took.WithLabelValues(histogram),
		running: m.running.WithLabelValues(job),
		lost:    m.lost.WithLabelValues(job),
		retries: m.retries.WithLabelValues(job),
		overran: m.overran.WithLabelValues(job),
	}
	known, _ := m.jobs.LoadOrStore(job, s)
	return known.(*series)
}
