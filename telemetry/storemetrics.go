package telemetry

import (
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/election"
)

// op is a method of a Store.
type op int

const (
	opClaim op = iota
	opStart
	opRenew
	opRelease
	opCount
)

var opNames = [opCount]string{"claim", "start", "renew", "release"}

// word is an answer as the label says it.
type word int

const (
	wordUnknown word = iota // nobody knows whether the store acted
	wordNotApplied
	wordRefused // the caller's values are out of range
	wordGranted
	wordHeld
	wordSkipped
	wordSpent
	wordClosed
	wordSuperseded
	wordEarly
	wordDelayed
	wordQuarantine
	wordMissed
	wordGood
	wordReinstated
	wordLapsed
	wordLost
	wordAlreadyReleased
	wordCount
)

var wordNames = [wordCount]string{
	"unknown", "not_applied", "refused",
	"granted", "held", "skipped", "spent", "closed", "superseded", "early", "delayed", "quarantine", "missed",
	"good", "reinstated", "lapsed", "lost", "already_released",
}

// claimWords and holdWords are indexed by election's answers and standings.
var (
	claimWords = [...]word{
		election.Granted:    wordGranted,
		election.Held:       wordHeld,
		election.Skipped:    wordSkipped,
		election.Spent:      wordSpent,
		election.Closed:     wordClosed,
		election.Superseded: wordSuperseded,
		election.Early:      wordEarly,
		election.Delayed:    wordDelayed,
		election.Quarantine: wordQuarantine,
		election.Missed:     wordMissed,
	}
	holdWords = [...]word{
		election.Good:            wordGood,
		election.Reinstated:      wordReinstated,
		election.Lapsed:          wordLapsed,
		election.Lost:            wordLost,
		election.AlreadyReleased: wordAlreadyReleased,
	}
)

// storeMetrics is what is counted of a Store, with every label looked up once.
type storeMetrics struct {
	operations *prometheus.CounterVec
	durations  *prometheus.HistogramVec
	renewals   prometheus.Counter
	releases   prometheus.Counter
	offset     prometheus.Gauge
	errors     *prometheus.CounterVec

	answers [opCount][wordCount]prometheus.Counter
	latency [opCount]prometheus.Observer
	ahead   atomic.Int64 // what offset was last set to, in nanoseconds

	readings readings
	standing standing
}

func newStoreMetrics(c *catalogue) *storeMetrics {
	m := &storeMetrics{
		operations: c.counters(Info{
			Name:   "solocron_lease_operations_total",
			Help:   "Items of calls to the lease store, by what the store answered.",
			Labels: []string{"op", "answer"},
		}),
		durations: c.histograms(Info{
			Name:    "solocron_lease_operation_duration_seconds",
			Help:    "Time one call to the lease store took; a call carries many items.",
			Labels:  []string{"op"},
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}),
		renewals: c.counter(Info{
			Name: "solocron_lease_renewals_failed_total",
			Help: "Renewals that did not extend their lease, each try counted.",
		}),
		releases: c.counter(Info{
			Name: "solocron_lease_abnormal_releases_total",
			Help: "Releases that came too late or got no answer; one that came too late is evidence of two runs at once.",
		}),
		offset: c.gauge(Info{
			Name: "solocron_clock_offset_seconds",
			Help: "The lease store's clock minus this machine's, at the middle of the last call.",
		}),
		errors: c.counters(Info{
			Name:   "solocron_store_errors_total",
			Help:   "Calls to the lease store of which an item got no answer, by what was the matter.",
			Labels: []string{"class"},
		}),
	}
	for _, class := range classes() {
		m.errors.WithLabelValues(class)
	}
	for o := range opCount {
		m.latency[o] = m.durations.WithLabelValues(opNames[o])
		for _, w := range wordsOf(o) {
			m.answers[o][w] = m.operations.WithLabelValues(opNames[o], wordNames[w])
		}
	}
	return m
}

// wordsOf lists what can be answered to o.
func wordsOf(o op) []word {
	words := []word{wordUnknown, wordNotApplied, wordRefused}
	if o == opClaim {
		return append(words, claimWords[1:]...)
	}
	return append(words, holdWords[1:]...)
}

func (m *storeMetrics) called(o op, asked time.Time) {
	m.latency[o].Observe(time.Since(asked).Seconds())
}

func (m *storeMetrics) answered(o op, w word) {
	if c := m.answers[o][w]; c != nil {
		c.Inc()
	}
}

// clock notes how far the store's clock, read somewhere between asked and now,
// is from the middle of the two. A call without an answer says nothing.
func (m *storeMetrics) clock(asked, store time.Time) {
	if store.IsZero() {
		return
	}
	took := time.Since(asked)
	ahead := store.Sub(asked.Add(took / 2))
	m.offset.Set(ahead.Seconds())
	m.ahead.Store(int64(ahead))
	m.readings.note(ahead, took)
}
