package telemetry

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// jobStates shows, when somebody scrapes, how jobs stand.
type jobStates struct {
	roster *roster
	now    func() time.Time

	running, stuck, oldest, good, bad, next, expected, timeout *prometheus.Desc
	remaining                                                  *prometheus.Desc // of the replica
}

func newJobStates(c *catalogue, r *roster) *jobStates {
	job := func(name, help, upon string) *prometheus.Desc {
		return c.shown(Info{Name: name, Help: help, Upon: upon, Labels: []string{byJob}})
	}
	return &jobStates{
		roster: r, now: time.Now,
		running: job("solocron_running", "Runs in progress on this replica.", ""),
		stuck:   job("solocron_runs_stuck", "Runs in progress on this replica that should have ended two minutes ago by their timeout; after a day if they have none.", ""),
		oldest: job("solocron_oldest_run_start_timestamp_seconds", "When the run began that has been in progress on this replica for longest.",
			"a run in progress"),
		good: job("solocron_job_last_success_timestamp_seconds", "When a run last succeeded, as far as this replica knows: take the maximum over replicas.",
			"the first success"),
		bad: job("solocron_job_last_failure_timestamp_seconds", "When a run last failed or timed out, as far as this replica knows: take the maximum over replicas.",
			"the first failure"),
		next: job("solocron_job_next_run_timestamp_seconds", "The next scheduled moment.",
			"a schedule that has further moments; a suspended job has none"),
		expected: job("solocron_job_expected_by_timestamp_seconds",
			"By when the next tick that is not decided must have been started, or given up: in the past, no replica does its work. Take the maximum over replicas.",
			"a schedule that has further moments; a suspended job has none"),
		timeout: job("solocron_job_timeout_seconds", "How long one attempt may take.", "a timeout"),
		remaining: c.shown(Info{
			Name: "solocron_lease_remaining_seconds", Help: "Time left of the lease, among those of runs in progress on this replica, that ends first.",
			Upon: "a run in progress",
		}),
	}
}

// Describe sends the descriptions of what Collect may show.
func (j *jobStates) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{j.running, j.stuck, j.oldest, j.good, j.bad, j.next, j.expected, j.timeout, j.remaining} {
		ch <- d
	}
}

// Collect shows how all jobs stand now.
func (j *jobStates) Collect(ch chan<- prometheus.Metric) {
	now := j.now()
	var first abreast
	j.roster.jobs.Range(func(_, value any) bool {
		s := value.(*series)
		a := s.abreast(now)
		if a.leased && (!first.leased || a.remaining < first.remaining) {
			first = a
		}
		j.collect(ch, s, a, now)
		return true
	})
	if first.leased {
		ch <- prometheus.MustNewConstMetric(j.remaining, prometheus.GaugeValue, first.remaining)
	}
}

func (j *jobStates) collect(ch chan<- prometheus.Metric, s *series, a abreast, now time.Time) {
	show := func(d *prometheus.Desc, v float64) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, s.job)
	}
	moment := func(d *prometheus.Desc, ms int64) {
		if ms > 0 {
			show(d, float64(ms)/1000)
		}
	}
	show(j.running, float64(a.running))
	show(j.stuck, float64(a.stuck))
	if !a.oldest.IsZero() {
		moment(j.oldest, a.oldest.UnixMilli())
	}
	if s.job == OtherJobs {
		return
	}
	moment(j.good, s.good.Load())
	moment(j.bad, s.bad.Load())
	about := s.about.Load()
	if about.Timeout > 0 {
		show(j.timeout, about.Timeout.Seconds())
	}
	if about.Times == nil {
		return
	}
	if next := about.Times.Next(now); !next.IsZero() {
		moment(j.next, next.UnixMilli())
	}
	if by := expectedBy(*about, time.UnixMilli(s.reached.Load())); !by.IsZero() {
		moment(j.expected, by.UnixMilli())
	}
}

// expectedBy is by when the first tick after reached must have been decided; zero:
// there is none.
func expectedBy(about Job, reached time.Time) time.Time {
	next := about.Times.Next(reached)
	if next.IsZero() {
		return time.Time{}
	}
	return about.Times.Release(next).Add(about.Deadline)
}
