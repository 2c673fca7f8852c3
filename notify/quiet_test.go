package notify_test

import (
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/notify"
)

func TestSilenceEndsWhenItShould(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	all := [7]bool{true, true, true, true, true, true, true}
	night := notify.Quiet{Zone: berlin, QuietWindow: config.QuietWindow{From: 22 * 60, To: 6 * 60, Days: all}}
	weekend := notify.Quiet{Zone: time.UTC, QuietWindow: config.QuietWindow{Days: [7]bool{time.Saturday: true, time.Sunday: true}}}
	morning := notify.Quiet{Zone: time.UTC, QuietWindow: config.QuietWindow{From: 5 * 60, To: 8 * 60, Days: all}}
	until := notify.Quiet{QuietWindow: config.QuietWindow{Until: time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)}}
	at := func(text string) time.Time {
		got, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for name, c := range map[string]struct {
		quiet     []notify.Quiet
		now, want string
	}{
		"none":                         {nil, "2026-11-29T12:00:00Z", "2026-11-29T12:00:00Z"},
		"by day":                       {[]notify.Quiet{night}, "2026-11-29T12:00:00Z", "2026-11-29T12:00:00Z"},
		"in the evening":               {[]notify.Quiet{night}, "2026-11-29T21:30:00Z", "2026-11-30T05:00:00Z"},
		"after midnight":               {[]notify.Quiet{night}, "2026-11-30T00:30:00Z", "2026-11-30T05:00:00Z"},
		"at its end":                   {[]notify.Quiet{night}, "2026-11-30T05:00:00Z", "2026-11-30T05:00:00Z"},
		"a night that an hour is long": {[]notify.Quiet{night}, "2026-10-24T21:00:00Z", "2026-10-25T05:00:00Z"},
		"a whole weekend":              {[]notify.Quiet{weekend}, "2026-11-28T10:00:00Z", "2026-11-30T00:00:00Z"},
		"one after another":            {[]notify.Quiet{morning, night}, "2026-11-29T22:30:00Z", "2026-11-30T08:00:00Z"},
		"until a moment":               {[]notify.Quiet{until}, "2026-11-29T12:00:00Z", "2026-12-01T08:00:00Z"},
		"after the moment":             {[]notify.Quiet{until}, "2026-12-01T08:00:00Z", "2026-12-01T08:00:00Z"},
	} {
		p := &notify.Policy{Quiet: c.quiet}
		if got := p.QuietUntil(at(c.now)); !got.Equal(at(c.want)) {
			t.Errorf("%s: got %v, want %s", name, got.UTC(), c.want)
		}
	}
}
