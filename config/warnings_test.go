package config_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestWarningsSayWhatIsHardlyMeant(t *testing.T) {
	t.Parallel()
	now := moment(t, "2026-11-29T12:00:00Z")
	for _, c := range []struct{ job, want string }{
		{"schedule: '30 2 * * *', timeZone: Europe/Berlin, shell: x", "jobs[a].schedule 02:30 does not exist on 2027-03-28 (Europe/Berlin): runs 03:00"},
		{"schedule: '30 2 * * 1', timeZone: Europe/Berlin, shell: x", ""},
		{"schedule: '30 2 * * *', timeZone: Asia/Tokyo, shell: x", ""},
		{"schedule: '30 * * * *', timeZone: Europe/Berlin, shell: x", ""},
		{"schedule: '30 2 * * *', timeZone: Europe/Berlin, dst: {gap: skip}, shell: x", ""},
		{"schedule: '*/90 * * * *', shell: x", "jobs[a].schedule minute field: \"*/90\" has a step wider than the field"},
		{"schedule: '@at 2026-01-01T00:00', shell: x", "jobs[a].schedule is over: no moment comes after 2026-11-29T12:00:00Z"},
		{"schedule: '0 5 * * *', endAt: 2026-06-01, shell: x", "jobs[a].schedule is over"},
		{`schedule: '0 5 * * *', shell: 'date +\%F'`, `jobs[a].shell holds \%: in a crontab`},
		{"schedule: manual, shell: x", ""},
		{"schedule: '0 5 * * *', shell: 'date +%F'", ""},
	} {
		cfg := good(t, "\njobs:\n- {name: a, "+c.job+"}\n")
		list := cfg.Warnings(now)
		switch {
		case c.want == "" && len(list) > 0:
			t.Errorf("%s: got %v, want none", c.job, list)
		case c.want != "" && (len(list) != 1 || !strings.HasPrefix(list[0].String(), c.want) || list[0].Line != 3):
			t.Errorf("%s: got %v, want %s in line 3", c.job, list, c.want)
		}
	}
}

func TestWarningsAreBounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("jobs:\n")
	for i := range 1100 {
		fmt.Fprintf(&b, "- {name: j%d, schedule: '*/90 * * * *', shell: x}\n", i)
	}
	if got := len(good(t, b.String()).Warnings(moment(t, "2026-11-29T12:00:00Z"))); got != 1000 {
		t.Errorf("got %d warnings, want 1000", got)
	}
}
