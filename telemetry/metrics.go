package telemetry

import (
	"sync"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/scheduler"
)

const (
	// MaxHistogramJobs is how many jobs have histograms of their own. The jobs
	// seen after that share the series OtherJobs: a hundred thousand jobs with
	// thirty buckets each would be a scrape of three million lines.
	MaxHistogramJobs = 1000

	// OtherJobs is the job_name of the histograms that many jobs share. No job
	// can have this name.
	OtherJobs = "_other"

	// maxZeroJobs is up to how many jobs Expect makes series.
	maxZeroJobs = 1000
)

// Metrics counts events. It is a [scheduler.Observer], and safe for use by
// many goroutines: after the first event of a job the path of an event is one
// map read and a few atomic additions.
type Metrics struct {
	ticks   *prometheus.CounterVec
	delay   *prometheus.HistogramVec
	took    *prometheus.HistogramVec
	running *prometheus.GaugeVec
	lost    *prometheus.CounterVec
	retries *prometheus.CounterVec
	overran *prometheus.CounterVec
	store   *storeMetrics
	trouble *troubleMetrics

	jobs  sync.Map // job name -> *series
	count atomic.Int64
}

// NewMetrics registers the metrics of a replica with reg. It panics when they
// are registered already: use a registry, or a [Labelled] one, for each replica.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	m := &Metrics{
		ticks: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "solocron_ticks_total",
			Help: "Ticks and requests decided by this replica, by verdict and reason; missed ticks beyond the last few of a job count as one.",
		}, []string{"job_name", "verdict", "reason"}),
		delay: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "solocron_start_delay_seconds",
			Help:    "Time from the scheduled moment of a tick to the first line of its job.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 15, 60, 300, 900},
		}, []string{"job_name"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "solocron_run_duration_seconds",
			Help:    "Time a run took, however it ended.",
			Buckets: []float64{.01, .05, .1, .5, 1, 5, 15, 60, 300, 900, 3600, 10800, 21600},
		}, []string{"job_name"}),
		running: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "solocron_running",
			Help: "Runs in progress on this replica.",
		}, []string{"job_name"}),
		lost: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "solocron_leases_lost_total",
			Help: "Runs of this replica that were stopped because their lease ended.",
		}, []string{"job_name"}),
		retries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "solocron_run_retries_total",
			Help: "Attempts of runs of this replica that failed and were followed by a request for another.",
		}, []string{"job_name"}),
		overran: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "solocron_run_overruns_total",
			Help: "Runs of this replica found going on after their lease had ended, counted again each minute that they do.",
		}, []string{"job_name"}),
		store:   newStoreMetrics(),
		trouble: newTroubleMetrics(),
	}
	reg.MustRegister(m.ticks, m.delay, m.took, m.running, m.lost, m.retries, m.overran, buildInfo(ReadBuild()))
	reg.MustRegister(m.store.all()...)
	reg.MustRegister(m.trouble.all()...)
	return m
}

func buildInfo(b Build) prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "solocron_build_info",
		Help:        "Always 1; the labels say which program this is.",
		ConstLabels: prometheus.Labels{"version": b.Version, "revision": b.Revision, "goversion": b.Go},
	})
	g.Set(1)
	return g
}

// Expect makes the series of the named jobs at zero, so that a rate over the
// first event is right. With more than a thousand jobs it does nothing: each
// job's series then appear with its first event.
func (m *Metrics) Expect(jobs []string) {
	if len(jobs) > maxZeroJobs {
		return
	}
	for _, job := range jobs {
		s := m.of(job)
		for i := range s.ticks {
			s.tick(i)
		}
	}
}

// Observe counts e.
func (m *Metrics) Observe(e scheduler.Event) {
	switch e.Phase {
	case scheduler.Started:
		s := m.of(e.Tick.Job)
		s.running.Inc()
		if !e.Tick.Manual {
			s.delay.Observe(e.Delay.Seconds())
		}
	case scheduler.Retried:
		s := m.of(e.Tick.Job)
		s.retries.Inc()
		s.over(e)
	case scheduler.Overran:
		m.of(e.Tick.Job).overran.Inc()
	case scheduler.Ended:
		s := m.of(e.Tick.Job)
		if !e.Echo { // else another replica speaks for the tick, and counts it
			s.tick(pairOf(e.Verdict, e.Reason)).Inc()
		}
		s.over(e)
	case scheduler.Yielded, scheduler.Waiting, scheduler.Output, scheduler.Noted:
		// What another replica has it counts itself; waiting shows in the lease operations.
	}
}

// over counts the end of an attempt that this replica has run. E may be about one
// that it has found abandoned, or decided without a run.
func (s *series) over(e scheduler.Event) {
	if e.Run.ID == "" || e.Run.Replica != e.Replica {
		return
	}
	s.running.Dec()
	s.took.Observe(e.Took.Seconds())
	if e.Verdict == scheduler.LeaseLost {
		s.lost.Inc()
	}
}
