package schedule_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/schedule"
)

// file makes an iCalendar file of events, each given by its lines.
func file(events ...string) []byte {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n")
	for _, e := range events {
		b.WriteString("BEGIN:VEVENT\n" + strings.TrimSpace(e) + "\nEND:VEVENT\n")
	}
	b.WriteString("END:VCALENDAR\n")
	return []byte(strings.ReplaceAll(b.String(), "\n", "\r\n"))
}

// stretches lists what c covers between two moments: "12-25 00:00 to 12-26 00:00" in its zone.
func stretches(t *testing.T, c *schedule.Calendar, zone *time.Location, from, to string) []string {
	t.Helper()
	const form = "01-02 15:04"
	var found []string
	for at, end := instant(t, from), instant(t, to); at.Before(end); {
		if !c.Covers(at) {
			at = at.Add(time.Minute)
			continue
		}
		until := c.End(at)
		found = append(found, at.In(zone).Format(form)+" to "+until.In(zone).Format(form))
		at = until
	}
	return found
}

func TestEventsOfAnICalendarFileAreCovered(t *testing.T) {
	t.Parallel()
	berlin := mustZone(t, "Europe/Berlin")
	for name, c := range map[string]struct {
		events []string
		want   string
	}{
		"a day": {[]string{"DTSTART;VALUE=DATE:20261225\nSUMMARY:Long\n  folded\nTRANSP:TRANSPARENT"}, "12-25 00:00 to 12-26 00:00"},
		"days with an end that is not included": {
			[]string{"DTSTART;VALUE=DATE:20261225\nDTEND;VALUE=DATE:20261227"}, "12-25 00:00 to 12-27 00:00",
		},
		"days as a duration":    {[]string{"DTSTART;VALUE=DATE:20261225\nDURATION:P1W"}, "12-25 00:00 to 01-01 00:00"},
		"times in UTC":          {[]string{"DTSTART:20261225T170000Z\nDTEND:20261225T180000Z"}, "12-25 18:00 to 12-25 19:00"},
		"times on no wall":      {[]string{"DTSTART:20261225T170000\nDURATION:PT1H30M"}, "12-25 17:00 to 12-25 18:30"},
		"times on another wall": {[]string{"DTSTART;TZID=America/New_York:20261225T170000\nDTEND;TZID=America/New_York:20261225T180000"}, "12-25 23:00 to 12-26 00:00"},
		"events that adjoin":    {[]string{"DTSTART:20261225T170000\nDURATION:PT1H", "DTSTART:20261225T180000\nDURATION:PT1H"}, "12-25 17:00 to 12-25 19:00"},
		"an alarm has a duration too": {
			[]string{"DTSTART:20261225T170000\nDURATION:PT1H\nBEGIN:VALARM\nTRIGGER:-PT5M\nDURATION:PT9H\nEND:VALARM"}, "12-25 17:00 to 12-25 18:00",
		},
		"a cancelled event":            {[]string{"DTSTART;VALUE=DATE:20261225\nSTATUS:CANCELLED"}, ""},
		"an event without length":      {[]string{"DTSTART:20261225T170000"}, ""},
		"more dates":                   {[]string{"DTSTART;VALUE=DATE:20261224\nRDATE;VALUE=DATE:20261226,20261228"}, "12-24 00:00 to 12-25 00:00, 12-26 00:00 to 12-27 00:00, 12-28 00:00 to 12-29 00:00"},
		"periods":                      {[]string{"DTSTART:20261224T100000\nDURATION:PT1H\nRDATE;VALUE=PERIOD:20261225T110000Z/PT1H,20261226T100000Z/20261226T110000Z"}, "12-24 10:00 to 12-24 11:00, 12-25 12:00 to 12-25 13:00, 12-26 11:00 to 12-26 12:00"},
		"a rule with an exception":     {[]string{"DTSTART:20261224T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261225T090000Z"}, "12-24 10:00 to 12-24 11:00, 12-26 10:00 to 12-26 11:00"},
		"a rule until a day, included": {[]string{"DTSTART:20261224T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY;UNTIL=20261225"}, "12-24 10:00 to 12-24 11:00, 12-25 10:00 to 12-25 11:00"},
		"a rule until a moment":        {[]string{"DTSTART:20261224T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY;UNTIL=20261225T085959Z"}, "12-24 10:00 to 12-24 11:00"},
		"an old yearly day":            {[]string{"DTSTART;VALUE=DATE:19001225\nRRULE:FREQ=YEARLY"}, "12-25 00:00 to 12-26 00:00"},
		"the fourth Saturday":          {[]string{"DTSTART;VALUE=DATE:20260103\nRRULE:FREQ=MONTHLY;BYDAY=4SA"}, "12-26 00:00 to 12-27 00:00"},
		"one occasion moved and one cancelled": {
			[]string{
				"UID:a\nDTSTART:20261224T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3",
				"UID:a\nRECURRENCE-ID:20261225T090000Z\nDTSTART:20261225T200000\nDURATION:PT2H",
				"UID:a\nRECURRENCE-ID:20261226T100000\nDTSTART:20261226T100000\nDURATION:PT1H\nSTATUS:CANCELLED",
				"UID:b\nRECURRENCE-ID:20261224T100000\nDTSTART:20261228T100000\nDURATION:PT1H",
			}, "12-24 10:00 to 12-24 11:00, 12-25 20:00 to 12-25 22:00, 12-28 10:00 to 12-28 11:00",
		},
	} {
		cal := mustCalendar(t, schedule.CalendarSpec{Zone: berlin, ICal: file(c.events...)})
		got := strings.Join(stretches(t, cal, berlin, "2026-12-20T00:00:00+01:00", "2027-01-05T00:00:00+01:00"), ", ")
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

func TestARecurringWindowKeepsItsTimesOnTheWallWhenTheClockChanges(t *testing.T) {
	t.Parallel()
	berlin := mustZone(t, "Europe/Berlin")
	nightly := "DTSTART;TZID=Europe/Berlin:20270101T220000\nDTEND;TZID=Europe/Berlin:20270102T060000\nRRULE:FREQ=WEEKLY;BYDAY=SA"
	c := mustCalendar(t, schedule.CalendarSpec{ICal: file(nightly)})
	for _, w := range []struct {
		from, to, want string
		length         time.Duration
	}{
		{"2027-03-26T00:00:00Z", "2027-03-30T00:00:00Z", "03-27 22:00 to 03-28 06:00", 7 * time.Hour},
		{"2027-10-29T00:00:00Z", "2027-11-02T00:00:00Z", "10-30 22:00 to 10-31 06:00", 9 * time.Hour},
		{"2027-06-04T00:00:00Z", "2027-06-08T00:00:00Z", "06-05 22:00 to 06-06 06:00", 8 * time.Hour},
	} {
		if got := strings.Join(stretches(t, c, berlin, w.from, w.to), ", "); got != w.want {
			t.Errorf("got %s, want %s", got, w.want)
		}
		start := instant(t, w.from)
		for !c.Covers(start) {
			start = start.Add(time.Minute)
		}
		if got := c.End(start).Sub(start); got != w.length {
			t.Errorf("from %s: got %s of real time, want %s", start, got, w.length)
		}
	}
	exact := mustCalendar(t, schedule.CalendarSpec{ICal: file(strings.Replace(nightly, "DTEND;TZID=Europe/Berlin:20270102T060000", "DURATION:PT8H", 1))})
	if got := strings.Join(stretches(t, exact, berlin, "2027-03-26T00:00:00Z", "2027-03-30T00:00:00Z"), ", "); got != "03-27 22:00 to 03-28 07:00" {
		t.Errorf("got %s, want a DURATION in hours to be real time", got)
	}
}

func TestRulesWithoutAnEndReachTheYear2100(t *testing.T) {
	t.Parallel()
	c := mustCalendar(t, schedule.CalendarSpec{ICal: file("DTSTART;VALUE=DATE:20200101\nRRULE:FREQ=WEEKLY;BYDAY=SA,SU")})
	for at := instant(t, "2020-01-01T12:00:00Z"); at.Year() < 2100; at = at.AddDate(0, 0, 1) {
		want := at.Weekday() == time.Saturday || at.Weekday() == time.Sunday || at.Format(time.DateOnly) == "2020-01-01"
		if got := c.Covers(at); got != want {
			t.Fatalf("%s: got %t, want %t", at, got, want)
		}
	}
}

func TestICalendarFilesThatWouldMisleadAreRefused(t *testing.T) {
	t.Parallel()
	day := "DTSTART;VALUE=DATE:20261225\n"
	hour := "DTSTART:20261225T100000\nDURATION:PT1H\n"
	for _, c := range []struct{ text, want string }{
		{"hello", "is no iCalendar file"},
		{"BEGIN:VCALENDAR\nBEGIN:VEVENT\n" + day, "the file is cut off"},
		{"BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;x\nEND:VEVENT\nEND:VCALENDAR\n", "is no iCalendar file (RFC 5545)"},
		{"BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\n", 9), "nested too deep"},
		{"BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\nEND:VEVENT\n", 10_001) + "END:VCALENDAR\n", "too many events: at most 10000"},
		{string(file("DTSTART;X=" + strings.Repeat("a", 17<<10) + ":20261225")), "holds a DTSTART of more than"},
		{string(file("SUMMARY:none")), `ICal event 1 ("none"): has 0 DTSTART`},
		{string(file("DTSTART:20261301")), `DTSTART "20261301" is not a time`},
		{string(file("DTSTART:15001225")), "from 1601 on"},
		{string(file("DTSTART;TZID=Romance Standard Time:20261225T100000")), `TZID "Romance Standard Time"`},
		{string(file(hour + "DTEND:20261225T110000")), "has DTEND and DURATION"},
		{string(file(day + "DTEND:20261225T110000")), "make both dates or both times"},
		{string(file("DTSTART:20261225T100000\nDTEND:20261225T090000")), "ends before it begins"},
		{string(file("DTSTART:20261225T100000\nDURATION:-PT1H")), "is not a duration"},
		{string(file(day + "DURATION:PT1H")), "must be in days or weeks"},
		{string(file(hour + "EXRULE:FREQ=DAILY")), "EXRULE"},
		{string(file(hour + "RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20261226")), "write the time too"},
		{string(file(hour + "RECURRENCE-ID;RANGE=THISANDFUTURE:20261225T100000")), "RANGE"},
		{string(file(hour + "RRULE:FREQ=HOURLY")), "FREQ must be YEARLY"},
		{string(file(hour + "RRULE:COUNT=3")), "FREQ is required"},
		{string(file(hour + "RRULE:FREQ=DAILY;INTERVAL=99999999999")), "INTERVAL must be"},
		{string(file(hour + "RRULE:FREQ=DAILY;UNTIL=tomorrow")), "UNTIL \"TOMORROW\" is not a time"},
		{string(file(hour + "RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5")), "more than 24 times a day"},
		{string(file(hour + "RRULE:FREQ=DAILY;BYMONTH=13")), "bymonth must be between"},
		{string(file(hour + "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")), "never comes"},
		{string(file(hour + "RRULE:FREQ=WEEKLY;BYWEEKNO=3")), "BYWEEKNO is only for"},
		{string(file(day)) + string(file(day)), "is no iCalendar file (RFC 5545)"},
	} {
		_, err := schedule.NewCalendar(schedule.CalendarSpec{Name: "x", ICal: []byte(c.text)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: got %v, want %q", c.text, err, c.want)
		}
	}
}

func TestTooManyOccasionsAreRefusedSoon(t *testing.T) {
	t.Parallel()
	var events []string
	for i := range 2_001 {
		events = append(events, fmt.Sprintf("DTSTART:20260101T%02d0000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY", i%24))
	}
	start := time.Now()
	_, err := schedule.NewCalendar(schedule.CalendarSpec{Name: "x", ICal: file(events...)})
	if err == nil || !strings.Contains(err.Error(), "more than 200000 occasions") {
		t.Errorf("got %v, want the number refused", err)
	}
	for i := range events {
		events[i] = strings.ReplaceAll(events[i], "DAILY", "DAILY;COUNT=1")
	}
	_, err = schedule.NewCalendar(schedule.CalendarSpec{Name: "x", ICal: file(events...)})
	if err == nil || !strings.Contains(err.Error(), "more than 2000 events recur") {
		t.Errorf("got %v, want the number refused", err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %s, want a moment", took)
	}
}

// FuzzCalendar feeds anything to the calendar, and holds what it accepts to its promises.
func FuzzCalendar(f *testing.F) {
	f.Add("2026-12-25", "2026-12-24", "2027-01-01T00:00:00Z", "sat", file("DTSTART;VALUE=DATE:20261225\nRRULE:FREQ=YEARLY"), int64(1798156800))
	f.Add("02-29", "", "", "Sunday", file("DTSTART;TZID=Europe/Berlin:20261225T100000\nDTEND:20261225T100000Z\nRRULE:FREQ=MONTHLY;BYDAY=-1SU;BYSETPOS=1\nEXDATE:20270131T100000"), int64(0))
	f.Add("", "", "", "", file("UID:a\nDTSTART:20261225T100000\nDURATION:P1DT1H\nRDATE;VALUE=PERIOD:20261225T100000Z/PT1H\nRECURRENCE-ID:20261225T100000\nSTATUS:CANCELLED"), int64(-1))
	f.Add("", "", "", "", []byte("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;A=\"b:c\";D=e,f\\n:20260101\nRRULE:FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=-366;WKST=SU;BYEASTER=0\nEND:VEVENT\nEND:VCALENDAR"), int64(1))
	zone := mustZone(f, "Atlantic/Azores")
	f.Fuzz(func(t *testing.T, date, from, to, weekday string, ical []byte, unix int64) {
		spec := schedule.CalendarSpec{Name: "x", Zone: zone, ICal: ical}
		if date != "" {
			spec.Dates = []string{date}
		}
		if from != "" || to != "" {
			spec.Ranges = []schedule.Range{{From: from, To: to}}
		}
		if weekday != "" {
			spec.Weekdays = []string{weekday}
		}
		c, err := schedule.NewCalendar(spec)
		if err != nil {
			if err.Error() == "" || len(err.Error()) > 100_000 {
				t.Fatalf("got the error %q", err)
			}
			return
		}
		at := time.Unix(unix%(1<<33), 0)
		end := c.End(at)
		if c.Covers(at) == end.Equal(at) || end.Before(at) || (c.Covers(end) && end.Before(at.AddDate(99, 0, 0))) {
			t.Fatalf("at %s: covered %t, end %s", at, c.Covers(at), end)
		}
		s := mustParse(t, "*/5 * * * *", schedule.Options{})
		if ruled, err := s.With(schedule.Rules{Exclude: []*schedule.Calendar{c}, Defer: true, Jitter: time.Hour}); err == nil {
			if got := ruled.Release(at); got.Before(at) {
				t.Fatalf("released %s at %s", at, got)
			}
		}
	})
}
