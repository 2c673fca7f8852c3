package telemetry

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/scheduler"
)

const (
	watchEvery = 15 * time.Second // about how often Prometheus scrapes
	watchTry   = 3 * time.Second
	watchLimit = 1000 // of each that is counted

	beatEvery = time.Second
)

// Sources is what Watch asks. What is nil is not asked, and says nothing.
type Sources struct {
	Queued  func(ctx context.Context, limit int) ([]scheduler.Request, error)                 // requests that nobody has begun
	Letters func(ctx context.Context, limit int) ([]scheduler.Row, error)                     // runs that nobody will try again
	Past    func(ctx context.Context, job string, q scheduler.Query) ([]scheduler.Row, error) // rows of a job, newest first
	Live    func() []string                                                                   // replicas that live
	Ready   func() error                                                                      // nil while this replica can run jobs
}

// watchMetrics is what is no event, and found by asking now and then.
type watchMetrics struct {
	queued  prometheus.Gauge
	waited  prometheus.Gauge
	letters prometheus.Gauge
	live    prometheus.Gauge
	ready   prometheus.Gauge
	lag     prometheus.Gauge
	up      *prometheus.GaugeVec // without a series until it is known
}

func newWatchMetrics(c *catalogue) *watchMetrics {
	return &watchMetrics{
		queued: c.gauge(Info{
			Name: "solocron_requests_queued", Help: "Requests in the journal that nobody has begun, due or not, counted to 1,000; every replica says the same.",
		}),
		waited: c.gauge(Info{
			Name: "solocron_request_oldest_wait_seconds", Help: "How long the request has waited that has been due for longest; every replica says the same.",
		}),
		letters: c.gauge(Info{
			Name: "solocron_dead_letters", Help: "Runs whose attempts are exhausted and that nobody has acknowledged, counted to 1,000; every replica says the same.",
		}),
		live: c.gauge(Info{Name: "solocron_replicas_live", Help: "Replicas that live, as this one sees it."}),
		ready: c.gauge(Info{
			Name: "solocron_replica_ready", Help: "1 while this replica can run jobs.",
		}),
		lag: c.gauge(Info{
			Name: "solocron_timer_lag_seconds",
			Help: "How late a timer of this process fired at most in the last 15 seconds: what every tick of it is late at least. High: it gets too little processor time, or was frozen.",
		}),
		up: c.gauges(Info{
			Name: "solocron_journal_up", Help: "1 if the journal answered this replica the last time it was asked, else 0.",
			Upon: "the first question to the journal",
		}),
	}
}

// Watch looks after what is no event until ctx ends. First it reads when jobs last
// succeeded and failed, which a replica that has just begun does not know.
func (m *Metrics) Watch(ctx context.Context, s Sources) {
	var beating sync.WaitGroup
	beating.Go(func() { m.watch.beat(ctx) })
	defer beating.Wait()
	recalling := s.Past != nil
	for {
		m.watch.look(ctx, s)
		if recalling {
			recalling = m.recall(ctx, s.Past) != nil
		}
		if !pause(ctx, watchEvery) {
			return
		}
	}
}

// look asks everything once.
func (w *watchMetrics) look(ctx context.Context, s Sources) {
	ctx, cancel := context.WithTimeout(ctx, watchTry)
	defer cancel()
	var mute error
	if s.Queued != nil {
		list, err := s.Queued(ctx, watchLimit)
		if mute = err; err == nil {
			w.queued.Set(float64(len(list)))
			w.waited.Set(longestWait(list, time.Now()).Seconds())
		}
	}
	if s.Letters != nil && mute == nil {
		list, err := s.Letters(ctx, watchLimit)
		if mute = err; err == nil {
			w.letters.Set(float64(len(list)))
		}
	}
	if s.Queued != nil || s.Letters != nil {
		w.up.WithLabelValues().Set(number(mute == nil))
	}
	if s.Live != nil {
		w.live.Set(float64(len(s.Live())))
	}
	if s.Ready != nil {
		w.ready.Set(number(s.Ready() == nil))
	}
}

// longestWait is how long the request has been due that has been for longest.
func longestWait(list []scheduler.Request, now time.Time) time.Duration {
	var longest time.Duration
	for i := range list {
		due := list[i].NotBefore
		if due.Before(list[i].Made) {
			due = list[i].Made
		}
		longest = max(longest, now.Sub(due))
	}
	return longest
}

// beat measures how late a timer fires, until ctx ends.
func (w *watchMetrics) beat(ctx context.Context) {
	const beats = int(watchEvery / beatEvery)
	var late [beats]time.Duration
	for i := 0; ; i = (i + 1) % beats {
		began := time.Now()
		if !pause(ctx, beatEvery) {
			return
		}
		late[i] = max(time.Since(began)-beatEvery, 0)
		var most time.Duration
		for _, d := range late {
			most = max(most, d)
		}
		w.lag.Set(most.Seconds())
	}
}

// pause waits for d; false if ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
