//go:build linux

package supervisor_test

import (
	"slices"
	"testing"

	"github.com/solocron/solocron/guard/internal/supervisor"
	"github.com/solocron/solocron/guard/internal/wire"
)

const second = int64(1e9)

func TestEachMomentOfARunHasItsStep(t *testing.T) {
	t.Parallel()
	const never = wire.Never
	for name, c := range map[string]struct {
		stop, dead                   int64 // s
		exited, asked, swept, killed int64 // ms
		now                          int64 // ms
		want                         supervisor.Step
		until                        int64 // ms; 0: not compared
	}{
		"a program within its time is waited for":          {stop: 10, dead: 12, now: 9999, want: supervisor.Wait, until: 10000},
		"at its stop it is asked to end":                   {stop: 10, dead: 12, now: 10000, want: supervisor.Ask},
		"once asked it has until it must be dead":          {stop: 10, dead: 12, asked: 10000, now: 11999, want: supervisor.Wait, until: 12000},
		"then it is killed":                                {stop: 10, dead: 12, asked: 10000, now: 12000, want: supervisor.Kill, until: 12005},
		"one that woke too late is killed unasked":         {stop: 10, dead: 12, now: 12000, want: supervisor.Kill},
		"what it leaves behind may settle":                 {stop: 10, dead: 12, exited: 1000, now: 1099, want: supervisor.Wait, until: 1100},
		"then it is asked to end as well":                  {stop: 10, dead: 12, exited: 1000, now: 1100, want: supervisor.Sweep},
		"it has the grace":                                 {stop: 10, dead: 12, exited: 1000, swept: 1100, now: 3099, want: supervisor.Wait, until: 3100},
		"and no more":                                      {stop: 10, dead: 12, exited: 1000, swept: 1100, now: 3100, want: supervisor.Kill},
		"nor beyond the deadline":                          {stop: 10, dead: 12, exited: 10950, swept: 11100, now: 12000, want: supervisor.Kill},
		"a stop in that time changes nothing":              {stop: 1, dead: 12, exited: 1000, now: 1050, want: supervisor.Wait, until: 1100},
		"the killed are killed again while some live":      {stop: 10, dead: 12, killed: 12000, now: 13999, want: supervisor.Kill},
		"even if the deadline moved":                       {stop: 20, dead: 22, killed: 12000, now: 12005, want: supervisor.Kill},
		"until it is clear that they cannot be":            {stop: 10, dead: 12, killed: 12000, now: 14000, want: supervisor.GiveUp},
		"a run without a lease waits for ever":             {stop: -1, dead: -1, now: 1 << 40, want: supervisor.Wait, until: never},
		"what it leaves behind has the grace all the same": {stop: -1, dead: -1, exited: 1000, swept: 1100, now: 3100, want: supervisor.Kill},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := wire.Deadline{Stop: c.stop * second, Dead: c.dead * second}
			if c.stop < 0 {
				d = wire.Deadline{Stop: never, Dead: never}
			}
			ms := second / 1000
			p := supervisor.NewPlan(supervisor.Plan{Deadline: d}, 2*second, c.exited*ms, c.asked*ms, c.swept*ms, c.killed*ms)
			got, until := supervisor.Next(p, c.now*ms)
			if c.until != 0 && c.until != never {
				c.until *= ms
			}
			if got != c.want || c.until != 0 && until != c.until {
				t.Errorf("got step %d until %d, want %d until %d", got, until, c.want, c.until)
			}
		})
	}
}

func TestDescendantsAreFoundOverGenerations(t *testing.T) {
	t.Parallel()
	all := [][2]int{{9, 5}, {5, 3}, {3, 2}, {4, 2}, {2, 1}, {7, 1}, {1, 0}}
	got := supervisor.Descendants(2, all...)
	slices.Sort(got)
	if want := []int{3, 4, 5, 9}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := supervisor.Descendants(9, all...); len(got) != 0 {
		t.Errorf("got %v below a process without children", got)
	}
}

func TestParentIsReadBehindAnyName(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{
		"7 (a) R 1 ( ) S 42 41 41 0 -1 4194560": 42,
		"7 (sh) S 1 7 7":                        1,
		"nonsense":                              0,
		"7 (cut)":                               0,
		"7 (cut) S":                             0,
		"":                                      0,
	} {
		if got := supervisor.ParentOf([]byte(line)); got != want {
			t.Errorf("%q: got %d, want %d", line, got, want)
		}
	}
}

func TestOnlyTheExactCommandLineMakesAGuard(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"scheduler\x00guard\x00": true, "scheduler\x00guard": false, "scheduler\x00guard\x00x\x00": false,
		"scheduler\x00": false, "guard\x00": false, "": false, "scheduler\x00guards\x00": false,
	} {
		if got := supervisor.IsCall([]byte(line)); got != want {
			t.Errorf("%q: got %t, want %t", line, got, want)
		}
	}
}
