package schedule_test

import (
	"slices"
	"testing"
	"time"

	"github.com/solocron/solocron/schedule"
)

// between lists the moments of s from one local time to another, as hours and minutes.
func between(t *testing.T, s *schedule.Schedule, from, to string) []string {
	t.Helper()
	at, end := instant(t, from), instant(t, to)
	var found []string
	for at = s.Next(at.Add(-time.Second)); !at.IsZero() && at.Before(end); at = s.Next(at) {
		found = append(found, at.In(s.Location()).Format("15:04-07"))
		if len(found) > 100 {
			t.Fatalf("%s: more than 100 moments from %s to %s", s, from, to)
		}
	}
	return found
}

func TestTheOptionsDecideWhatAChangeOfTheClockDoes(t *testing.T) {
	t.Parallel()
	zone := mustZone(t, "America/New_York")
	const (
		spring, springEnd = "2026-03-08T00:00:00-05:00", "2026-03-08T05:30:00-04:00"
		autumn, autumnEnd = "2026-11-01T00:30:00-04:00", "2026-11-01T02:30:00-05:00"
	)
	for _, c := range []struct {
		spec     string
		gap      schedule.Gap
		overlap  schedule.Overlap
		from, to string
		want     []string
	}{
		{"30 2 * * *", schedule.GapRun, 0, spring, springEnd, []string{"03:00-04"}},
		{"30 2 * * *", schedule.GapSkip, 0, spring, springEnd, nil},
		{"*/30 2 * * *", schedule.GapRun, 0, spring, springEnd, nil},
		{"30 * * * *", schedule.GapRun, 0, spring, springEnd, []string{"00:30-05", "01:30-05", "03:30-04", "04:30-04"}},
		{"30 0-23 * * *", schedule.GapRun, 0, spring, springEnd, []string{"00:30-05", "01:30-05", "03:00-04", "03:30-04", "04:30-04"}},
		{"30 1 * * *", 0, schedule.OverlapAuto, autumn, autumnEnd, []string{"01:30-04"}},
		{"30 1 * * *", 0, schedule.OverlapFirst, autumn, autumnEnd, []string{"01:30-04"}},
		{"30 1 * * *", 0, schedule.OverlapSecond, autumn, autumnEnd, []string{"01:30-05"}},
		{"30 1 * * *", 0, schedule.OverlapBoth, autumn, autumnEnd, []string{"01:30-04", "01:30-05"}},
		{"30 * * * *", 0, schedule.OverlapAuto, autumn, autumnEnd, []string{"00:30-04", "01:30-04", "01:30-05"}},
		{"30 * * * *", 0, schedule.OverlapFirst, autumn, autumnEnd, []string{"00:30-04", "01:30-04"}},
		{"30 * * * *", 0, schedule.OverlapSecond, autumn, autumnEnd, []string{"00:30-04", "01:30-05"}},
		{"H/30 1 * * *", 0, schedule.OverlapAuto, autumn, autumnEnd, []string{"01:17-04", "01:47-04", "01:17-05", "01:47-05"}},
	} {
		s := mustParse(t, c.spec, schedule.Options{Zone: zone, Gap: c.gap, Overlap: c.overlap, Key: "prod/b"})
		if got := between(t, s, c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("%q gap %s overlap %s: got %v, want %v", c.spec, c.gap, c.overlap, got, c.want)
		}
	}
}

// A walk over every second, so that the seconds field is held to the same rules.
func TestSecondsAgreeWithAWalkOverEverySecond(t *testing.T) {
	t.Parallel()
	zone := mustZone(t, "America/New_York")
	for _, c := range []struct {
		spec string
		due  func(w time.Time) bool
	}{
		{"*/20 * * * * *", func(w time.Time) bool { return w.Second()%20 == 0 }},
		{"7,30 59 1 * * *", func(w time.Time) bool {
			return w.Hour() == 1 && w.Minute() == 59 && (w.Second() == 7 || w.Second() == 30)
		}},
		{"59 */30 * * * *", func(w time.Time) bool { return w.Minute()%30 == 0 && w.Second() == 59 }},
		{"10-12 0 0,2 8 3 *", func(w time.Time) bool {
			return w.Month() == 3 && w.Day() == 8 && (w.Hour() == 0 || w.Hour() == 2) && w.Minute() == 0 && w.Second() >= 10 && w.Second() <= 12
		}},
	} {
		s := mustParse(t, c.spec, schedule.Options{Zone: zone, Seconds: true})
		wild := c.spec[0] == '*' || c.spec[3] == '*'
		for _, noon := range []string{"2026-03-08T05:00:00Z", "2026-11-01T04:00:00Z"} {
			from := instant(t, noon)
			var want []time.Time
			seen := map[string]bool{}
			for at := from.Add(time.Second); at.Before(from.Add(5 * time.Hour)); at = at.Add(time.Second) {
				w := at.In(zone)
				text := w.Format(time.DateTime)
				if jump := w.Hour() - at.Add(-time.Second).In(zone).Hour(); jump == 2 && !wild && c.spec[8] == '0' {
					want = append(want, at) // 02:00:10 to :12 lie in the gap
				}
				if c.due(w) && (wild || !seen[text]) {
					want = append(want, at)
				}
				seen[text] = true
			}
			var got []time.Time
			for at := s.Next(from); at.Before(from.Add(5 * time.Hour)); at = s.Next(at) {
				got = append(got, at)
			}
			if !slices.EqualFunc(got, want, time.Time.Equal) {
				t.Errorf("%q from %s: got %v, want %v", c.spec, noon, got, want)
			}
		}
	}
}

func TestAtIsOneMomentInTheZoneOfTheJob(t *testing.T) {
	t.Parallel()
	berlin := mustZone(t, "Europe/Berlin")
	for _, c := range []struct {
		text, want string
		o          schedule.Options
	}{
		{"2027-03-01T09:00:00Z", "2027-03-01T09:00:00Z", schedule.Options{}},
		{"2027-03-01T09:00:00+05:30", "2027-03-01T03:30:00Z", schedule.Options{}},
		{"2027-03-01T09:00", "2027-03-01T08:00:00Z", schedule.Options{}},
		{"2027-03-01 09:00:30", "2027-03-01T08:00:30Z", schedule.Options{}},
		{"2027-07-01T00:00", "2027-06-30T22:00:00Z", schedule.Options{}},
		{"2028-02-29T09:00", "2028-02-29T08:00:00Z", schedule.Options{}},
		{"2027-03-28T02:30", "2027-03-28T01:00:00Z", schedule.Options{}},
		{"2027-10-31T02:30", "2027-10-31T00:30:00Z", schedule.Options{}},
		{"2027-10-31T02:30", "2027-10-31T01:30:00Z", schedule.Options{Overlap: schedule.OverlapSecond}},
		{"2027-10-31T02:30", "2027-10-31T00:30:00Z", schedule.Options{Overlap: schedule.OverlapBoth}},
	} {
		c.o.Zone = berlin
		s := mustParse(t, "@at "+c.text, c.o)
		want := instant(t, c.want)
		if got := s.Next(time.Time{}); !got.Equal(want) {
			t.Errorf("@at %s: got %s, want %s", c.text, got, want)
		}
		if got := s.Next(want); !got.IsZero() {
			t.Errorf("@at %s, asked afterwards: got %s, want none", c.text, got)
		}
		if got := s.Prev(want); !got.IsZero() {
			t.Errorf("@at %s, asked before it for the one before: got %s, want none", c.text, got)
		}
		if got := s.Prev(want.Add(1)); !got.Equal(want) {
			t.Errorf("@at %s, looking back: got %s, want %s", c.text, got, want)
		}
	}
	for _, text := range []string{"", "2027-02-29T00:00", "2027-03-01", "2027-03-01T24:00", "1969-01-01T00:00", "2027-03-01T09:00:00.5Z", "12027-03-01T00:00"} {
		if s, err := schedule.Parse("@at "+text, schedule.Options{Zone: berlin}); err == nil {
			t.Errorf("@at %s: got %s, want a refusal", text, s)
		}
	}
	if s, err := schedule.Parse("@at 2027-03-28T02:30", schedule.Options{Zone: berlin, Gap: schedule.GapSkip}); err == nil {
		t.Errorf("a time in the gap that is to be skipped: got %s, want a refusal", s)
	}
}

func TestAUnionHasEachMomentOnce(t *testing.T) {
	t.Parallel()
	berlin := mustZone(t, "Europe/Berlin")
	s, err := schedule.ParseAll([]string{"0 */6 * * *", "0 12,13 * * *", "@at 2026-05-01T12:30"}, schedule.Options{Zone: berlin})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"00:00+02", "06:00+02", "12:00+02", "12:30+02", "13:00+02", "18:00+02"}
	if got := between(t, s, "2026-05-01T00:00:00+02:00", "2026-05-02T00:00:00+02:00"); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := s.Spec(), "0 */6 * * * | 0 12,13 * * * | @at 2026-05-01T12:30"; got != want {
		t.Errorf("got the spec %q, want %q", got, want)
	}
	back := s.Prev(instant(t, "2026-05-01T12:30:00+02:00"))
	if want := instant(t, "2026-05-01T12:00:00+02:00"); !back.Equal(want) {
		t.Errorf("before 12:30: got %s, want %s", back, want)
	}
	turned, err := schedule.ParseAll([]string{"0 13,12 * * *", "@at 2026-05-01T10:30:00Z", "0 */6 * * *", "0 */6 * * *"}, schedule.Options{Zone: berlin})
	if err != nil {
		t.Fatal(err)
	}
	if turned.String() != s.String() {
		t.Errorf("in another order: got %s, want %s", turned, s)
	}
}

func TestAUnionNamesItsBadMember(t *testing.T) {
	t.Parallel()
	for want, specs := range map[string][]string{
		"there is no schedule": {},
		"number 2 of 2":        {"@daily", "@dayly"},
		"too many":             slices.Repeat([]string{"@daily"}, 65),
	} {
		s, err := schedule.ParseAll(specs, schedule.Options{})
		if err == nil || !contains(err.Error(), want) {
			t.Errorf("%d schedules: got %v, %v, want an error with %q", len(specs), s, err, want)
		}
	}
}

func TestTheEndsOfTimeAreQuiet(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"UTC", "Europe/Berlin", "Pacific/Apia", "America/Juneau"} {
		for _, spec := range []string{"* * * * *", "0 0 29 2 */7", "@every 366d", "@at 9999-12-31T23:59:59-10:00", "30 2 * * 0"} {
			s := mustParse(t, spec, schedule.Options{Zone: mustZone(t, zone)})
			for _, at := range []time.Time{{}, time.Unix(1<<55, 0), time.Unix(-1<<55, 0), time.Unix(1<<40, 0), time.Unix(-1<<40, 0), time.Date(9999, 12, 31, 23, 59, 59, 1, time.UTC)} {
				if next := s.Next(at); !next.IsZero() && (!next.After(at) || next.Year() > 9999) {
					t.Errorf("%s after %v: got %s", s, at, next)
				}
				if prev := s.Prev(at); !prev.IsZero() && (!prev.Before(at) || prev.Year() < 1) {
					t.Errorf("%s before %v: got %s", s, at, prev)
				}
			}
		}
	}
}
