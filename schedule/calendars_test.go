package schedule_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/schedule"
)

// covers asks the wall of the calendar's zone and the bounds of its ranges, as
// a person would.
func covers(spec schedule.CalendarSpec, at time.Time) bool {
	w := at.In(spec.Zone)
	date := w.Format(time.DateOnly)
	if slices.Contains(spec.Dates, date) || slices.Contains(spec.Dates, date[5:]) ||
		slices.Contains(spec.Weekdays, strings.ToLower(w.Weekday().String()[:3])) {
		return true
	}
	return slices.ContainsFunc(spec.Ranges, func(r schedule.Range) bool {
		if len(r.From) == len(date) {
			return date >= r.From && date <= r.To
		}
		from, _ := time.Parse(time.RFC3339, r.From)
		to, _ := time.Parse(time.RFC3339, r.To)
		return !at.Before(from) && at.Before(to)
	})
}

func TestCalendarsAgreeWithAMinuteWalkAroundEveryKindOfChange(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for _, change := range []struct{ zone, day string }{
		{"UTC", "2027-06-01"},
		{"Europe/Berlin", "2027-03-28"},
		{"Europe/Berlin", "2027-10-31"},
		{"Atlantic/Azores", "2027-03-28"},
		{"Atlantic/Azores", "2027-10-31"},
		{"America/Havana", "2027-03-14"},
		{"America/Havana", "2027-11-07"},
		{"America/Santiago", "2027-09-05"},
		{"America/Santiago", "2027-04-04"},
		{"Australia/Lord_Howe", "2027-10-03"},
		{"Australia/Lord_Howe", "2027-04-04"},
		{"America/St_Johns", "2006-10-29"}, // 00:01 becomes 23:01 of the day before
		{"Pacific/Apia", "2011-12-30"},     // a day that does not exist
		{"Antarctica/Troll", "2027-03-28"},
		{"Pacific/Chatham", "2027-09-26"},
	} {
		zone := mustZone(t, change.zone)
		middle := instant(t, change.day+"T00:00:00Z")
		for range 25 {
			spec := randomSpecOf(r, zone, middle)
			c := mustCalendar(t, spec)
			end := middle.AddDate(0, 0, 5)
			for at := middle.AddDate(0, 0, -4); at.Before(end); at = at.Add(time.Minute) {
				want := covers(spec, at)
				if got := c.Covers(at); got != want {
					t.Fatalf("%s %+v: at %s got %t, want %t", change.zone, spec, at.In(zone), got, want)
				}
				if r.IntN(200) > 0 {
					continue
				}
				free := at
				for covers(spec, free) {
					free = free.Add(time.Minute)
				}
				if got := c.End(at); !got.Equal(free) {
					t.Fatalf("%s %+v: the end from %s on: got %s, want %s", change.zone, spec, at.In(zone), got.In(zone), free.In(zone))
				}
			}
		}
	}
}

// randomSpecOf makes a calendar in whole minutes with something near middle.
func randomSpecOf(r *rand.Rand, zone *time.Location, middle time.Time) schedule.CalendarSpec {
	spec := schedule.CalendarSpec{Name: "c", Zone: zone}
	day := func() time.Time { return middle.AddDate(0, 0, r.IntN(5)-2) }
	for range 1 + r.IntN(4) {
		switch r.IntN(5) {
		case 0:
			spec.Dates = append(spec.Dates, day().Format(time.DateOnly))
		case 1:
			spec.Dates = append(spec.Dates, day().Format("01-02"))
		case 2:
			from := day()
			spec.Ranges = append(spec.Ranges, schedule.Range{From: from.Format(time.DateOnly), To: from.AddDate(0, 0, r.IntN(3)).Format(time.DateOnly)})
		case 3:
			from := day().Add(time.Duration(r.IntN(1440)) * time.Minute)
			spec.Ranges = append(spec.Ranges, schedule.Range{
				From: from.In(zone).Format(time.RFC3339), To: from.Add(time.Duration(1+r.IntN(2000)) * time.Minute).Format(time.RFC3339),
			})
		default:
			spec.Weekdays = append(spec.Weekdays, []string{"mon", "sat", "sun"}[r.IntN(3)])
		}
	}
	return spec
}

func TestRangesOfADateAndATimeBeginAndEndWithTheDay(t *testing.T) {
	t.Parallel()
	azores := mustZone(t, "Atlantic/Azores") // midnight does not exist on 2027-03-28
	c := mustCalendar(t, schedule.CalendarSpec{Zone: azores, Ranges: []schedule.Range{
		{From: "2027-03-28", To: "2027-03-28T12:00:00Z"},
		{From: "2027-10-30T12:00:00Z", To: "2027-10-30"},
	}})
	for text, want := range map[string]bool{
		"2027-03-28T00:59:59Z": false, "2027-03-28T01:00:00Z": true, "2027-03-28T11:59:59Z": true, "2027-03-28T12:00:00Z": false,
		"2027-10-30T11:59:59Z": false, "2027-10-30T12:00:00Z": true, "2027-10-30T23:59:59Z": true, "2027-10-31T00:00:00Z": false,
	} {
		if got := c.Covers(instant(t, text)); got != want {
			t.Errorf("%s: got %t, want %t", text, got, want)
		}
	}
}

func TestTheEndOfWhatNeverEndsIsFarAway(t *testing.T) {
	t.Parallel()
	at := instant(t, "2027-01-01T00:00:00Z")
	c := mustCalendar(t, schedule.CalendarSpec{Ranges: []schedule.Range{{From: "2027-01-01", To: "9999-12-31"}}})
	if got := c.End(at); got.Before(at.AddDate(99, 0, 0)) || got.After(at.AddDate(101, 0, 0)) {
		t.Errorf("got %s, want about 100 years later", got)
	}
	if got := c.End(at.Add(-time.Second)); !got.Equal(at.Add(-time.Second)) {
		t.Errorf("got %s, want what is not covered to be its own end", got)
	}
}

func TestAllFaultsOfACalendarAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	_, err := schedule.NewCalendar(schedule.CalendarSpec{
		Name: "x", Dates: []string{"2026-12-25", "25.12.2026"}, Ranges: []schedule.Range{{From: "2027-01-02", To: "2027-01-01"}},
		Weekdays: []string{"caturday"}, ICal: []byte("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"),
	})
	const want = `Dates[1]: "25.12.2026" is not a date that exists: write one such as 2026-12-25, or 12-25 for every year
Ranges[0].To: 2027-01-01 is before 2027-01-02: swap them
Weekdays[0]: "caturday" is not a weekday: write sun, mon, tue, wed, thu, fri or sat
ICal: holds no events (VEVENT): nothing would be excluded`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	for _, c := range []struct {
		spec schedule.CalendarSpec
		want string
	}{
		{schedule.CalendarSpec{Dates: []string{"12-25"}}, "Name: must have 1 to 100 bytes"},
		{schedule.CalendarSpec{Name: "x"}, "the calendar is empty"},
		{schedule.CalendarSpec{Name: "x", Dates: make([]string, 10_001)}, "10001 entries are too many"},
		{schedule.CalendarSpec{Name: "x", ICal: make([]byte, 1<<20+1)}, "bytes are too many: at most 1 MiB"},
		{schedule.CalendarSpec{Name: "x", Dates: []string{"12-25"}, Zone: time.FixedZone("here", 3600)}, "is not in the IANA database"},
	} {
		if _, err := schedule.NewCalendar(c.spec); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
