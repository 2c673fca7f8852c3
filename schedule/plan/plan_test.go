package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/schedule/plan"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := schedule.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func parse(t testing.TB, spec, zoneName string) *schedule.Schedule {
	t.Helper()
	s, err := schedule.Parse(spec, schedule.Options{
		Zone: zone(t, zoneName), Key: "test/job", Seconds: len(strings.Fields(spec)) == 6,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func instant(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// job is one job called a, or none for an empty spec.
func job(t testing.TB, spec, zoneName string) []plan.Job {
	t.Helper()
	if spec == "" {
		return nil
	}
	return []plan.Job{{Name: "a", Schedule: parse(t, spec, zoneName)}}
}

// told writes changes as "+04T00:30 ~05T02:00>05T03:00".
func told(changes []plan.Change) string {
	var words []string
	for _, c := range changes {
		const layout = "02T15:04"
		switch c.Kind {
		case plan.Gained:
			words = append(words, "+"+c.New.UTC().Format(layout))
		case plan.Lost:
			words = append(words, "-"+c.Old.UTC().Format(layout))
		case plan.Moved:
			words = append(words, "~"+c.Old.UTC().Format(layout)+">"+c.New.UTC().Format(layout))
		}
	}
	return strings.Join(words, " ")
}

func TestAComparisonTellsStartsGainedLostAndMoved(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, was, is       string
		days                int
		gained, lost, moved int
		first               string // the first two changes
		unchanged           bool
	}{
		{name: "nothing changes", was: "0 3 * * *", is: "0 3 * * *", days: 3, unchanged: true},
		{name: "the same in other words", was: "0 8 * * 1-5", is: "0 8 * * 1,2,3,4,5", days: 3, unchanged: true},
		{name: "later every day", was: "30 2 * * *", is: "0 3 * * *", days: 3, moved: 3, first: "~04T02:30>04T03:00 ~05T02:30>05T03:00"},
		{name: "earlier every day", was: "0 3 * * *", is: "30 2 * * *", days: 3, moved: 3, first: "~04T03:00>04T02:30 ~05T03:00>05T02:30"},
		{name: "a tie moves later", was: "0 * * * *", is: "30 * * * *", days: 1, moved: 24, first: "~04T00:00>04T00:30 ~04T01:00>04T01:30"},
		{name: "a tie moves later although the window begins with a gain", was: "30 * * * *", is: "0 * * * *", days: 1, moved: 24, first: "~04T00:30>04T01:00 ~04T01:30>04T02:00"},
		{name: "fewer", was: "*/30 * * * *", is: "0 * * * *", days: 1, lost: 24, first: "-04T00:30 -04T01:30"},
		{name: "more", was: "0 * * * *", is: "*/30 * * * *", days: 1, gained: 24, first: "+04T00:30 +04T01:30"},
		{name: "none moves past one that stays", was: "0 1,3 * * *", is: "0 3,5 * * *", days: 1, gained: 1, lost: 1, first: "-04T01:00 +04T05:00"},
		{name: "the nearer one moves", was: "0 4 * * *", is: "0 1,5 * * *", days: 1, gained: 1, moved: 1, first: "+04T01:00 ~04T04:00>04T05:00"},
		{name: "another weekday", was: "0 9 * * 1", is: "0 9 * * 2", days: 14, moved: 2, first: "~04T09:00>05T09:00 ~11T09:00>12T09:00"},
		{name: "a new job", was: "", is: "0 3 * * *", days: 2, gained: 2, first: "+04T03:00 +05T03:00"},
		{name: "a job that goes", was: "0 3 * * *", is: "", days: 2, lost: 2, first: "-04T03:00 -05T03:00"},
		{name: "a move over the end of the window", was: "30 23 * * *", is: "30 0 * * *", days: 2, moved: 2, first: "~04T23:30>05T00:30 ~05T23:30>06T00:30"},
		{name: "a move over its beginning", was: "30 0 * * *", is: "30 23 * * *", days: 2, moved: 2, first: "~04T00:30>03T23:30 ~05T00:30>04T23:30"},
		{name: "none moves farther than a day over the end", was: "0 9 4 1 *", is: "0 9 7 1 *", days: 2, lost: 1, first: "-04T09:00"},
		{name: "the window has no end in it", was: "", is: "0 0 * * *", days: 2, gained: 2, first: "+04T00:00 +05T00:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := plan.Days(instant(t, "2027-01-04T00:00:00Z"), c.days) // a Monday
			diffs := plan.Compare(job(t, c.was, "UTC"), job(t, c.is, "UTC"), w, 2)
			if c.unchanged {
				if len(diffs) != 0 {
					t.Errorf("got %+v, want no difference", diffs)
				}
				return
			}
			if len(diffs) != 1 {
				t.Fatalf("got %d differences, want 1", len(diffs))
			}
			d := diffs[0]
			if d.Gained != c.gained || d.Lost != c.lost || d.Moved != c.moved || d.AtLeast {
				t.Errorf("got %d gained, %d lost, %d moved (at least: %v), want %d, %d, %d",
					d.Gained, d.Lost, d.Moved, d.AtLeast, c.gained, c.lost, c.moved)
			}
			if got := told(d.Changes); got != c.first {
				t.Errorf("got %s, want %s", got, c.first)
			}
		})
	}
}

func TestTheDayOnWhichTheClockChangesIsMarked(t *testing.T) {
	t.Parallel()
	w := plan.Days(instant(t, "2027-03-27T00:00:00+01:00"), 3)
	diffs := plan.Compare(job(t, "30 1 * * *", "Europe/Berlin"), job(t, "30 2 * * *", "Europe/Berlin"), w, 10)
	if len(diffs) != 1 || len(diffs[0].Changes) != 3 {
		t.Fatalf("got %+v, want one job with three changes", diffs)
	}
	for i, want := range []struct {
		marked bool
		note   string
	}{{false, ""}, {true, "02:30 does not exist on 2027-03-28; runs 03:00"}, {false, ""}} {
		if got := diffs[0].Changes[i]; got.ClockChange != want.marked || got.Note != want.note {
			t.Errorf("day %d: got %v %q, want %v %q", i, got.ClockChange, got.Note, want.marked, want.note)
		}
	}
}

func TestTheDayOnWhichTheClockChangesIsListedBeyondTheFirstChanges(t *testing.T) {
	t.Parallel()
	w := plan.Days(instant(t, "2027-03-01T00:00:00+01:00"), 30)
	d := plan.Compare(job(t, "30 1 * * *", "Europe/Berlin"), job(t, "40 1 * * *", "Europe/Berlin"), w, 2)[0]
	if got, want := told(d.Changes), "~01T00:30>01T00:40 ~02T00:30>02T00:40 ~28T00:30>28T00:40"; got != want || d.Moved != 30 {
		t.Errorf("got %s of %d, want %s of 30", got, d.Moved, want)
	}
	many := plan.Compare(nil, job(t, "* * * * *", "Europe/Berlin"), w, 2)[0]
	if got, want := told(many.Changes), "+28T23:00 +28T23:01 +27T23:00 +27T23:01"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The moments of @every are the same in all zones; the days are not.
func TestJobsOfTheSameMomentsAreMarkedInTheirOwnZones(t *testing.T) {
	t.Parallel()
	var before, after []plan.Job
	for _, name := range []string{"UTC", "Europe/Berlin"} {
		before = append(before, plan.Job{Name: name, Schedule: parse(t, "@every 12h", name)})
		after = append(after, plan.Job{Name: name, Schedule: parse(t, "@every 6h", name)})
	}
	for _, d := range plan.Compare(before, after, plan.Days(instant(t, "2027-03-28T00:00:00Z"), 1), 10) {
		if got, want := d.Changes[0].ClockChange, d.Name == "Europe/Berlin"; got != want {
			t.Errorf("%s: got %v, want %v", d.Name, got, want)
		}
	}
}

// Where the clock changes at midnight, it is the day that begins or that goes on.
func TestAChangeOfTheClockAtMidnightMarksOneDay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, from, want string }{
		{"America/Santiago", "2026-09-04T12:00:00-04:00", "2026-09-06"}, // 00:00 does not exist
		{"America/Santiago", "2027-04-01T12:00:00-03:00", "2027-04-03"}, // 23:00 comes twice
		{"Australia/Lord_Howe", "2026-10-01T12:00:00+10:30", "2026-10-04"},
		{"Asia/Tokyo", "2026-10-01T12:00:00+09:00", ""},
	} {
		diffs := plan.Compare(nil, job(t, "0 12 * * *", c.zone), plan.Days(instant(t, c.from), 5), 10)
		var got []string
		for _, ch := range diffs[0].Changes {
			if ch.ClockChange {
				got = append(got, ch.New.In(zone(t, c.zone)).Format(time.DateOnly))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s from %s: got %v, want %s", c.zone, c.from, got, c.want)
		}
	}
}

func TestAMomentTheClockJumpsOverIsNotMovedWhereBothRunRightAfter(t *testing.T) {
	t.Parallel()
	w := plan.Days(instant(t, "2027-03-27T00:00:00+01:00"), 3)
	d := plan.Compare(job(t, "30 2 * * *", "Europe/Berlin"), job(t, "45 2 * * *", "Europe/Berlin"), w, 10)[0]
	if d.Moved != 2 || d.Gained+d.Lost != 0 {
		t.Errorf("got %d moved, %d gained, %d lost, want 2 moved: on the 28th both run at 03:00", d.Moved, d.Gained, d.Lost)
	}
}

func TestADifferenceAfterTheWindowIsFound(t *testing.T) {
	t.Parallel()
	w := plan.Days(instant(t, "2027-01-04T00:00:00Z"), 30)
	d := plan.Compare(job(t, "0 3 29 2 *", "UTC"), job(t, "0 3 28 2 *", "UTC"), w, 10)
	if len(d) != 1 || !d[0].Later.Equal(instant(t, "2027-02-28T03:00:00Z")) || !d[0].Differs() {
		t.Errorf("got %+v, want the first difference on 2027-02-28", d)
	}
	same := plan.Compare(job(t, "@every 1h", "UTC"), job(t, fmt.Sprintf("%d %d * * * *", phase(t)%60, phase(t)/60), "UTC"), w, 10)
	if len(same) != 0 {
		t.Errorf("other words for the same moments: got %+v, want no difference", same)
	}
}

// phase is the second of the hour at which @every 1h of the test's job is due.
func phase(t testing.TB) int {
	t.Helper()
	return int(parse(t, "@every 1h", "UTC").Next(time.Unix(0, 0)).Unix() % 3600)
}

func TestMoreTicksThanAreLookedAtMakeTheCountsALowerBound(t *testing.T) {
	t.Parallel()
	w := plan.Days(instant(t, "2027-01-04T00:00:00Z"), 30)
	d := plan.Compare(job(t, "* * * * * *", "UTC"), job(t, "*/2 * * * * *", "UTC"), w, 3)[0]
	if !d.AtLeast || d.Lost < 10_000 || d.Gained+d.Moved != 0 {
		t.Errorf("got %d lost, %d gained, %d moved, at least %v; want many lost, a lower bound", d.Lost, d.Gained, d.Moved, d.AtLeast)
	}
	if len(d.Changes) != 3 {
		t.Errorf("got %d changes, want the first 3", len(d.Changes))
	}
}

func TestJobsComeInTheOrderOfTheNewFileAndThenThoseItLacks(t *testing.T) {
	t.Parallel()
	three, four := parse(t, "0 3 * * *", "UTC"), parse(t, "0 4 * * *", "UTC")
	before := []plan.Job{{Name: "gone", Schedule: three}, {Name: "kept", Schedule: three}, {Name: "off", Schedule: three}, {Name: "moved", Schedule: three}}
	after := []plan.Job{{Name: "moved", Schedule: four}, {Name: "off"}, {Name: "fresh", Schedule: three}, {Name: "kept", Schedule: three}}
	var got []string
	for _, d := range plan.Compare(before, after, plan.Days(instant(t, "2027-01-04T00:00:00Z"), 1), 5) {
		got = append(got, d.Name+" "+told(d.Changes))
	}
	want := []string{"moved ~04T03:00>04T04:00", "off -04T03:00", "fresh +04T03:00", "gone -04T03:00"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
