package telemetry

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/election"
)

// standing is whether the lease store answers.
type standing struct {
	asked atomic.Bool  // a question has been answered, or not
	up    atomic.Bool  // the last one was
	heard atomic.Int64 // the last answer; Unix milliseconds, 0: none yet
}

var errNoAnswer = errors.New("no answer")

// silent is why an item of a call got no answer; nil: it got one.
func silent(unanswered bool, err error) error {
	switch {
	case !unanswered, errors.Is(err, election.ErrBadClaim):
		return nil
	case err == nil:
		return errNoAnswer
	}
	return err
}

// heard notes what became of a call with so many items, of which one got no
// answer because of mute; nil: all got one.
func (m *storeMetrics) heard(items int, mute error) {
	if items == 0 {
		return
	}
	m.standing.asked.Store(true)
	m.standing.up.Store(mute == nil)
	if mute != nil {
		m.errors.WithLabelValues(classOf(mute)).Inc()
		return
	}
	m.standing.heard.Store(time.Now().UnixMilli())
}

// StoreChecked notes what a check of the lease store said; nil: it is as it should
// be. What passes through WrapStore is noted by itself, but a replica with few
// ticks asks seldom.
func (m *Metrics) StoreChecked(err error) { m.store.heard(1, err) }

// storeStates shows, when somebody scrapes, whether the store answers.
type storeStates struct {
	store     *storeMetrics
	up, heard *prometheus.Desc
}

func newStoreStates(c *catalogue, m *storeMetrics) *storeStates {
	return &storeStates{
		store: m,
		up: c.shown(Info{
			Name: "solocron_store_up", Help: "1 if the lease store answered this replica the last time it was asked, else 0.",
			Upon: "the first question to the store",
		}),
		heard: c.shown(Info{
			Name: "solocron_store_last_answer_timestamp_seconds", Help: "When the lease store last answered this replica.",
			Upon: "the first answer of the store",
		}),
	}
}

// Describe sends the descriptions of what Collect may show.
func (s *storeStates) Describe(ch chan<- *prometheus.Desc) { ch <- s.up; ch <- s.heard }

// Collect shows how the store stands now.
func (s *storeStates) Collect(ch chan<- prometheus.Metric) {
	at := &s.store.standing
	if at.asked.Load() {
		ch <- prometheus.MustNewConstMetric(s.up, prometheus.GaugeValue, number(at.up.Load()))
	}
	if ms := at.heard.Load(); ms > 0 {
		ch <- prometheus.MustNewConstMetric(s.heard, prometheus.GaugeValue, float64(ms)/1000)
	}
}

// number is 1 for true.
func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
