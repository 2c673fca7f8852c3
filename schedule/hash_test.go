package schedule_test

import (
	"fmt"
	"hash/fnv"
	"testing"
	"time"

	"github.com/solocron/solocron/schedule"
)

func TestHSpreadsJobsEvenlyAndAlwaysTheSameWay(t *testing.T) {
	t.Parallel()
	const jobs = 6000
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for spec, buckets := range map[string]int{"H * * * *": 60, "H/15 * * * *": 15, "H(10-19) * * * *": 10, "H(0-29)/10 * * * *": 10, "0 H * * *": 24, "0 0 H * *": 28, "0 0 * * H": 7} {
		count := map[time.Time]int{}
		for i := range jobs {
			o := schedule.Options{Key: fmt.Sprintf("prod/job-%d", i)}
			s := mustParse(t, spec, o)
			if again := mustParse(t, spec, o); again.String() != s.String() {
				t.Fatalf("%q for %s: got %s, then %s", spec, o.Key, s, again)
			}
			count[s.Next(from.Add(-time.Second))]++
		}
		if len(count) != buckets {
			t.Errorf("%q: got %d different moments, want %d", spec, len(count), buckets)
		}
		for at, n := range count {
			if mean := jobs / buckets; n < mean/2 || n > mean*2 {
				t.Errorf("%q: got %d of %d jobs at %s, want about %d", spec, n, jobs, at, mean)
			}
		}
	}
}

func TestHInTwoFieldsIsNotTheSameNumberTwice(t *testing.T) {
	t.Parallel()
	same := 0
	for i := range 240 {
		s := mustParse(t, "H(0-11) H(0-11) * * *", schedule.Options{Key: fmt.Sprint(i)})
		if at := s.Next(time.Time{}); at.Hour() == at.Minute() {
			same++
		}
	}
	if same > 60 {
		t.Errorf("minute and hour agree for %d of 240 jobs, want about 20", same)
	}
}

func TestEveryIsAnchoredToTheEpochWithAPhaseFromTheKey(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"prod/a", "prod/nightly-report", "x"} {
		h := fnv.New64a()
		h.Write([]byte(key))
		phase := int64(600 * (h.Sum64() % 1024) / 1024)
		s := mustParse(t, "@every 10m", schedule.Options{Key: key})
		want := fmt.Sprintf("@every 10m0s+%s", time.Duration(phase)*time.Second)
		if got := s.String(); got != want {
			t.Errorf("%s: got %s, want %s", key, got, want)
		}
		at := time.Date(2026, 5, 5, 5, 5, 5, 500, time.UTC)
		for range 3 {
			next := s.Next(at)
			if (next.Unix()-phase)%600 != 0 || !next.After(at) || next.Sub(at) > 10*time.Minute {
				t.Fatalf("%s after %s: got %s", s, at, next)
			}
			if back := s.Prev(next.Add(time.Nanosecond)); !back.Equal(next) {
				t.Fatalf("%s before just after %s: got %s", s, next, back)
			}
			at = next
		}
	}
}

func TestEveryHasAtMost1024Phases(t *testing.T) {
	t.Parallel()
	phases := map[time.Time]bool{}
	for i := range 20000 {
		s := mustParse(t, "@every 1d", schedule.Options{Key: fmt.Sprintf("prod/job-%d", i)})
		phases[s.Next(time.Unix(0, -1))] = true
	}
	if n := len(phases); n < 1000 || n > 1024 {
		t.Errorf("got %d phases of 20000 jobs, want almost 1024 and no more", n)
	}
}

func TestEveryTakesPeriodsFromASecondTo366Days(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"1s": time.Second, "90s": 90 * time.Second, "1.5h": 90 * time.Minute, "1h30m": 90 * time.Minute, "1d": 24 * time.Hour,
		"2d3h": 51 * time.Hour, "366d": 366 * 24 * time.Hour, "8784h": 366 * 24 * time.Hour, "1000ms": time.Second,
	} {
		s := mustParse(t, "@every "+text, schedule.Options{})
		first := s.Next(time.Unix(0, 0))
		if got := s.Next(first).Sub(first); got != want {
			t.Errorf("@every %s: got %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{
		"", "0s", "0d", "-1h", "-1d", "1d-1h", "+5m", "1d+1h", "5ms", "1500ms", "1d1ms", "366d1s", "367d", "8785h", "9999999d", "99999999999999999h",
		"5", "d", "1 h", "1h 30m", "1w", "1d1d", "h1", "1h2d", "1e3s", "NaN", "1x",
	} {
		if s, err := schedule.Parse("@every "+text, schedule.Options{}); err == nil {
			t.Errorf("@every %s: got %s, want a refusal", text, s)
		}
	}
}
