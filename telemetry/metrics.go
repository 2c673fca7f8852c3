package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/scheduler"
)

// Metrics counts events. It is a [scheduler.Observer], and safe for use by
// many goroutines: after the first event of a job the path of an event is one
// map read and a few atomic additions.
//
// [Metrics.Configure] tells it which jobs there are, [Metrics.Watch] looks after
// what is no event. Without them what they would say has no series.
type Metrics struct {
	infos   []Info
	roster  *roster
	store   *storeMetrics
	journal *journalMetrics
	trouble *troubleMetrics
	config  *configMetrics
	watch   *watchMetrics
}

// NewMetrics registers the metrics of a replica with reg. It panics when they
// are registered already: use a registry, or a [Labelled] one, for each replica.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	c := &catalogue{reg: reg}
	b := ReadBuild()
	c.gauges(Info{
		Name: "solocron_build_info", Help: "Always 1; the labels say which program this is.",
		Labels: []string{"version", "revision", "goversion"},
	}).WithLabelValues(b.Version, b.Revision, b.Go).Set(1)
	m := &Metrics{
		roster:  newRoster(c),
		store:   newStoreMetrics(c),
		journal: newJournalMetrics(c),
		trouble: newTroubleMetrics(c),
		config:  newConfigMetrics(c),
		watch:   newWatchMetrics(c),
	}
	reg.MustRegister(newJobStates(c, m.roster), newStoreStates(c, m.store), newConfigStates(c, m.config))
	m.infos = c.list
	return m
}

// Observe counts e.
func (m *Metrics) Observe(e scheduler.Event) {
	if e.Tick.Job == "" {
		return // of no job
	}
	switch e.Phase {
	case scheduler.Started:
		s := m.roster.of(e.Tick.Job)
		s.enter(e)
		s.decided(e.Tick)
		if !e.Tick.Manual {
			s.delay.Observe(e.Delay.Seconds())
		}
	case scheduler.Retried:
		s := m.roster.of(e.Tick.Job)
		s.retries.Inc()
		s.over(e)
	case scheduler.Overran:
		m.roster.of(e.Tick.Job).overran.Inc()
	case scheduler.Ended:
		s := m.roster.of(e.Tick.Job)
		s.decided(e.Tick)
		if !e.Echo { // else another replica speaks for the tick, and counts it
			s.tick(pairOf(e.Verdict, e.Reason)).Inc()
			s.remember(e.Verdict, e.At)
		}
		s.over(e)
	case scheduler.Yielded:
		m.roster.of(e.Tick.Job).decided(e.Tick)
	case scheduler.Waiting, scheduler.Output, scheduler.Noted:
		// Waiting shows in the lease operations.
	}
}
