package traceid_test

import (
	"encoding/hex"
	"testing"
	"time"

	"github.com/solocron/solocron/internal/traceid"
)

func TestTheTraceOfATickIsTheSameForAllTimeAndEverywhere(t *testing.T) {
	t.Parallel()
	tick := time.Date(2026, 11, 29, 1, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		job  string
		tick time.Time
		want string
	}{
		{"nightly-report", tick, "1deb7ab5e6ffa09fa933ce50d8ee0c71"},
		{"nightly-report", tick.In(time.FixedZone("", 3600)), "1deb7ab5e6ffa09fa933ce50d8ee0c71"},
		{"nightly-report", tick.Add(123 * time.Millisecond), "a42d1ef3154b3601ca3b19eb464e35b7"},
	} {
		id := traceid.Of(c.job, c.tick)
		if got := hex.EncodeToString(id[:]); got != c.want {
			t.Errorf("%s at %s: got %s, want %s", c.job, c.tick.Format(time.RFC3339Nano), got, c.want)
		}
	}
}

func TestNoTwoTicksShareATrace(t *testing.T) {
	t.Parallel()
	tick := time.Date(2026, 11, 29, 1, 30, 0, 0, time.UTC)
	seen := map[[16]byte]bool{}
	for _, job := range []string{"a", "ab", "b", "a\x00"} {
		for n := range 50 {
			seen[traceid.Of(job, tick.Add(time.Duration(n)*time.Minute))] = true
		}
	}
	if len(seen) != 200 {
		t.Errorf("traces of 200 ticks: got %d", len(seen))
	}
}
