package telemetry_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/election/breaker"
	"github.com/solocron/solocron/telemetry"
)

// reading is one answer of a store: how far ahead its clock was, when seen from
// the middle of a question that took so long.
type reading struct{ ahead, took time.Duration }

func TestTheClockErrorIsTheMedianOfWhatIsSure(t *testing.T) {
	t.Parallel()
	quick := reading{3 * time.Second, 10 * time.Millisecond}
	for name, c := range map[string]struct {
		readings []reading
		want     time.Duration
	}{
		"one":                           {[]reading{quick}, 2995 * time.Millisecond},
		"behind":                        {[]reading{{-3 * time.Second, 10 * time.Millisecond}}, -2995 * time.Millisecond},
		"slower than it is off":         {[]reading{{time.Second, 4 * time.Second}}, 0},
		"a slow one among quick ones":   {[]reading{quick, quick, {0, 20 * time.Second}, quick, quick}, 2995 * time.Millisecond},
		"four steps are outliers":       {[]reading{{}, {}, {}, {}, {}, quick, quick, quick, quick}, 0},
		"five of the last nine are not": {[]reading{{}, {}, {}, {}, {}, quick, quick, quick, quick, quick}, 2995 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := telemetry.NewMetrics(prometheus.NewRegistry())
				if _, ok := m.ClockError(); ok {
					t.Error("an error of the clock before anything was read")
				}
				for _, r := range c.readings {
					asked := time.Now()
					time.Sleep(r.took)
					m.NoteClock(asked, asked.Add(r.took/2+r.ahead))
				}
				if got, ok := m.ClockError(); !ok || got != c.want {
					t.Errorf("got %v, %t, want %v", got, ok, c.want)
				}
			})
		})
	}
}

func TestTroubleShowsInTheMetrics(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	check := func(when string, want map[string]string) {
		t.Helper()
		for line, w := range want {
			if got := value(t, reg, line); got != w {
				t.Errorf("%s, %s: got %s, want %s", when, line, got, w)
			}
		}
	}
	check("at first", map[string]string{
		"solocron_store_breaker_state": "0", "solocron_store_breaker_opened_total": "0",
		"solocron_replica_unfit": "0", "solocron_store_changes_total": "0",
	})
	m.BreakerChanged(breaker.Closed, breaker.Open)
	m.BreakerChanged(breaker.Open, breaker.HalfOpen)
	m.BreakerChanged(breaker.HalfOpen, breaker.Open)
	m.SetUnfit(true)
	m.StoreChanged()
	check("in trouble", map[string]string{
		"solocron_store_breaker_state": "2", "solocron_store_breaker_opened_total": "1",
		"solocron_replica_unfit": "1", "solocron_store_changes_total": "1",
	})
	m.BreakerChanged(breaker.Open, breaker.HalfOpen)
	check("while it tries", map[string]string{"solocron_store_breaker_state": "1"})
	m.BreakerChanged(breaker.HalfOpen, breaker.Closed)
	m.SetUnfit(false)
	check("after it", map[string]string{"solocron_store_breaker_state": "0", "solocron_replica_unfit": "0"})
}
