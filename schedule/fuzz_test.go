package schedule_test

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/solocron/solocron/schedule"
)

// FuzzParse feeds anything to the parser, and holds what it accepts to the
// promises of Next, Prev and String.
func FuzzParse(f *testing.F) {
	for _, spec := range []string{
		"* * * * *", "*/15 9-17 * * MON-FRI", "0 0 L,LW,15W * 5#2,5L", "H/15 H(0-7) * * *", "@every 1d12h", "@at 2027-03-28T02:30",
		"TZ=0", "CRON_TZ=UTC", "TZ=TZ=TZ=", "TZ=UTC\t@daily", "CRON_TZ=Europe/Berlin 0 5 * * *", ", * * * *", "*-5 * * * *", "0 0 30 2 1",
		"0 30 2 * * *", "0 0 29 2 */7", "* * * * * root true", "1,,2 * * * *", "５ * * * *", "@hourly", "*/60,7 2 */40 * ?/9",
	} {
		f.Add(spec, "prod/a", int64(1774746000), uint8(0))
		f.Add(spec, "", int64(1793509200), uint8(0xff))
	}
	zones := []*time.Location{mustZone(f, "Europe/Berlin"), mustZone(f, "Australia/Lord_Howe"), time.UTC, mustZone(f, "America/Santiago")}
	f.Fuzz(func(t *testing.T, spec, key string, unix int64, bits uint8) {
		o := schedule.Options{
			Zone: zones[bits&3], Key: key, Seconds: bits&4 != 0,
			Gap: schedule.Gap(bits >> 3 & 1), Overlap: schedule.Overlap(bits >> 4 & 3),
		}
		s, err := schedule.Parse(spec, o)
		if err != nil {
			checkError(t, err)
			return
		}
		checkPromises(t, s, time.Unix(unix%(1<<33), 0))
		checkCanonical(t, s, o, time.Unix(unix%(1<<33), 0))
	})
}

func checkError(t *testing.T, err error) {
	t.Helper()
	e, ok := errors.AsType[*schedule.ParseError](err)
	if !ok || e.Msg == "" || utf8.RuneCountInString(e.Spec) > 81 || utf8.RuneCountInString(e.Token) > 90 || len(e.Error()) > 1500 {
		t.Fatalf("got the error %#v", err)
	}
}

func checkPromises(t *testing.T, s *schedule.Schedule, at time.Time) {
	t.Helper()
	if s.Explain() == "" || s.Location() == nil {
		t.Fatalf("%q: no words or no zone", s.Spec())
	}
	for range 4 {
		next := s.Next(at)
		if next.IsZero() {
			return // a single moment that has passed
		}
		if !next.After(at) || next.Nanosecond() != 0 {
			t.Fatalf("%s after %s: got %s", s, at, next)
		}
		if back := s.Prev(next.Add(time.Nanosecond)); !back.Equal(next) {
			t.Fatalf("%s before just after %s: got %s", s, next, back)
		}
		if back := s.Prev(next); back.After(at) {
			t.Fatalf("%s: %s lies between %s and its next %s", s, back, at, next)
		}
		s.Note(next)
		at = next
	}
}

// checkCanonical reads the canonical text of s again: it must mean the same and
// be its own canonical text.
func checkCanonical(t *testing.T, s *schedule.Schedule, o schedule.Options, at time.Time) {
	t.Helper()
	text, _, isFields := strings.Cut(s.String(), " [")
	if !isFields || strings.Contains(text, "H:") {
		return
	}
	o.Seconds = len(strings.Fields(text)) == 6
	again, err := schedule.Parse(text, o)
	if err != nil {
		t.Fatalf("%q from %q: %v", text, s.Spec(), err)
	}
	if again.String() != s.String() || !again.Next(at).Equal(s.Next(at)) {
		t.Fatalf("%q is %s, read again %s", s.Spec(), s, again)
	}
}
