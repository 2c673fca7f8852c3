package schedule_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/solocron/solocron/schedule"
)

func TestExcludedMomentsAreStillMomentsAndKnowTheirCalendar(t *testing.T) {
	t.Parallel()
	holidays := mustCalendar(t, schedule.CalendarSpec{Dates: []string{"2026-12-25"}})
	s := mustRule(t, mustParse(t, "0 6 * * *", schedule.Options{}), schedule.Rules{Exclude: []*schedule.Calendar{holidays}})
	at := instant(t, "2026-12-24T00:00:00Z")
	for _, want := range []string{"", "de-holidays", ""} {
		at = s.Next(at)
		if name, ok := s.Excluded(at); name != want || ok != (want != "") {
			t.Errorf("%s: got %q, %t, want %q", at, name, ok, want)
		}
		if got := s.Release(at); got != at {
			t.Errorf("%s: got the release %s, want it unchanged", at, got)
		}
	}
}

func TestDeferredMomentsAreReleasedTogetherAtTheEndOfAdjoiningCalendars(t *testing.T) {
	t.Parallel()
	berlin := mustZone(t, "Europe/Berlin")
	s := mustRule(t, mustParse(t, "0 */6 * * *", schedule.Options{Zone: berlin}), schedule.Rules{Defer: true, Exclude: []*schedule.Calendar{
		mustCalendar(t, schedule.CalendarSpec{Name: "weekend", Zone: berlin, Weekdays: []string{"sat", "sun"}}),
		mustCalendar(t, schedule.CalendarSpec{Name: "easter", Zone: berlin, Dates: []string{"2027-03-26", "2027-03-29"}}),
	}})
	end := instant(t, "2027-03-30T00:00:00+02:00") // the clock goes forward in the window
	ticks := 0
	for at := s.Next(instant(t, "2027-03-25T23:59:59+01:00")); at.Before(end); at = s.Next(at) {
		ticks++
		if got := s.Release(at); !got.Equal(end) {
			t.Errorf("%s: got the release %s, want %s", at, got, end)
		}
		if name, ok := s.Excluded(at); ok {
			t.Errorf("%s: got excluded by %s, want it deferred", at, name)
		}
	}
	if ticks != 16 {
		t.Errorf("got %d ticks in the window, want 16", ticks)
	}
	for _, free := range []string{"2027-03-25T18:00:00+01:00", "2027-03-30T00:00:00+02:00"} {
		if at := instant(t, free); !s.Release(at).Equal(at) {
			t.Errorf("%s: got the release %s, want the moment itself", free, s.Release(at))
		}
	}
}

// A walk over random schedules, zones, calendars and rules, in weeks in which clocks change.
func TestReleasesAreMonotoneWithinBoundsAndTheSameEachTime(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	zones := []string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Atlantic/Azores", "America/Santiago"}
	from := []string{"2027-03-20T00:00:00Z", "2027-10-28T00:00:00Z", "2027-04-01T00:00:00Z", "2027-09-01T00:00:00Z"}
	jitters := []time.Duration{0, time.Millisecond, 1500 * time.Millisecond, time.Minute, time.Hour, 24 * time.Hour}
	moved, deferred := 0, 0
	for i := range 600 {
		zone := mustZone(t, zones[r.IntN(len(zones))])
		start := instant(t, from[r.IntN(len(from))])
		spec := []string{"*/7 * * * *", "30 2 * * *", "0 */5 * * *", "@every 17m", "@every 3s", "0,30 0-3 * * *"}[r.IntN(6)]
		rules := schedule.Rules{Jitter: jitters[r.IntN(len(jitters))], Key: fmt.Sprint("prod/", i%5), Defer: r.IntN(4) > 0}
		for n := range r.IntN(3) {
			rules.Exclude = append(rules.Exclude, randomCalendar(t, r, fmt.Sprint("c", n), zone, start))
		}
		bare := mustParse(t, spec, schedule.Options{Zone: zone, Key: rules.Key})
		s, again := mustRule(t, bare, rules), mustRule(t, bare, rules)
		var before time.Time
		at := start
		for range 300 {
			at = s.Next(at)
			got := s.Release(at)
			base := at
			if rules.Defer {
				base = walkEnd(rules.Exclude, at)
			}
			next := s.Next(base)
			switch {
			case got.Before(before):
				t.Fatalf("%s: the release of %s is %s, of the moment before %s", s, at, got, before)
			case got.Before(base), got.Sub(base) > rules.Jitter, !got.Before(next):
				t.Fatalf("%s: the release of %s is %s, want it from %s up to %s later and before %s", s, at, got, base, rules.Jitter, next)
			case !again.Release(at).Equal(got):
				t.Fatalf("%s: got the releases %s and %s for %s", s, got, again.Release(at), at)
			}
			before = got
			if !got.Equal(base) {
				moved++
			}
			if !base.Equal(at) {
				deferred++
			}
		}
	}
	if moved < 10_000 || deferred < 10_000 {
		t.Errorf("got %d jittered and %d deferred releases, want more to have been tried", moved, deferred)
	}
}

// randomCalendar covers something in the ten days after start.
func randomCalendar(t *testing.T, r *rand.Rand, name string, zone *time.Location, start time.Time) *schedule.Calendar {
	t.Helper()
	spec := schedule.CalendarSpec{Name: name, Zone: zone}
	day := func() time.Time { return start.AddDate(0, 0, r.IntN(10)) }
	for range 1 + r.IntN(3) {
		switch r.IntN(4) {
		case 0:
			spec.Dates = append(spec.Dates, day().Format(time.DateOnly))
		case 1:
			spec.Dates = append(spec.Dates, day().Format("01-02"))
		case 2:
			from := day().Add(time.Duration(r.IntN(86400)) * time.Second)
			to := from.Add(time.Duration(1+r.IntN(100_000)) * time.Second)
			spec.Ranges = append(spec.Ranges, schedule.Range{From: from.In(zone).Format(time.RFC3339), To: to.Format(time.RFC3339)})
		default:
			spec.Weekdays = append(spec.Weekdays, []string{"Mon", "tuesday", "SAT", "sun"}[r.IntN(4)])
		}
	}
	return mustCalendar(t, spec)
}

// walkEnd goes on from calendar to calendar while one covers the moment.
func walkEnd(calendars []*schedule.Calendar, at time.Time) time.Time {
	for {
		i := slices.IndexFunc(calendars, func(c *schedule.Calendar) bool { return c.Covers(at) })
		if i < 0 {
			return at
		}
		at = calendars[i].End(at)
	}
}

func TestJitterSpreadsJobsAndTicksEvenly(t *testing.T) {
	t.Parallel()
	bare := mustParse(t, "@every 1h", schedule.Options{})
	var buckets [10]int
	seen := map[time.Duration]bool{}
	for job := range 100 {
		s := mustRule(t, bare, schedule.Rules{Jitter: 10*time.Minute - time.Millisecond, Key: fmt.Sprint("prod/job-", job)})
		at := instant(t, "2027-01-01T00:00:00Z")
		for range 100 {
			at = s.Next(at)
			late := s.Release(at).Sub(at)
			buckets[late/time.Minute]++
			seen[late] = true
		}
	}
	if slices.Min(buckets[:]) < 850 || slices.Max(buckets[:]) > 1150 || len(seen) < 9_500 {
		t.Errorf("got %v in each minute and %d different values, want about 1000 and 10000", buckets, len(seen))
	}
}

func TestReleaseCostsNothingWithoutRules(t *testing.T) {
	s := mustParse(t, "0 6 * * *", schedule.Options{})
	at := instant(t, "2027-01-01T06:00:00Z")
	if n := testing.AllocsPerRun(100, func() { s.Release(at); s.Excluded(at) }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}
