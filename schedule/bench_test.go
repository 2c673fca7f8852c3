package schedule_test

import (
	"testing"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/solocron/solocron/schedule"
)

// benchSpecs are common schedules, then hard ones.
func benchSpecs() []struct{ name, spec, zone string } {
	return []struct{ name, spec, zone string }{
		{"minutely", "* * * * *", "UTC"},
		{"quarter", "*/15 * * * *", "Europe/Berlin"},
		{"daily", "30 2 * * *", "Europe/Berlin"},
		{"workdays", "0 9 * * 1-5", "America/New_York"},
		{"monthly", "0 0 1 * *", "Africa/Cairo"},
		{"leapday", "0 0 29 2 *", "UTC"},
		{"leapday-berlin", "0 0 29 2 *", "Europe/Berlin"},
		{"leap-sunday-lordhowe", "0 0 29 2 */7", "Australia/Lord_Howe"},
		{"jump-wildcard", "*/30 2 8 3 *", "America/New_York"},
	}
}

func BenchmarkNext(b *testing.B) {
	from := time.Date(2026, 3, 1, 12, 34, 56, 0, time.UTC)
	for _, c := range benchSpecs() {
		zone, err := schedule.LoadZone(c.zone)
		if err != nil {
			b.Fatal(err)
		}
		ours, err := schedule.Parse(c.spec, schedule.Options{Zone: zone})
		if err != nil {
			b.Fatal(err)
		}
		theirs, err := cron.ParseStandard("CRON_TZ=" + c.zone + " " + c.spec)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name+"/ours", func(b *testing.B) {
			for b.Loop() {
				ours.Next(from)
			}
		})
		b.Run(c.name+"/robfig", func(b *testing.B) {
			for b.Loop() {
				theirs.Next(from)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	zone, err := schedule.LoadZone("Europe/Berlin")
	if err != nil {
		b.Fatal(err)
	}
	for _, spec := range []string{"30 2 * * *", "*/15 9-17 * * 1-5", "H/15 H * * *", "0 0 LW * *", "@daily", "@every 15m"} {
		b.Run(spec, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := schedule.Parse(spec, schedule.Options{Zone: zone, Key: "prod/nightly-report"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRelease(b *testing.B) {
	weekend := mustCalendar(b, schedule.CalendarSpec{Name: "weekend", Zone: mustZone(b, "Europe/Berlin"), Weekdays: []string{"sat", "sun"}, Dates: []string{"12-25"}})
	events := mustCalendar(b, schedule.CalendarSpec{Name: "events", ICal: file("DTSTART:20200101T220000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY")})
	both := []*schedule.Calendar{weekend, events}
	for name, rules := range map[string]schedule.Rules{
		"none":         {},
		"jitter":       {Jitter: time.Minute},
		"skip":         {Exclude: both},
		"defer":        {Exclude: both, Defer: true},
		"defer-jitter": {Exclude: both, Defer: true, Jitter: time.Minute},
	} {
		b.Run(name, func(b *testing.B) {
			s := mustRule(b, mustParse(b, "30 22 * * *", schedule.Options{Zone: mustZone(b, "Europe/Berlin")}), rules)
			at := s.Next(time.Unix(1798700000, 0))
			b.ReportAllocs()
			for b.Loop() {
				s.Release(at)
				s.Excluded(at)
			}
		})
	}
}
