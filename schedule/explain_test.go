package schedule_test

import (
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/schedule"
)

func contains(text, part string) bool { return strings.Contains(text, part) }

func TestAScheduleExplainsItselfInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec    string
		seconds bool
		want    string
	}{
		{"* * * * *", false, "Every minute, UTC"},
		{"*/15 * * * *", false, "Every 15 minutes, UTC"},
		{"7/20 * * * *", false, "Every 20 minutes from minute 7, UTC"},
		{"0 * * * *", false, "Every hour on the hour, UTC"},
		{"5 * * * *", false, "At minute 5 of every hour, UTC"},
		{"30 2 * * *", false, "At 02:30 every day, UTC"},
		{"0,20,40 2 * * *", false, "At 02:00, 02:20 and 02:40 every day, UTC"},
		{"*/15 9-17 * * 1-5", false, "Every 15 minutes from 09:00 to 17:59 on Monday to Friday, UTC"},
		{"0 8-20 * * *", false, "At minute 0 of the hours 8 to 20 every day, UTC"},
		{"*/10 0,2,4-6 * * *", false, "Every 10 minutes during the hours 0, 2 and 4 to 6, UTC"},
		{"*/7 * * * *", false, "At minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56 of every hour, UTC"},
		{"0 0 1 */3 *", false, "At 00:00 on day 1 of the month in January, April, July and October, UTC"},
		{"0 0 13 * 5", false, "At 00:00 on day 13 of the month and also on Friday (either day field is enough), UTC"},
		{"0 0 1-7 * ?", false, "At 00:00 on days 1 to 7 of the month, UTC"},
		{"0 0 */10 * 1", false, "At 00:00 on days 1, 11, 21 and 31 of the month if that is Monday (both day fields must match), UTC"},
		{"0 0 L * *", false, "At 00:00 on the last day of the month, UTC"},
		{"0 0 LW,15W * *", false, "At 00:00 on the last working day (Monday to Friday) and the working day (Monday to Friday) nearest to day 15 of the month, UTC"},
		{"0 0 * * 5#2,0L", false, "At 00:00 on the second Friday of the month and the last Sunday of the month, UTC"},
		{"*/10 * * * * *", true, "Every 10 seconds, UTC"},
		{"5 30 2 * * *", true, "At 02:30:05 every day, UTC"},
		{"* 30 2 * * *", true, "Every second of each minute, at minute 30 of the hour 2, UTC"},
		{"@every 1d12h", false, "Every 1 day 12 hours, counted from 1970-01-01T00:00:00Z"},
		{"@every 1h", false, "Every hour, counted from 1970-01-01T00:00:00Z"},
		{"@at 2027-03-01T09:00", false, "Once, at 2027-03-01T09:00:00Z"},
	} {
		if got := mustParse(t, c.spec, schedule.Options{Seconds: c.seconds}).Explain(); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.spec, got, c.want)
		}
	}
}

func TestTheWordsSayWhatAChangeOfTheClockDoes(t *testing.T) {
	t.Parallel()
	berlin := mustZone(t, "Europe/Berlin")
	for _, c := range []struct {
		spec string
		o    schedule.Options
		want string
	}{
		{"30 2 * * *", schedule.Options{}, "runs once right after, a time it shows twice runs the first time"},
		{"30 2 * * *", schedule.Options{Gap: schedule.GapSkip, Overlap: schedule.OverlapSecond}, "does not run, a time it shows twice runs the second time"},
		{"30 2 * * *", schedule.Options{Overlap: schedule.OverlapBoth}, "runs both times"},
		{"30 * * * *", schedule.Options{}, "follows real time"},
	} {
		c.o.Zone = berlin
		if got := mustParse(t, c.spec, c.o).Explain(); !contains(got, c.want) || !contains(got, "Europe/Berlin") {
			t.Errorf("%q: got %s, want %q in it", c.spec, got, c.want)
		}
	}
	if got := mustParse(t, "0 0 * * *", schedule.Options{Zone: mustZone(t, "Asia/Tokyo")}).Explain(); contains(got, "clock") {
		t.Errorf("Tokyo changes no clocks: got %s", got)
	}
}

func TestANoteSaysWhatIsUnusualAboutAMoment(t *testing.T) {
	t.Parallel()
	berlin := mustZone(t, "Europe/Berlin")
	for _, c := range []struct {
		spec, at, want string
		o              schedule.Options
	}{
		{"30 2 * * *", "2027-03-27T02:30:00+01:00", "", schedule.Options{}},
		{"30 2 * * *", "2027-03-28T03:00:00+02:00", "02:30 does not exist on 2027-03-28; runs 03:00", schedule.Options{}},
		{"30 2 * * *", "2027-03-29T02:30:00+02:00", "", schedule.Options{}},
		{"0,20,40 2 * * *", "2027-03-28T03:00:00+02:00", "02:00 to 02:40 do not exist on 2027-03-28; runs 03:00", schedule.Options{}},
		{"30 2 * * *", "2027-10-31T02:30:00+02:00", "02:30 comes twice on 2027-10-31; second 02:30 not run", schedule.Options{}},
		{"30 2 * * *", "2027-10-31T02:30:00+01:00", "02:30 comes twice on 2027-10-31; first 02:30 not run", schedule.Options{Overlap: schedule.OverlapSecond}},
		{"0 * * * *", "2027-10-31T02:00:00+02:00", "02:00 comes twice on 2027-10-31; this is the first", schedule.Options{}},
		{"0 * * * *", "2027-10-31T02:00:00+01:00", "02:00 comes twice on 2027-10-31; this is the second", schedule.Options{}},
		{"0 * * * *", "2027-10-31T03:00:00+01:00", "", schedule.Options{}},
		{"30 2 * * *", "2027-03-28T03:30:00+02:00", "", schedule.Options{}},
		{"@every 1h", "2027-10-31T02:00:00+01:00", "", schedule.Options{}},
	} {
		c.o.Zone = berlin
		if got := mustParse(t, c.spec, c.o).Note(instant(t, c.at)); got != c.want {
			t.Errorf("%q at %s: got %q, want %q", c.spec, c.at, got, c.want)
		}
	}
}

// The example of the command line: scheduler next "30 2 * * *" --tz Europe/Berlin -n 3.
func TestTheThreeMomentsAroundTheSpringChangeInBerlin(t *testing.T) {
	t.Parallel()
	s := mustParse(t, "30 2 * * *", schedule.Options{Zone: mustZone(t, "Europe/Berlin")})
	at := instant(t, "2027-03-27T00:00:00+01:00")
	for _, want := range []string{"2027-03-27T02:30:00+01:00", "2027-03-28T03:00:00+02:00", "2027-03-29T02:30:00+02:00"} {
		at = s.Next(at)
		if got := at.In(s.Location()).Format(time.RFC3339); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestPoliciesAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"run", "skip"} {
		var g schedule.Gap
		if err := g.UnmarshalText([]byte(text)); err != nil || g.String() != text {
			t.Errorf("%s: got %s, %v", text, g, err)
		}
	}
	for _, text := range []string{"auto", "first", "second", "both"} {
		var o schedule.Overlap
		if err := o.UnmarshalText([]byte(text)); err != nil || o.String() != text {
			t.Errorf("%s: got %s, %v", text, o, err)
		}
	}
	var g schedule.Gap
	var o schedule.Overlap
	if g.UnmarshalText([]byte("Run")) == nil || o.UnmarshalText([]byte("")) == nil {
		t.Error("a word that is none of them is accepted")
	}
}
