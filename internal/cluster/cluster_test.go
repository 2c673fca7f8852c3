package cluster

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/scheduler"
)

var (
	quick = Job{Name: "quick", Spec: "* * * * *", Takes: 50 * time.Millisecond}
	slow  = Job{Name: "slow", Spec: "*/2 * * * *", Takes: 50 * time.Second}
)

// bubble runs f in a World and then holds what was seen against the promise,
// for every tick from a moment after the start to one before the end.
func bubble(t *testing.T, cfg election.Config, f func(*testing.T, *World), defs ...Job) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := New(t, cfg)
		from := time.Now()
		f(t, w)
		to := time.Now().Add(-2 * time.Minute)
		w.Close()
		for _, d := range defs {
			for _, fault := range w.Faults(d.Name, parse(t, d), from, to) {
				t.Error(fault)
			}
		}
	})
}

func parse(t *testing.T, d Job) *schedule.Schedule {
	t.Helper()
	s, err := schedule.Parse(d.Spec, schedule.Options{Key: d.Name})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReplicaThatIsLateFindsTheTickSpent(t *testing.T) {
	t.Parallel()
	bubble(t, election.Config{}, func(t *testing.T, w *World) {
		w.Start("a", 0, quick)
		w.Start("b", 0, quick)
		w.Start("c", 0, quick).Lag(400 * time.Millisecond)
		time.Sleep(time.Hour + 10*time.Second)
		if got := w.Runs(); got != 60 {
			t.Errorf("%d runs in an hour of minutes, want 60", got)
		}
	}, quick)
}

func TestReplicasWhoseClocksDisagreeRunEachTickOnceAndNeverEarly(t *testing.T) {
	t.Parallel()
	bubble(t, election.Config{}, func(t *testing.T, w *World) {
		for i, skew := range []time.Duration{-3 * time.Second, 0, 3 * time.Second, 50 * time.Millisecond} {
			w.Start(fmt.Sprintf("r%d", i), skew, quick)
		}
		time.Sleep(time.Hour + 10*time.Second)
		if got := w.Runs(); got != 60 {
			t.Errorf("%d runs in an hour of minutes, want 60", got)
		}
		if early := w.Early(); len(early) > 0 {
			t.Errorf("started before their tick on the store's clock: %v", early)
		}
	}, quick)
}

func TestPartitionEndsTheRunBeforeAnotherStarts(t *testing.T) {
	t.Parallel()
	long := Job{Name: "long", Spec: "* * * * *", Takes: 10 * time.Minute, Deaf: 4 * time.Second}
	bubble(t, election.Config{}, func(t *testing.T, w *World) {
		a := w.Start("a", 0, long)
		time.Sleep(90 * time.Second)
		w.Start("b", 0, long)
		a.Cut(true)
		time.Sleep(5 * time.Minute)
		a.Cut(false)
		time.Sleep(20 * time.Minute)
		first := time.Date(2000, 1, 1, 1, 1, 0, 0, time.UTC)
		if got, ok := w.Verdict("long", first); !ok || got.Verdict != scheduler.LeaseLost {
			t.Errorf("verdict on the run that was cut off = %v, want lost", got.Verdict)
		}
	}, long)
}

func TestNextTickAfterAKilledHolderStartsWithinTTLAndLockDelay(t *testing.T) {
	t.Parallel()
	// Killed between the store's decision and its event, a replica takes the event
	// along (see the package comment of scheduler); so not at the instant of a tick.
	often := Job{Name: "often", Spec: "@every 1s", Takes: 20 * time.Second}
	bubble(t, election.Config{TTL: 10 * time.Second, LockDelay: 2 * time.Second}, func(t *testing.T, w *World) {
		a := w.Start("a", 0, often)
		time.Sleep(5500 * time.Millisecond)
		w.Start("b", 0, often)
		before := w.Runs()
		killed := time.Now()
		a.Kill()
		time.Sleep(13 * time.Second)
		if w.Runs() == before {
			t.Errorf("no run started within %s of the kill", time.Since(killed))
		}
		time.Sleep(3 * time.Minute)
	}, often)
}

func TestReplicaThatIsPausedForLessThanTheLockDelayOverlapsWithNobody(t *testing.T) {
	t.Parallel()
	busy := Job{Name: "busy", Spec: "* * * * *", Takes: 45 * time.Second, Deaf: 3 * time.Second}
	bubble(t, election.Config{}, func(t *testing.T, w *World) {
		all := []*Replica{w.Start("a", 0, busy), w.Start("b", 0, busy), w.Start("c", 0, busy)}
		for i := range 30 {
			time.Sleep(time.Duration(40+7*i%50) * time.Second)
			all[i%3].Pause(time.Duration(2+i) * time.Second)
		}
		time.Sleep(3 * time.Minute)
	}, busy)
}

func TestRedisThatForgetsEverythingLetsNoTickRunTwice(t *testing.T) {
	t.Parallel()
	bubble(t, election.Config{}, func(t *testing.T, w *World) {
		for _, name := range []string{"a", "b", "c"} {
			w.Start(name, 0, quick, slow)
		}
		for range 10 {
			time.Sleep(3*time.Minute + 17*time.Second)
			w.Flush()
		}
		time.Sleep(5 * time.Minute)
	}, quick, slow)
}

func TestRollingRestartLosesNoTick(t *testing.T) {
	t.Parallel()
	bubble(t, election.Config{}, func(t *testing.T, w *World) {
		var old []*Replica
		for i := range 3 {
			old = append(old, w.Start(fmt.Sprintf("old%d", i), 0, quick, slow))
		}
		time.Sleep(10 * time.Minute)
		for i, r := range old {
			w.Start(fmt.Sprintf("new%d", i), 0, quick, slow)
			time.Sleep(55 * time.Second)
			r.Stop()
		}
		time.Sleep(10 * time.Minute)
		if got := w.Count(scheduler.Succeeded); got < 30 {
			t.Errorf("%d ticks succeeded, want all of some 33", got)
		}
		if lost := w.Count(scheduler.Missed) + w.Count(scheduler.Skipped); lost > 0 {
			t.Errorf("%d ticks were missed or skipped in a rolling restart, want none", lost)
		}
	}, quick, slow)
}

func TestTriggerDuringAPartitionFailsInTimeAndStartsNothing(t *testing.T) {
	t.Parallel()
	bubble(t, election.Config{}, func(t *testing.T, w *World) {
		a := w.Start("a", 0, slow)
		time.Sleep(time.Second)
		a.Cut(true)
		began := time.Now()
		if _, err := a.Trigger("slow"); !errors.Is(err, scheduler.ErrNoAnswer) {
			t.Errorf("trigger: %v, want ErrNoAnswer", err)
		}
		if took := time.Since(began); took > 7*time.Second {
			t.Errorf("trigger took %s", took)
		}
		if got := w.Runs(); got != 0 {
			t.Errorf("%d runs, want 0", got)
		}
		a.Cut(false)
		time.Sleep(time.Minute)
	})
}

// disturb does something random to a replica of the world.
func disturb(w *World, rnd *rand.Rand) {
	r := w.all[rnd.IntN(len(w.all))]
	switch rnd.IntN(5) {
	case 0:
		r.Cut(true)
	case 1:
		r.Lag(time.Duration(rnd.IntN(900)) * time.Millisecond)
	case 2:
		r.Pause(time.Duration(rnd.IntN(8)) * time.Second)
	default:
		r.Cut(false)
		r.Lag(time.Duration(rnd.IntN(20)) * time.Millisecond)
	}
}

// unrest starts n replicas and disturbs them for d.
func unrest(w *World, seed uint64, n int, d time.Duration, defs ...Job) {
	rnd := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		skew := time.Duration(rnd.IntN(6000)-3000) * time.Millisecond
		w.Start(fmt.Sprintf("r%d", i), skew, defs...)
	}
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(time.Duration(10+rnd.IntN(290)) * time.Second)
		disturb(w, rnd)
	}
	for _, r := range w.all {
		r.Cut(false)
		r.Lag(0)
	}
	time.Sleep(15 * time.Minute)
}

func TestADayOfMinuteTicksOnFiveReplicasInUnrest(t *testing.T) {
	t.Parallel()
	began, day := time.Now(), 24*time.Hour
	if raceEnabled {
		day /= 4 // the detector makes it several times slower
	}
	bubble(t, election.Config{}, func(t *testing.T, w *World) {
		unrest(w, 1, 5, day, quick)
		if got, all := w.Count(scheduler.Succeeded), int(day/time.Minute); got < all*9/10 {
			t.Errorf("%d of %d ticks succeeded", got, all)
		}
	}, quick)
	if took := time.Since(began); took > time.Minute && !raceEnabled {
		t.Errorf("the day took %s, want under a minute", took)
	}
}

func TestSeedsOfUnrest(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			bubble(t, election.Config{}, func(_ *testing.T, w *World) {
				unrest(w, seed, 4, 33*time.Minute, quick, slow)
			}, quick, slow)
		})
	}
}
