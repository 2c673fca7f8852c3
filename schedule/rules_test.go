package schedule_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/schedule"
)

func mustCalendar(t testing.TB, spec schedule.CalendarSpec) *schedule.Calendar {
	t.Helper()
	if spec.Name == "" {
		spec.Name = "de-holidays"
	}
	c, err := schedule.NewCalendar(spec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustRule(t testing.TB, s *schedule.Schedule, r schedule.Rules) *schedule.Schedule {
	t.Helper()
	ruled, err := s.With(r)
	if err != nil {
		t.Fatal(err)
	}
	return ruled
}

func TestMomentsOutsideStartAtAndEndAtDoNotExist(t *testing.T) {
	t.Parallel()
	bare := mustParse(t, "0 6 * * *", schedule.Options{})
	for _, c := range []struct{ start, end, first, last string }{
		{"2027-03-01T06:00:00Z", "2027-03-04T06:00:00Z", "2027-03-01T06:00:00Z", "2027-03-03T06:00:00Z"},
		{"2027-03-01T06:00:00.5Z", "2027-03-04T06:00:00.5Z", "2027-03-02T06:00:00Z", "2027-03-04T06:00:00Z"},
		{"2027-03-01T05:59:59Z", "2027-03-04T05:59:59Z", "2027-03-01T06:00:00Z", "2027-03-03T06:00:00Z"},
	} {
		s := mustRule(t, bare, schedule.Rules{StartAt: instant(t, c.start), EndAt: instant(t, c.end)})
		first, last := instant(t, c.first), instant(t, c.last)
		for _, far := range []time.Time{first.AddDate(-2, 0, 0), first.Add(-time.Second), first.Add(-time.Nanosecond)} {
			if got := s.Next(far); !got.Equal(first) {
				t.Errorf("%s after %s: got %s, want %s", s, far, got, first)
			}
			if got := s.Prev(far); !got.IsZero() {
				t.Errorf("%s before %s: got %s, want none", s, far, got)
			}
		}
		for _, far := range []time.Time{last.AddDate(2, 0, 0), last.Add(time.Second)} {
			if got := s.Prev(far); !got.Equal(last) {
				t.Errorf("%s before %s: got %s, want %s", s, far, got, last)
			}
			if got := s.Next(far); !got.IsZero() {
				t.Errorf("%s after %s: got %s, want none", s, far, got)
			}
		}
		if got := s.Next(last); !got.IsZero() {
			t.Errorf("%s after its last: got %s, want none", s, got)
		}
	}
	if at := instant(t, "2020-01-01T00:00:00Z"); !bare.Next(at).Equal(at.Add(6 * time.Hour)) {
		t.Error("With has changed the schedule it was called on")
	}
}

func TestRulesThatMeanNothingAreRefusedWithTheirFieldAndAFix(t *testing.T) {
	t.Parallel()
	day := func(text string) time.Time { return instant(t, text+"T00:00:00Z") }
	weekend := mustCalendar(t, schedule.CalendarSpec{Name: "weekend", Weekdays: []string{"sat", "sun"}})
	week := mustCalendar(t, schedule.CalendarSpec{Name: "week", Weekdays: []string{"mon", "tue", "wed", "thu", "fri"}})
	christmas := mustCalendar(t, schedule.CalendarSpec{Name: "christmas", Dates: []string{"12-25"}})
	for _, c := range []struct {
		spec, field, msg string
		rules            schedule.Rules
	}{
		{"0 6 * * *", "endAt", "is not after startAt", schedule.Rules{StartAt: day("2027-03-01"), EndAt: day("2027-03-01")}},
		{"0 6 1 4 *", "endAt", "nothing is left: there is no moment from", schedule.Rules{StartAt: day("2027-03-01"), EndAt: day("2027-04-01")}},
		{"@at 2027-03-01T09:00", "startAt", "nothing is left: there is no moment from 2027-03-02T00:00:00Z on", schedule.Rules{StartAt: day("2027-03-02")}},
		{"@at 2027-03-01T09:00", "endAt", "nothing is left: there is no moment before", schedule.Rules{EndAt: day("2027-03-01")}},
		{"0 6 * * *", "jitter", "-1s is negative", schedule.Rules{Jitter: -time.Second}},
		{"0 6 * * *", "jitter", "is longer than 24h", schedule.Rules{Jitter: 24*time.Hour + 1}},
		{"0 6 * * *", "jitter", "is shorter than a millisecond", schedule.Rules{Jitter: time.Microsecond}},
		{"0 6 * * *", "exclude", "is nil", schedule.Rules{Exclude: []*schedule.Calendar{nil}}},
		{"0 6 * * *", "exclude", "too many", schedule.Rules{Exclude: make([]*schedule.Calendar, 33)}},
		{"0 6 * * 6", "exclude", "every moment is excluded by weekend", schedule.Rules{Exclude: []*schedule.Calendar{weekend}}},
		{"0 6 25 12 *", "exclude", "every moment is excluded by christmas", schedule.Rules{Exclude: []*schedule.Calendar{christmas}}},
		{"@at 2020-12-25T09:00", "exclude", "every moment is excluded by christmas", schedule.Rules{Exclude: []*schedule.Calendar{christmas}}},
		{"* * * * *", "exclude", "every moment is excluded by one of its calendars", schedule.Rules{Exclude: []*schedule.Calendar{weekend, week}}},
		{"* * * * *", "exclude", "all time is excluded by one of its calendars", schedule.Rules{Exclude: []*schedule.Calendar{weekend, week}, Defer: true}},
	} {
		_, err := mustParse(t, c.spec, schedule.Options{}).With(c.rules)
		got, ok := errors.AsType[*schedule.ParseError](err)
		if !ok || got.Field != c.field || !strings.Contains(got.Error(), c.msg) || got.Fix == "" {
			t.Errorf("%q: got %v, want %s and a fix at %s", c.spec, err, c.msg, c.field)
		}
	}
}

func TestRulesThatLeaveLittleAreAccepted(t *testing.T) {
	t.Parallel()
	weekend := mustCalendar(t, schedule.CalendarSpec{Weekdays: []string{"sat", "sun"}})
	christmas := mustCalendar(t, schedule.CalendarSpec{Dates: []string{"12-25"}})
	for _, c := range []struct {
		spec  string
		rules schedule.Rules
	}{
		{"0 6 25 12 *", schedule.Rules{Exclude: []*schedule.Calendar{weekend}}},
		{"0 6 * * 6", schedule.Rules{Exclude: []*schedule.Calendar{weekend}, Defer: true}},
		{"@at 2020-12-25T09:00", schedule.Rules{Exclude: []*schedule.Calendar{christmas}, Defer: true}},
		{"@at 2020-12-24T09:00", schedule.Rules{Exclude: []*schedule.Calendar{christmas}}},
		{"0 6 29 2 6", schedule.Rules{Exclude: []*schedule.Calendar{christmas}}},
		{"* * * * *", schedule.Rules{StartAt: instant(t, "2027-12-25T23:59:00Z"), EndAt: instant(t, "2027-12-26T00:01:00Z"), Exclude: []*schedule.Calendar{christmas}}},
	} {
		if _, err := mustParse(t, c.spec, schedule.Options{}).With(c.rules); err != nil {
			t.Errorf("%q: got %v, want it accepted", c.spec, err)
		}
	}
}

func TestTheCanonicalTextHoldsAllThatRulesChange(t *testing.T) {
	t.Parallel()
	bare := mustParse(t, "0 6 * * *", schedule.Options{})
	a := mustCalendar(t, schedule.CalendarSpec{Dates: []string{"2026-12-25", "2026-12-26"}})
	sameAsA := mustCalendar(t, schedule.CalendarSpec{Ranges: []schedule.Range{{From: "2026-12-25", To: "2026-12-26"}}})
	named := mustCalendar(t, schedule.CalendarSpec{Name: "other", Dates: []string{"2026-12-25", "2026-12-26"}})
	b := mustCalendar(t, schedule.CalendarSpec{Dates: []string{"2026-12-25"}})
	there := mustCalendar(t, schedule.CalendarSpec{Dates: []string{"2026-12-25"}, Zone: mustZone(t, "Asia/Tokyo")})
	list := func(c ...*schedule.Calendar) []*schedule.Calendar { return c }
	seen := map[string]int{bare.String(): -1}
	for i, r := range []schedule.Rules{
		{StartAt: instant(t, "2026-01-01T00:00:00Z")},
		{EndAt: instant(t, "2026-01-01T00:00:00Z")},
		{Jitter: time.Minute, Key: "prod/a"},
		{Jitter: time.Minute, Key: "prod/b"},
		{Jitter: time.Hour, Key: "prod/a"},
		{Exclude: list(a)},
		{Exclude: list(a), Defer: true},
		{Exclude: list(b)},
		{Exclude: list(there)},
		{Exclude: list(named)},
		{Exclude: list(a, named)},
		{Exclude: list(named, a)},
	} {
		text := mustRule(t, bare, r).String()
		if j, taken := seen[text]; taken {
			t.Errorf("rules %d and %d have the same text %s", i, j, text)
		}
		seen[text] = i
	}
	if x, y := mustRule(t, bare, schedule.Rules{Exclude: list(a)}), mustRule(t, bare, schedule.Rules{Exclude: list(sameAsA), Key: "no jitter"}); x.String() != y.String() {
		t.Errorf("got %s and %s, want equal texts for equal calendars and no jitter", x, y)
	}
	ruled := mustRule(t, bare, schedule.Rules{Jitter: time.Minute, Key: "prod/a"})
	if want := `0 6 * * * [UTC] {jitter=1m0s "prod/a"}`; ruled.String() != want {
		t.Errorf("got %s, want %s", ruled, want)
	}
	if again := mustRule(t, ruled, schedule.Rules{Key: "prod/a", Defer: true}); again.String() != bare.String() {
		t.Errorf("got %s, want rules replaced by none", again)
	}
}

func TestTheWordsSayWhatRulesDo(t *testing.T) {
	t.Parallel()
	s := mustRule(t, mustParse(t, "30 2 * * *", schedule.Options{Zone: mustZone(t, "Asia/Tokyo")}), schedule.Rules{
		StartAt: instant(t, "2026-01-01T00:00:00+09:00"), EndAt: instant(t, "2028-01-01T00:00:00+09:00"), Jitter: 5 * time.Minute,
		Exclude: []*schedule.Calendar{mustCalendar(t, schedule.CalendarSpec{Dates: []string{"01-01"}})},
	})
	const want = "At 02:30 every day, Asia/Tokyo. Begins 2026-01-01T00:00:00+09:00. Ends 2028-01-01T00:00:00+09:00." +
		" Each run starts up to 5m later. Skipped during de-holidays"
	if got := s.Explain(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestANoteSaysWhatRulesDoToAMoment(t *testing.T) {
	t.Parallel()
	berlin := mustZone(t, "Europe/Berlin")
	bare := mustParse(t, "30 2 * * *", schedule.Options{Zone: berlin})
	holidays := []*schedule.Calendar{
		mustCalendar(t, schedule.CalendarSpec{Zone: berlin, Dates: []string{"2027-03-28", "2026-12-25"}}),
		mustCalendar(t, schedule.CalendarSpec{Name: "bridge", Zone: berlin, Dates: []string{"2026-12-26"}}),
	}
	for _, c := range []struct {
		at, want string
		rules    schedule.Rules
	}{
		{"2026-12-24T02:30:00+01:00", "", schedule.Rules{Exclude: holidays}},
		{"2026-12-25T02:30:00+01:00", "excluded by de-holidays", schedule.Rules{Exclude: holidays, Jitter: time.Hour}},
		{"2026-12-25T02:30:00+01:00", "deferred by de-holidays to 2026-12-27 00:00", schedule.Rules{Exclude: holidays, Defer: true}},
		{"2026-12-26T02:30:00+01:00", "deferred by bridge to 2026-12-27 00:00", schedule.Rules{Exclude: holidays, Defer: true}},
		{"2027-03-28T03:00:00+02:00", "02:30 does not exist on 2027-03-28; runs 03:00; deferred by de-holidays to 2027-03-29 00:00", schedule.Rules{Exclude: holidays, Defer: true}},
		{"2026-12-24T02:30:00+01:00", "released 00:38:20 later", schedule.Rules{Jitter: time.Hour, Key: "prod/a"}},
		{"2026-12-26T02:30:00+01:00", "deferred by bridge to 2026-12-27 00:00; released 00:23:59 later", schedule.Rules{Exclude: holidays, Defer: true, Jitter: time.Hour, Key: "prod/a"}},
	} {
		if got := mustRule(t, bare, c.rules).Note(instant(t, c.at)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.at, got, c.want)
		}
	}
}
