package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
)

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestAJobHasItsScheduleWithTheRulesApplied(t *testing.T) {
	t.Parallel()
	cfg := good(t, `namespace: prod
defaults: { timeZone: Europe/Berlin, dst: { gap: skip } }
calendars:
  - { name: de-holidays, dates: [2027-12-25, 12-26] }
  - { name: freeze, from: 2027-12-27, to: 2027-12-27T12:00:00Z }
  - { name: weekend, timeZone: UTC, weekdays: sat, ranges: [{ from: 2027-01-01, to: 2027-01-01 }] }
jobs:
  - name: full
    schedule: ["30 2 * * *", " 30 14 * * * "]
    dst: { overlap: second }
    jitter: 5m
    startAt: 2027-01-01
    endAt: 2028-01-01T00:00:00Z
    exclude: { calendars: [de-holidays, freeze], action: defer }
    func: demo.noop
  - { name: plain, schedule: "30 2 * * *", func: demo.noop }
  - { name: fast, schedule: "*/10 * * * * *", seconds: true, endAt: null, func: demo.noop }
  - { name: skipped, schedule: "0 5 * * *", exclude: { calendars: weekend }, func: demo.noop }
`)
	want := []string{
		`30 14 * * * [Europe/Berlin overlap=second gap=skip] | 30 2 * * * [Europe/Berlin overlap=second gap=skip]` +
			` {from=2026-12-31T23:00:00Z until=2028-01-01T00:00:00Z jitter=5m0s "prod/full" defer="de-holidays":HASH defer="freeze":HASH}`,
		"30 2 * * * [Europe/Berlin gap=skip]",
		"*/10 * * * * * [Europe/Berlin]",
		`0 5 * * * [Europe/Berlin gap=skip] {skip="weekend":HASH}`,
	}
	for i, j := range cfg.Jobs {
		got := j.Schedule.String()
		for _, c := range cfg.Calendars {
			if _, after, ok := strings.Cut(got, `"`+c.Name()+`":`); ok {
				got = strings.ReplaceAll(got, after[:16], "HASH")
			}
		}
		if got != want[i] {
			t.Errorf("%s:\n got %s\nwant %s", j.Name, got, want[i])
		}
	}
	full := cfg.Jobs[0]
	if full.Spec != "30 2 * * * | 30 14 * * *" || full.Spec != full.Schedule.Spec() {
		t.Errorf("got the text %q", full.Spec)
	}
	from, to := moment(t, "2027-12-27T13:00:00+01:00"), moment(t, "2027-12-27T13:05:00+01:00")
	if got := full.Schedule.Release(moment(t, "2027-12-25T02:30:00+01:00")); got.Before(from) || got.After(to) {
		t.Errorf("got the release %s, want it after holidays and freeze", got)
	}
	if got, ok := cfg.Jobs[3].Schedule.Excluded(moment(t, "2027-11-27T05:00:00+01:00")); !ok || got != "weekend" {
		t.Errorf("got %q, %t, want the weekend", got, ok)
	}
}

func TestTestsOfAJobAreReadInItsZone(t *testing.T) {
	t.Parallel()
	cfg := good(t, `jobs:
  - name: a
    schedule: "30 2 * * *"
    timeZone: Europe/Berlin
    tests:
      - { from: 2027-03-27, next: [2027-03-27T02:30, 2027-03-28T03:00:00+02:00] }
      - from: 2027-03-28T12:00:00Z
        next: 2027-03-29T02:30:00
    func: demo.noop
`)
	want := []config.Test{
		{From: moment(t, "2027-03-26T23:00:00Z"), Next: []time.Time{moment(t, "2027-03-27T01:30:00Z"), moment(t, "2027-03-28T01:00:00Z")}, Line: 6},
		{From: moment(t, "2027-03-28T12:00:00Z"), Next: []time.Time{moment(t, "2027-03-29T00:30:00Z")}, Line: 7},
	}
	if got := cfg.Jobs[0].Tests; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestACalendarFileIsFoundBesideTheConfiguration(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("de.ics", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20201225\r\nRRULE:FREQ=YEARLY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
	write("c.yaml", `calendars: [{ name: de, file: de.ics, dates: [2027-12-24] }]
jobs: [{ name: a, schedule: "0 5 * * *", exclude: { calendars: [de] }, func: demo.noop }]
`)
	cfg, err := config.Load(filepath.Join(dir, "c.yaml"), config.Overrides{}, kinds())
	if err != nil {
		t.Fatal(err)
	}
	for day, want := range map[string]bool{"2027-12-23": false, "2027-12-24": true, "2027-12-25": true, "2027-12-26": false} {
		if _, ok := cfg.Jobs[0].Schedule.Excluded(moment(t, day+"T05:00:00Z")); ok != want {
			t.Errorf("%s: got excluded %t, want %t", day, ok, want)
		}
	}
	write("de.ics", strings.Repeat("x", 1<<20+1))
	if _, err := config.Load(filepath.Join(dir, "c.yaml"), config.Overrides{}, kinds()); err == nil || !strings.Contains(err.Error(), "calendars[de].file 1048577 bytes are too many") {
		t.Errorf("got %v, want the size refused", err)
	}
	write("de.ics", "")
	if _, err := config.Load(filepath.Join(dir, "c.yaml"), config.Overrides{}, kinds()); err == nil || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("got %v, want an empty file refused", err)
	}
}

func TestCalendarsInTheWrongShapeAreRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"calendars: { de: [2027-12-25] }\n" + oneJob:                                          "c.yaml:1:12 calendars must be a list of maps with name and dates, not a map",
		"calendars: [" + strings.Repeat("{},", 101) + "]\n" + oneJob:                          "c.yaml:1:12 calendars holds 101 calendars: at most 100",
		"jobs: [{name: a, schedule: '0 5 * * *', func: demo.noop, exclude: {calendars: de}}]": `c.yaml:1:79 jobs[a].exclude.calendars "de" is no calendar: there are none below the key calendars at the top of the file`,
	} {
		if got := bad(t, text).Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
