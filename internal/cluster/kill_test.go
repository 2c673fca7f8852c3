package cluster

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/scheduler"
)

// NousResearch/hermes-agent#108945; librefang#3828. The replica is killed at each
// instant between an answer of the store and what it does about it.
func TestM10AKillAtAnyInstantLeavesNoTickUnmentioned(t *testing.T) {
	t.Parallel()
	for at, want := range map[Instant]string{
		AfterClaim:   "succeeded()",
		AfterRefusal: "missed(unrecorded)",
		AfterStart:   "lost(crash)",
		AfterRelease: "succeeded()",
	} {
		t.Run(fmt.Sprintf("instant %d", at), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := New(t, election.Config{TTL: 10 * time.Second, LockDelay: time.Second})
				w.keeps = true
				job := Job{Name: "job", Spec: "*/5 * * * *", Takes: 5 * time.Second}
				if at == AfterRefusal {
					job.Takes = 6 * time.Minute // the next tick is skipped
				}
				a := w.Start("a", 0, job)
				from := time.Now()
				tick := parse(t, job).Next(from)
				if at == AfterRefusal {
					time.Sleep(time.Until(tick) + time.Second) // a has the run, b refuses the next tick
					b := w.Start("b", 0, job)
					a.Lag(300 * time.Millisecond)
					a, tick = b, parse(t, job).Next(tick)
				}
				a.killer.at.Store(uint32(at))
				time.Sleep(time.Until(tick) + 3*time.Second)
				c := w.Start("c", 0, job)
				time.Sleep(2 * time.Minute)
				if !a.killed() && at != AfterRelease {
					t.Fatal("the replica was not killed")
				}
				row, known, err := c.journal.Find(context.Background(), scheduler.Tick{Job: "job", At: tick}.ID())
				if got := fmt.Sprintf("%s(%s)", row.Verdict, row.Reason); err != nil || !known || got != want {
					t.Errorf("the journal says %s, %v, %v; want %s", got, known, err, want)
				}
				time.Sleep(10 * time.Minute)
				rows, err := c.journal.Past(context.Background(), "job", scheduler.Query{})
				if err != nil {
					t.Error(err)
				}
				seen := map[time.Time]int{}
				for _, r := range rows {
					seen[r.Tick]++
				}
				for at := parse(t, job).Next(from); at.Before(time.Now().Add(-time.Minute)); at = parse(t, job).Next(at) {
					if seen[at] != 1 {
						t.Errorf("%s has %d rows, want 1", at.Format(time.TimeOnly), seen[at])
					}
				}
				w.Close()
				for _, fault := range w.Broken() {
					t.Error(fault)
				}
			})
		})
	}
}
