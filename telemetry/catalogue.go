package telemetry

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// Info describes one metric, for documents, rules and dashboards.
type Info struct {
	Name    string
	Type    string   // counter, gauge, histogram
	Help    string   // what it says, in a sentence
	Labels  []string // in the order of their values; none of them is open-ended
	Buckets []float64
	Upon    string // what must have happened before there is a series; "": there is one from the start
}

// catalogue makes metrics, registers them, and remembers what it made.
type catalogue struct {
	reg  prometheus.Registerer
	list []Info
}

func (c *catalogue) note(i Info, kind string) Info {
	i.Type = kind
	c.list = append(c.list, i)
	return i
}

func (c *catalogue) counter(i Info) prometheus.Counter {
	return c.counters(i).WithLabelValues()
}

func (c *catalogue) counters(i Info) *prometheus.CounterVec {
	i = c.note(i, "counter")
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: i.Name, Help: i.Help}, i.Labels)
	c.reg.MustRegister(v)
	return v
}

func (c *catalogue) gauge(i Info) prometheus.Gauge {
	return c.gauges(i).WithLabelValues()
}

func (c *catalogue) gauges(i Info) *prometheus.GaugeVec {
	i = c.note(i, "gauge")
	v := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: i.Name, Help: i.Help}, i.Labels)
	c.reg.MustRegister(v)
	return v
}

func (c *catalogue) histograms(i Info) *prometheus.HistogramVec {
	i = c.note(i, "histogram")
	v := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: i.Name, Help: i.Help, Buckets: i.Buckets}, i.Labels)
	c.reg.MustRegister(v)
	return v
}

// shown is a gauge whose value is found when somebody scrapes.
func (c *catalogue) shown(i Info) *prometheus.Desc {
	i = c.note(i, "gauge")
	return prometheus.NewDesc(i.Name, i.Help, i.Labels, nil)
}

// Catalogue describes all metrics of m, in the order of their names.
func (m *Metrics) Catalogue() []Info {
	list := slices.Clone(m.infos)
	slices.SortFunc(list, func(a, b Info) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return list
}
