package telemetry

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// scrapeLimit is how many scrapes are served at once, and scrapeTimeout how
// long one may gather, so that scrapes cannot crowd out the work.
const (
	scrapeLimit   = 4
	scrapeTimeout = 20 * time.Second
)

// NewRegistry returns a registry of its own with the metrics of the Go runtime
// and the process. The global registry of Prometheus is never used.
func NewRegistry() *prometheus.Registry {
	reg := prometheus.NewRegistry()
	reg.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return reg
}

// Labelled returns reg with one constant label on every metric registered
// through it, for several replicas in one process.
func Labelled(reg prometheus.Registerer, label, value string) prometheus.Registerer {
	return prometheus.WrapRegistererWith(prometheus.Labels{label: value}, reg)
}

// Handler serves what g gathers, in the format the scraper asks for.
func Handler(g prometheus.Gatherer) http.Handler {
	return promhttp.HandlerFor(g, promhttp.HandlerOpts{
		MaxRequestsInFlight: scrapeLimit,
		Timeout:             scrapeTimeout,
		EnableOpenMetrics:   true,
	})
}
