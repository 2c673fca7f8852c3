package admin_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

// crowded adds jobs that take a minute, one for each policy.
func crowded(s *scheduler.Scheduler) error {
	var faults []error
	for _, o := range []jobs.Overlap{jobs.SkipOverlap, jobs.QueueOverlap, jobs.AllowOverlap} {
		name := string(o)
		if o == jobs.SkipOverlap {
			name = "skip"
		}
		faults = append(faults, s.AddUnscheduled(jobs.Job{Name: name, Runner: jobs.Func(long1m), Policies: jobs.Policies{Overlap: o}}))
	}
	return errors.Join(faults...)
}

func TestATriggerSaysForItselfWhatBecomesOfItWhileAnotherRunIsOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, crowded)
		defer w.stop()
		trigger := func(replica, job, policy string, status int) map[string]any {
			return w.ask(replica, "POST", "jobs/"+job+"/trigger", `{"overlapPolicy": "`+policy+`"}`, status)
		}
		first := w.ask("a", "POST", "jobs/skip/trigger", "", 202)["id"].(string)
		time.Sleep(10 * time.Second)
		is(t, trigger("b", "skip", "skip", 409), map[string]any{"type": "urn:solocron:problem:job-already-running", "run": first})
		queued := trigger("b", "skip", "queue", 202)["id"].(string)
		beside := trigger("a", "skip", "allow", 202)["id"].(string)
		time.Sleep(5 * time.Second)
		is(t, w.run(first), map[string]any{"status": "running"})
		is(t, w.run(beside), map[string]any{"status": "running"})
		is(t, w.run(queued), map[string]any{"status": "queued"})
		time.Sleep(50 * time.Second)
		is(t, w.run(first), map[string]any{"status": "succeeded"})
		is(t, w.run(queued), map[string]any{"status": "running"})
		instead := trigger("b", "skip", "replace", 202)["id"].(string)
		time.Sleep(5 * time.Second)
		is(t, w.run(queued), map[string]any{"status": "cancelled", "why": "replaced"})
		is(t, w.run(instead), map[string]any{"status": "running"})

		w.ask("a", "POST", "jobs/queue/trigger", "", 202)
		time.Sleep(5 * time.Second)
		is(t, trigger("b", "queue", "skip", 409), map[string]any{"type": "urn:solocron:problem:job-already-running"})
		waits := w.ask("b", "POST", "jobs/queue/trigger", "", 202)["id"].(string)
		time.Sleep(5 * time.Second)
		is(t, w.run(waits), map[string]any{"status": "queued"})
		is(t, trigger("a", "allow", "skip", 400), map[string]any{"type": "urn:solocron:problem:bad-request"})
		trigger("a", "allow", "allow", 202)
		trigger("a", "allow", "never", 422)
		time.Sleep(5 * time.Minute)
		for _, run := range []string{beside, instead, waits} {
			is(t, w.run(run), map[string]any{"status": "succeeded"})
		}
	})
}

func TestARehearsalKnowsThePolicyOfItsRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, crowded)
		defer w.stop()
		w.define(jobs.Job{Name: "skip"}, jobs.Job{Name: "allow", Policies: jobs.Policies{Overlap: jobs.AllowOverlap}})
		w.ask("a", "POST", "jobs/skip/trigger", "", 202)
		time.Sleep(5 * time.Second)
		w.ask("a", "POST", "jobs/skip/trigger", `{"dryRun": true}`, 409)
		w.ask("a", "POST", "jobs/skip/trigger", `{"dryRun": true, "overlapPolicy": "queue"}`, 200)
		w.ask("a", "POST", "jobs/allow/trigger", `{"dryRun": true, "overlapPolicy": "queue"}`, 400)
	})
}

func TestARehearsalOfABackfillListsItsMomentsAndAsksForNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hourly)
		defer w.stop()
		time.Sleep(5 * time.Hour)
		const body = `{"from": "2000-01-01T01:00:00Z", "to": "2000-01-01T09:00:00Z", "spacing": "1m", "reason": "again", "dryRun": true}`
		list := items(w.ask("a", "POST", "jobs/hourly/backfill", body, 200))
		if len(list) != 5 {
			t.Fatalf("got %d moments, want the 5 that have passed: %v", len(list), list)
		}
		is(t, list[1], map[string]any{
			"id": "", "dryRun": true, "tick": "2000-01-01T02:00:00Z", "notBefore": "2000-01-01T05:01:01Z", "cause": "backfill", "status": "queued", "reason": "again",
		})
		is(t, w.ask("a", "POST", "jobs/hourly/backfill", `{"from": "1999-01-01T00:00:00Z", "to": "2000-01-01T00:00:00Z", "dryRun": true}`, 422),
			map[string]any{"type": "urn:solocron:problem:too-many-ticks"})
		w.ask("a", "POST", "jobs/hourly/backfill", `{"from": "1999-12-27T20:00:00Z", "to": "2000-01-01T00:00:00Z", "dryRun": true}`, 200) // 100 of them
		w.ask("a", "POST", "jobs/hourly/backfill", `{"from": "1999-12-27T19:00:00Z", "to": "2000-01-01T00:00:00Z", "dryRun": true}`, 422)
		w.ask("a", "POST", "jobs/nope/backfill", body, 404)
		time.Sleep(time.Minute)
		if got := items(w.ask("a", "GET", "runs?trigger=backfill", "", 200)); len(got) != 0 {
			t.Errorf("runs: got %v, want none", got)
		}
		if got := items(w.ask("a", "GET", "activity", "", 200)); len(got) != 0 {
			t.Errorf("activity: got %v, want none", got)
		}
	})
}
