package schedule_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/schedule"
)

func mustZone(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := schedule.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func mustParse(t testing.TB, spec string, o schedule.Options) *schedule.Schedule {
	t.Helper()
	s, err := schedule.Parse(spec, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestARefusalNamesTheFieldThePlaceAndTheFix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec, field string
		pos         int
		token, fix  string
	}{
		{"0 0 * * SAT-MON", "day-of-week", 9, "SAT-MON", "write 6,0,1"},
		{"0 0 * * 1-0", "day-of-week", 9, "1-0", "write 1,2,3,4,5,6,0"},
		{"0 22-6 * * *", "hour", 3, "22-6", "write 22-23,0-6"},
		{"0 0 1 NOV-FEB *", "month", 7, "NOV-FEB", "write 11-12,1-2"},
		{"0 0 31-1 * *", "day-of-month", 5, "31-1", "write 31,1"},
		{"  5 24 * * *", "hour", 5, "24", "midnight is 0"},
		{"60 * * * *", "minute", 1, "60", "the full one is 0"},
		{"0 0 32 * *", "day-of-month", 5, "32", "or L for the last day"},
		{"1,2,77 * * * *", "minute", 5, "77", "write 0 to 59"},
		{"+5 * * * *", "minute", 1, "+5", "write 0 to 59"},
		{"0 1-+3 * * *", "hour", 5, "+3", "write 0 to 23"},
		{"-5 * * * *", "minute", 1, "-5", "a range as a-b"},
		{"5- * * * *", "minute", 1, "5-", "a range as a-b"},
		{"*/+5 * * * *", "minute", 2, "/+5", "without a sign"},
		{"*/ * * * *", "minute", 2, "/", "a number from 1"},
		{"*/0 * * * *", "minute", 2, "/0", "at least 1"},
		{"*/5/2 * * * *", "minute", 2, "/5/2", "one step"},
		{"*-5 * * * *", "minute", 1, "*-5", "only a step"},
		{"5,*- * * * *", "minute", 3, "*-", "only a step"},
		{"1,,2 * * * *", "minute", 1, "1,,2", "stray comma"},
		{"1-2-3 * * * *", "minute", 3, "2-3", "several with commas"},
		{"0 0 * * foo", "day-of-week", 9, "foo", "a name such as MON"},
		{"0 0 * foo *", "month", 7, "foo", "a name such as FEB"},
		{"0 0 * * MONDAY", "day-of-week", 9, "MONDAY", "a name such as MON"},
		{"0 0 * * L", "day-of-week", 9, "L", "6L"},
		{"0 0 * * 5#6", "day-of-week", 9, "5#6", "5L for the last"},
		{"0 0 * * 5#2/2", "day-of-week", 9, "5#2/2", "remove /2"},
		{"0 0 1#2 * *", "day-of-month", 5, "1#2", "day-of-week"},
		{"L 0 * * *", "minute", 1, "L", "day fields"},
		{"0 0 1-5W * *", "day-of-month", 5, "1-5W", "one day"},
		{"0 0 15w * *", "day-of-month", 5, "15w", "capitals"},
		{"0 0 L-3 * *", "day-of-month", 5, "L-3", "L for the last day"},
		{"h * * * *", "minute", 1, "h", "capitals"},
		{"H/90 * * * *", "minute", 1, "H/90", "smaller step"},
		{"H(0-70) * * * *", "minute", 5, "70", "write 0 to 59"},
		{"H(5) * * * *", "minute", 1, "H(5)", "H(0-29)"},
		{"H(1-5 * * * *", "minute", 1, "H(1-5", "H(0-29)"},
		{"٣ 0 * * *", "", 1, "٣", "plain ASCII"},
		{"０ 0 * * *", "", 1, "０", "write '0'"},
		{"0 0 * *\n*", "", 8, "\n", "on one line"},
		{"0 0 \x00 * *", "", 5, "\x00", "on one line"},
		{"0 \xff * * *", "", 3, "\xff", "plain ASCII"},
		{"@Daily", "", 1, "@Daily", "write @daily"},
		{"@reboot", "", 1, "@reboot", "@every"},
		{"@every5m", "", 1, "@every5m", "space after @every"},
		{"@fortnightly", "", 1, "@fortnightly", "@weekly"},
		{"@every 90", "", 1, "@every 90", "90s, 90m or 90h"},
		{"@every -1h", "", 1, "@every -1h", "1s to 366d"},
		{"@every 1500ms", "", 1, "@every 1500ms", "write 2s"},
		{"@at tomorrow", "", 1, "@at tomorrow", "2027-03-01T09:00"},
		{"CRON_TZ=Europe/Paris 0 5 * * *", "", 1, "CRON_TZ=Europe/Paris", "timeZone:"},
	} {
		_, err := schedule.Parse(c.spec, schedule.Options{Key: "prod/a"})
		e, ok := errors.AsType[*schedule.ParseError](err)
		if !ok {
			t.Errorf("%q: got the error %v, want a *ParseError", c.spec, err)
			continue
		}
		if e.Field != c.field || e.Pos != c.pos || e.Token != c.token || !strings.Contains(e.Fix, c.fix) || e.Msg == "" {
			t.Errorf("%q:\n got %q %d %q fix %q\nwant %q %d %q fix %q", c.spec, e.Field, e.Pos, e.Token, e.Fix, c.field, c.pos, c.token, c.fix)
		}
	}
}

func TestAWrongNumberOfFieldsIsExplained(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec    string
		seconds bool
		want    string
	}{
		{"", false, "empty"},
		{" \t ", false, "empty"},
		{"* * * *", false, "4 fields found, 5 expected"},
		{"*****", false, `write "* * * * *"`},
		{"0 30 6 * * *", false, "`seconds: true`"},
		{"30 6 * * *", true, `write "0 30 6 * * *"`},
		{"0 0 6 * * * 2026", true, "no field for years"},
		{"*/5 * * * * root /usr/bin/job", false, "command"},
		{"* * *", true, "3 fields found, 6 expected"},
		{"@daily 5", false, "stands alone"},
		{strings.Repeat("1,", 600) + "1 * * * *", false, "1209 bytes"},
	} {
		_, err := schedule.Parse(c.spec, schedule.Options{Seconds: c.seconds})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: got %v, want %q in it", c.spec, err, c.want)
		}
	}
}

func TestAnErrorNeverRepeatsMoreThan80RunesOfTheSchedule(t *testing.T) {
	t.Parallel()
	for _, spec := range []string{strings.Repeat("ä", 400), strings.Repeat("9", 1000), strings.Repeat("9", 1<<20), "@" + strings.Repeat("x", 900), "CRON_TZ=" + strings.Repeat("x", 900) + " * * * * *"} {
		_, err := schedule.Parse(spec, schedule.Options{})
		if err == nil {
			t.Fatalf("%.20q... is accepted", spec)
		}
		if n := len(err.Error()); n > 800 {
			t.Errorf("%.20q...: got an error of %d bytes, want at most 800", spec, n)
		}
	}
}

// What other parsers refuse although people write it, or take for something else.
func TestTwoWaysToWriteTheSameScheduleAreOneSchedule(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"0 0 * * 7", "0 0 * * 0"},
		{"0 0 * * 5-7", "0 0 * * 5,6,0"},
		{"0 0 * * FRI-SUN", "0 0 * * 0,5,6"},
		{"0 0 * * 0-7", "0 0 * * 0-6"},
		{"0 0 * * 1-7/2", "0 0 * * 1,3,5,0"},
		{"0 0 * * sun", "0 0 * * SUN"},
		{"0\t0   * * *", " 0 0 * * * "},
		{"08 09 * * *", "8 9 * * *"},
		{"? ? ? ? ?", "* * * * *"},
		{"*/1 * * * *", "* * * * *"},
		{"*,5 * * * *", "* * * * *"},
		{"40/15 * * * *", "40,55 * * * *"},
		{"0,0,0 0 * * *", "0 0 * * *"},
		{"@daily", "0 0 * * *"},
		{"@midnight", "@daily"},
		{"@hourly", "0 * * * *"},
		{"@weekly", "0 0 * * SUN"},
		{"@monthly", "0 0 1 * *"},
		{"@annually", "@yearly"},
		{"@yearly", "0 0 1 JAN *"},
		{"0 0 LW * FRI#2,7L", "0 0 LW * 0L,5#2"},
		{"@every 1d12h", "@every 36h"},
		{"@every 90m", "@every 1h30m"},
		{"@at 2027-03-01T10:00:00+01:00", "@at 2027-03-01T09:00"},
	} {
		a, b := canonicalOf(t, c[0]), canonicalOf(t, c[1])
		if a != b {
			t.Errorf("%q is %s, %q is %s; want the same", c[0], a, c[1], b)
		}
	}
}

func canonicalOf(t *testing.T, spec string) string {
	t.Helper()
	return mustParse(t, spec, schedule.Options{Key: "prod/a"}).String()
}

func TestWhatDiffersOnADayOfTheYearIsAnotherSchedule(t *testing.T) {
	t.Parallel()
	berlin := mustZone(t, "Europe/Berlin")
	seen := map[string]string{}
	for _, c := range []struct {
		spec string
		o    schedule.Options
	}{
		{"30 2 * * *", schedule.Options{}},
		{"30 2 * * *", schedule.Options{Zone: berlin}},
		{"30 2 * * *", schedule.Options{Zone: berlin, Gap: schedule.GapSkip}},
		{"30 2 * * *", schedule.Options{Zone: berlin, Overlap: schedule.OverlapSecond}},
		{"30 2 * * *", schedule.Options{Zone: berlin, Overlap: schedule.OverlapBoth}},
		{"30 0-23 * * *", schedule.Options{Zone: berlin}},
		{"30 * * * *", schedule.Options{Zone: berlin}},
		{"30 * * * *", schedule.Options{Zone: berlin, Overlap: schedule.OverlapFirst}},
		{"0 0 */2 * 1", schedule.Options{Zone: berlin}},
		{"0 0 1-31/2 * 1", schedule.Options{Zone: berlin}},
		{"H/30 2 * * *", schedule.Options{Zone: berlin, Key: "a"}},
		{"H/30 2 * * *", schedule.Options{Zone: berlin, Key: "b"}},
		{"@every 10m", schedule.Options{Key: "a"}},
		{"@every 10m", schedule.Options{Key: "b"}},
	} {
		s := mustParse(t, c.spec, c.o)
		if other, ok := seen[s.String()]; ok {
			t.Errorf("%q and %q are both %s", c.spec, other, s)
		}
		seen[s.String()] = fmt.Sprintf("%s %+v", c.spec, c.o)
	}
}

func TestTheCanonicalTextIsTheOnePromised(t *testing.T) {
	t.Parallel()
	berlin := mustZone(t, "Europe/Berlin")
	for _, c := range []struct {
		spec string
		o    schedule.Options
		want string
	}{
		{"30 2 * * *", schedule.Options{Zone: berlin}, "30 2 * * * [Europe/Berlin]"},
		{"0 30 2 * * *", schedule.Options{Zone: berlin, Seconds: true}, "30 2 * * * [Europe/Berlin]"},
		{"*/10 30 2 * * *", schedule.Options{Seconds: true}, "*/10 30 2 * * * [UTC]"},
		{"*/15 9-17 * 1,2,3 MON-FRI", schedule.Options{}, "*/15 9-17 * 1-3 1-5 [UTC]"},
		{"*/7,3 * * * *", schedule.Options{}, "*/60,3,7,14,21,28,35,42,49,56 * * * * [UTC]"},
		{"30 2 * * *", schedule.Options{Zone: berlin, Gap: schedule.GapSkip, Overlap: schedule.OverlapBoth}, "30 2 * * * [Europe/Berlin overlap=both gap=skip]"},
		{"0 0 15W,L * 5L,1#3", schedule.Options{}, "0 0 L,15W * 1#3,5L [UTC]"},
		{"@every 10m", schedule.Options{}, "@every 10m0s+0s"},
		{"@at 2027-03-01T09:00", schedule.Options{Zone: berlin}, "@at 2027-03-01T08:00:00Z"},
	} {
		if got := mustParse(t, c.spec, c.o).String(); got != c.want {
			t.Errorf("%q: got %q, want %q", c.spec, got, c.want)
		}
	}
}

func TestAScheduleThatNeverComesIsRefused(t *testing.T) {
	t.Parallel()
	newYork := mustZone(t, "America/New_York")
	for _, spec := range []string{
		"0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 31 2 ?", "0 0 31W 2 *", "0 0 30,31 2 */2",
		"*/30 2 8-14 3 */7", // the second Sunday of March: always in the gap
	} {
		_, err := schedule.Parse(spec, schedule.Options{Zone: newYork})
		if err == nil || !strings.Contains(err.Error(), "never comes") {
			t.Errorf("%q: got %v, want a refusal because it never comes", spec, err)
		}
	}
	_, err := schedule.Parse("30 2 * 3 0#2", schedule.Options{Zone: newYork, Gap: schedule.GapSkip})
	if err == nil || !strings.Contains(err.Error(), "never comes") {
		t.Errorf("second Sunday of March at 02:30 without gap moments: got %v, want a refusal", err)
	}
	for _, spec := range []string{"0 0 30 2 1", "0 0 29 2 *", "0 0 29 2 */7", "0 0 31 2,3 *", "30 2 * 3 0#2", "0 0 * 2 0#5", "0 0 29W 2 *"} {
		mustParse(t, spec, schedule.Options{Zone: newYork})
	}
}

func TestAStepWiderThanItsFieldIsWarnedOf(t *testing.T) {
	t.Parallel()
	got := mustParse(t, "*/90 */24 * * *", schedule.Options{}).Warnings()
	if len(got) != 2 || !strings.Contains(got[0], "@every 90m") || !strings.Contains(got[1], "only 0 is left") {
		t.Errorf("got %q, want one about 90 minutes and one about 24 hours", got)
	}
	if got := mustParse(t, "*/59 */23 */30 */11 */6", schedule.Options{}).Warnings(); len(got) != 0 {
		t.Errorf("got %q, want none", got)
	}
}

func TestAZoneThatIsNotTheSameEverywhereIsRefused(t *testing.T) {
	t.Parallel()
	for _, zone := range []*time.Location{time.Local, time.FixedZone("UTC+2", 7200), time.FixedZone("", 7200)} {
		if zone.String() == "UTC" {
			continue
		}
		if s, err := schedule.Parse("0 0 * * *", schedule.Options{Zone: zone}); err == nil {
			t.Errorf("zone %q: got %s, want a refusal", zone, s)
		}
	}
}

func TestTheZoneMayBeRepeatedInTheTextButNotChanged(t *testing.T) {
	t.Parallel()
	berlin := mustZone(t, "Europe/Berlin")
	s := mustParse(t, "CRON_TZ=Europe/Berlin 30 2 * * *", schedule.Options{Zone: berlin})
	if got, want := s.String(), "30 2 * * * [Europe/Berlin]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, spec := range []string{
		"TZ=Europe/Berlin 30 2 * * *", "CRON_TZ=UTC 30 2 * * *", "cron_tz=Europe/Berlin 30 2 * * *", "CRON_TZ=Europe/Berlin",
		"CRON_TZ=Europe/Berlin ", "CRON_TZ=", "CRON_TZ= 30 2 * * *", "CRON_TZ=Local 0 5 * * *", "CRON_TZ=Europe/Berlin CRON_TZ=Europe/Berlin 0 5 * * *",
	} {
		if s, err := schedule.Parse(spec, schedule.Options{Zone: berlin}); err == nil {
			t.Errorf("%q: got %s, want a refusal", spec, s)
		}
	}
}
