package telemetry

import (
	"sync"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

const (
	// MaxHistogramJobs is how many jobs have histograms of their own. The jobs
	// seen after that share the series OtherJobs: a hundred thousand jobs with
	// thirty buckets each would be a scrape of three million lines.
	MaxHistogramJobs = 1000

	// OtherJobs is the job_name of the series that many jobs share. No job can
	// have this name.
	OtherJobs = "_other"

	// maxZeroJobs is up to how many jobs Expect makes series.
	maxZeroJobs = 1000
)

// roster is the series of all jobs.
type roster struct {
	vecs  vectors
	jobs  sync.Map              // job name -> *series
	known atomic.Pointer[known] // nil: nobody has said which jobs there are

	mu         sync.Mutex // while series are made or removed
	histograms int        // jobs with histograms of their own
}

// known is what a configuration says of jobs.
type known struct {
	jobs   map[string]Job
	perJob bool // each has series of its own
}

// vectors are the metrics with a series for each job.
type vectors struct {
	ticks   *prometheus.CounterVec
	delay   *prometheus.HistogramVec
	took    *prometheus.HistogramVec
	lost    *prometheus.CounterVec
	retries *prometheus.CounterVec
	overran *prometheus.CounterVec
	near    *prometheus.CounterVec
}

const byJob = "job_name"

func newRoster(c *catalogue) *roster {
	return &roster{vecs: vectors{
		ticks: c.counters(Info{
			Name:   "solocron_ticks_total",
			Help:   "Ticks and requests decided by this replica, by verdict and reason; missed ticks beyond the last few of a job count as one.",
			Labels: []string{byJob, "verdict", "reason"},
			Upon:   "the first verdict of the kind; up to 1,000 jobs, from the start",
		}),
		delay: c.histograms(Info{
			Name:    "solocron_start_delay_seconds",
			Help:    "Time from the scheduled moment of a tick to the first line of its job.",
			Labels:  []string{byJob},
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 15, 60, 300, 900},
		}),
		took: c.histograms(Info{
			Name:    "solocron_run_duration_seconds",
			Help:    "Time a run took, however it ended.",
			Labels:  []string{byJob},
			Buckets: []float64{.01, .05, .1, .5, 1, 5, 15, 60, 300, 900, 3600, 10800, 21600},
		}),
		lost: c.counters(Info{
			Name:   "solocron_leases_lost_total",
			Help:   "Runs of this replica that were stopped because their lease ended.",
			Labels: []string{byJob},
		}),
		retries: c.counters(Info{
			Name:   "solocron_run_retries_total",
			Help:   "Attempts of runs of this replica that failed and were followed by a request for another.",
			Labels: []string{byJob},
		}),
		overran: c.counters(Info{
			Name:   "solocron_run_overruns_total",
			Help:   "Runs of this replica found going on after their lease had ended, counted again each minute that they do.",
			Labels: []string{byJob},
		}),
		near: c.counters(Info{
			Name:   "solocron_runs_near_timeout_total",
			Help:   "Runs of this replica that took four fifths of their timeout or more, those that were ended by it included.",
			Labels: []string{byJob},
		}),
	}}
}

// of returns the series of job.
func (r *roster) of(job string) *series {
	if s, ok := r.jobs.Load(job); ok {
		return s.(*series)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	name, about := r.label(job)
	if s, ok := r.jobs.Load(name); ok {
		return s.(*series)
	}
	s := r.make(name, about)
	r.jobs.Store(name, s)
	return s
}

// label is the job_name that job has, and what is known of it. A job that the
// configuration does not have any more, or whose like are too many, is one of others.
func (r *roster) label(job string) (string, Job) {
	k := r.known.Load()
	if k == nil {
		return job, Job{}
	}
	about, ok := k.jobs[job]
	if !ok || !k.perJob {
		return OtherJobs, Job{}
	}
	return job, about
}

// make makes the series of a job.
func (r *roster) make(job string, about Job) *series {
	histogram, own := job, job != OtherJobs
	if own && r.histograms >= MaxHistogramJobs {
		histogram, own = OtherJobs, false
	}
	if own {
		r.histograms++
	}
	s := &series{
		job: job, own: own, vec: r.vecs.ticks,
		delay:   r.vecs.delay.WithLabelValues(histogram),
		took:    r.vecs.took.WithLabelValues(histogram),
		lost:    r.vecs.lost.WithLabelValues(job),
		retries: r.vecs.retries.WithLabelValues(job),
		overran: r.vecs.overran.WithLabelValues(job),
		near:    r.vecs.near.WithLabelValues(job),
	}
	s.about.Store(&about)
	return s
}

// remove takes the series of a job away; r.mu is held.
func (r *roster) remove(s *series) {
	r.jobs.Delete(s.job)
	which := prometheus.Labels{byJob: s.job}
	for i := range s.ticks {
		if s.ticks[i].Load() != nil {
			r.vecs.ticks.DeleteLabelValues(s.job, string(pairs[i].verdict), string(pairs[i].reason))
		}
	}
	for _, v := range []*prometheus.CounterVec{r.vecs.lost, r.vecs.retries, r.vecs.overran, r.vecs.near} {
		v.Delete(which)
	}
	if s.own {
		r.histograms--
		r.vecs.delay.Delete(which)
		r.vecs.took.Delete(which)
	}
}

// expect makes all series of the named jobs at zero.
func (r *roster) expect(jobs []string) {
	if len(jobs) > maxZeroJobs {
		return
	}
	for _, job := range jobs {
		s := r.of(job)
		for i := range s.ticks {
			s.tick(i)
		}
	}
}
