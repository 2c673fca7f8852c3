package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/election/breaker"
)

// troubleMetrics is what is counted of a replica or a store in trouble.
type troubleMetrics struct {
	breaker prometheus.Gauge
	opened  prometheus.Counter
	unfit   prometheus.Gauge
	changes prometheus.Counter
	told    *prometheus.CounterVec
}

// The outcomes of a notification.
const (
	NoticeSent    = "sent"
	NoticeFailed  = "failed"  // a try: another follows, unless the message is dropped
	NoticeDropped = "dropped" // refused, too old, or one of too many
)

func newTroubleMetrics(c *catalogue) *troubleMetrics {
	m := &troubleMetrics{
		breaker: c.gauge(Info{
			Name: "solocron_store_breaker_state",
			Help: "Circuit breaker in front of the lease store: 0 closed, 1 half-open, 2 open: claims fail at once.",
		}),
		opened: c.counter(Info{
			Name: "solocron_store_breaker_opened_total",
			Help: "How often the circuit breaker opened, tries in vain not counted.",
		}),
		unfit: c.gauge(Info{
			Name: "solocron_replica_unfit",
			Help: "1 while this replica takes no ticks because its clock is beyond clock.maxOffset.",
		}),
		changes: c.counter(Info{
			Name: "solocron_store_changes_total",
			Help: "How often the lease store was found to be another server, one restarted, or in another role.",
		}),
		told: c.counters(Info{
			Name: "solocron_notifications_total", Help: "Notifications of this replica, by what became of them.", Labels: []string{"outcome"},
		}),
	}
	for _, outcome := range []string{NoticeSent, NoticeFailed, NoticeDropped} {
		m.told.WithLabelValues(outcome)
	}
	return m
}

// BreakerChanged counts a change of the circuit breaker; it fits into breaker.Config.
func (m *Metrics) BreakerChanged(from, to breaker.State) {
	m.trouble.breaker.Set(float64(to))
	if from == breaker.Closed && to == breaker.Open {
		m.trouble.opened.Inc()
	}
}

// SetUnfit says whether this replica takes no ticks because of its clock.
func (m *Metrics) SetUnfit(unfit bool) { m.trouble.unfit.Set(number(unfit)) }

// StoreChanged counts that the lease store is not the one it was.
func (m *Metrics) StoreChanged() { m.trouble.changes.Inc() }

// Notified counts a notification by its outcome; one that is none of the three
// counts as failed.
func (m *Metrics) Notified(outcome string) {
	switch outcome {
	case NoticeSent, NoticeDropped:
	default:
		outcome = NoticeFailed
	}
	m.trouble.told.WithLabelValues(outcome).Inc()
}
