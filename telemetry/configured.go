package telemetry

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/config"
)

// The results of reading a configuration.
const (
	loadOK       = "ok"
	loadRejected = "rejected"
)

// configMetrics is what is known of the configuration in force.
type configMetrics struct {
	loads *prometheus.CounterVec

	mu       sync.Mutex
	revision string // "": none is in force
	jobs     int
	at       time.Time // when it came into force
	refused  bool      // the last one that was read was not taken
}

func newConfigMetrics(c *catalogue) *configMetrics {
	m := &configMetrics{loads: c.counters(Info{
		Name: "solocron_config_loads_total", Help: "Configurations that this replica has read, and whether it took them over.", Labels: []string{"result"},
	})}
	for _, result := range []string{loadOK, loadRejected} {
		m.loads.WithLabelValues(result)
	}
	return m
}

// Configure says which configuration is in force from now on: at the start, and
// after each reload that was taken over. Series of jobs that it does not have go.
func (m *Metrics) Configure(cfg *config.Config) {
	m.Jobs(jobsOf(cfg), cfg.Metrics.PerJob.For(len(cfg.Jobs)))
	c := m.config
	c.loads.WithLabelValues(loadOK).Inc()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.revision, c.jobs, c.at, c.refused = cfg.Revision, len(cfg.Jobs), time.Now(), false
}

// ConfigRejected says that a configuration was read and cannot be taken: the one
// before stays in force.
func (m *Metrics) ConfigRejected() {
	m.config.loads.WithLabelValues(loadRejected).Inc()
	m.config.mu.Lock()
	defer m.config.mu.Unlock()
	m.config.refused = true
}

// configStates shows, when somebody scrapes, which configuration is in force.
type configStates struct {
	config             *configMetrics
	info, jobs, at, ok *prometheus.Desc
}

func newConfigStates(c *catalogue, m *configMetrics) *configStates {
	const upon = "the first configuration"
	return &configStates{
		config: m,
		info: c.shown(Info{
			Name: "solocron_config_info", Help: "Always 1; revision is that of the file in force: replicas that differ in it have different files.",
			Labels: []string{"revision"}, Upon: upon,
		}),
		jobs: c.shown(Info{Name: "solocron_config_jobs", Help: "Jobs in the configuration in force.", Upon: upon}),
		at:   c.shown(Info{Name: "solocron_config_last_reload_timestamp_seconds", Help: "When the configuration in force was taken over.", Upon: upon}),
		ok:   c.shown(Info{Name: "solocron_config_last_reload_successful", Help: "0 while the file that was read last could not be taken over, else 1.", Upon: upon}),
	}
}

// Describe sends the descriptions of what Collect may show.
func (s *configStates) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{s.info, s.jobs, s.at, s.ok} {
		ch <- d
	}
}

// Collect shows which configuration is in force now.
func (s *configStates) Collect(ch chan<- prometheus.Metric) {
	c := s.config
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.revision == "" {
		return
	}
	ch <- prometheus.MustNewConstMetric(s.info, prometheus.GaugeValue, 1, c.revision)
	ch <- prometheus.MustNewConstMetric(s.jobs, prometheus.GaugeValue, float64(c.jobs))
	ch <- prometheus.MustNewConstMetric(s.at, prometheus.GaugeValue, float64(c.at.UnixMilli())/1000)
	ch <- prometheus.MustNewConstMetric(s.ok, prometheus.GaugeValue, number(!c.refused))
}
