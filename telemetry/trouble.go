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
}

func newTroubleMetrics() *troubleMetrics {
	return &troubleMetrics{
		breaker: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "solocron_store_breaker_state",
			Help: "Circuit breaker in front of the lease store: 0 closed, 1 half-open, 2 open: claims fail at once.",
		}),
		opened: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "solocron_store_breaker_opened_total",
			Help: "How often the circuit breaker opened, tries in vain not counted.",
		}),
		unfit: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "solocron_replica_unfit",
			Help: "1 while this replica takes no ticks because its clock is beyond clock.maxOffset.",
		}),
		changes: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "solocron_store_changes_total",
			Help: "How often the lease store was found to be another server, one restarted, or in another role.",
		}),
	}
}

func (m *troubleMetrics) all() []prometheus.Collector {
	return []prometheus.Collector{m.breaker, m.opened, m.unfit, m.changes}
}

// BreakerChanged counts a change of the circuit breaker; it fits into breaker.Config.
func (m *Metrics) BreakerChanged(from, to breaker.State) {
	m.trouble.breaker.Set(float64(to))
	if from == breaker.Closed && to == breaker.Open {
		m.trouble.opened.Inc()
	}
}

// SetUnfit says whether this replica takes no ticks because of its clock.
func (m *Metrics) SetUnfit(unfit bool) {
	value := 0.0
	if unfit {
		value = 1
	}
	m.trouble.unfit.Set(value)
}

// StoreChanged counts that the lease store is not the one it was.
func (m *Metrics) StoreChanged() { m.trouble.changes.Inc() }
