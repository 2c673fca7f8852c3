package cluster

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
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

// A request that was kept is run by somebody, or its run recorded, at whichever
// instant the replica that took it dies.
func TestKillAtAnyInstantLosesNoRequest(t *testing.T) {
	t.Parallel()
	for at, want := range map[Instant]string{
		AfterPut:     "succeeded()",
		AfterClaim:   "succeeded()",
		AfterBegin:   "succeeded()",
		AfterStart:   "lost(crash)",
		AfterRelease: "succeeded()",
	} {
		t.Run(fmt.Sprintf("instant %d", at), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := New(t, election.Config{TTL: 10 * time.Second, LockDelay: time.Second})
				w.keeps = true
				job := Job{Name: "job", Spec: "0 0 1 1 *", Takes: 5 * time.Second}
				// Only a is there to take it; the others come when it is dead.
				a := w.Start("a", 0, job)
				time.Sleep(2 * time.Second)
				a.killer.at.Store(uint32(at))
				row, err := a.Trigger("job")
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				for !a.killed() && time.Since(began) < time.Minute {
					time.Sleep(100 * time.Millisecond)
				}
				b := w.Start("b", 0, job)
				w.Start("c", 0, job)
				if at == AfterPut {
					time.Sleep(2 * time.Second)
					if w.Runs() != 1 {
						t.Error("the request has not started on another replica within 2 s")
					}
				}
				time.Sleep(3 * time.Minute)
				got, known, err := b.journal.Find(context.Background(), row.ID)
				if is := fmt.Sprintf("%s(%s)", got.Verdict, got.Reason); err != nil || !known || is != want {
					t.Errorf("the journal says %s, %v, %v; want %s", is, known, err, want)
				}
				if runs := w.Runs(); runs > 1 {
					t.Errorf("%d runs, want 1 at most", runs)
				}
				inbox, err := b.journal.Poll(context.Background(), 10)
				if err != nil || len(inbox.Due)+len(inbox.Begun) > 0 {
					t.Errorf("left in the journal: %+v, %v", inbox, err)
				}
				w.Close()
				for _, fault := range w.Broken() {
					t.Error(fault)
				}
			})
		})
	}
}

// A job that runs once a year has no next tick that would find its dead run.
func TestRunOfAKilledReplicaIsRerunWithinTTLAndLockDelay(t *testing.T) {
	t.Parallel()
	for policy, want := range map[jobs.HolderLost]string{
		jobs.RerunOnHolderLost: "succeeded()", jobs.SkipOnHolderLost: "lost(crash)",
	} {
		t.Run("policy "+string(policy), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				cfg := election.Config{TTL: 10 * time.Second, LockDelay: time.Second}
				w := New(t, cfg)
				w.keeps = true
				job := Job{Name: "job", Spec: "5 1 1 1 *", Takes: 30 * time.Second, Policies: jobs.Policies{OnHolderLost: policy}}
				a := w.Start("a", 0, job)
				time.Sleep(4*time.Minute + 40*time.Second) // a has it
				b := w.Start("b", 0, job)
				w.Start("c", 0, job)
				time.Sleep(10 * time.Second)
				run := scheduler.Tick{Job: "job", At: time.Date(2000, 1, 1, 1, 5, 0, 0, time.UTC)}.ID()
				a.Kill()
				bound := cfg.TTL + cfg.LockDelay + time.Second
				time.Sleep(bound)
				if got, rerun := w.Runs(), policy == jobs.RerunOnHolderLost; rerun && got != 2 || !rerun && got != 1 {
					t.Errorf("%d attempts %s after the kill", got, bound)
				}
				time.Sleep(time.Minute)
				row, known, err := b.journal.Find(context.Background(), run)
				if got := fmt.Sprintf("%s(%s)", row.Verdict, row.Reason); err != nil || !known || got != want {
					t.Errorf("the journal says %s, %v, %v; want %s", got, known, err, want)
				}
				w.Close()
				for _, fault := range w.Broken() {
					t.Error(fault)
				}
			})
		})
	}
}
