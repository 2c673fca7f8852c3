package admin_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

func TestATriggerBecomesARunAndItsRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		queued := w.ask("a", "POST", "jobs/quick/trigger", `{"params": {"day": 7}, "reason": "dns is back"}`, 202)
		is(t, queued, map[string]any{"job": "quick", "state": "queued", "cause": "manual", "by": "api", "reason": "dns is back"})
		time.Sleep(time.Second)
		row := w.run(queued["id"].(string))
		is(t, row, map[string]any{"state": "ended", "verdict": "succeeded", "reason": "dns is back", "attempt": 1.0, "tick": queued["tick"]})
		if params := row["params"].(map[string]any); params["day"] != "7" {
			t.Errorf("params: got %v, want day 7", params)
		}
		for _, key := range []string{"error", "why", "attempts", "notBefore", "acknowledged"} {
			if row[key] != nil {
				t.Errorf("%s of a run without: got %v, want nothing", key, row[key])
			}
		}
		if _, err := time.Parse(time.RFC3339Nano, row["started"].(string)); err != nil {
			t.Errorf("started: %v", err)
		}
		list := items(w.ask("b", "GET", "jobs/quick/runs", "", 200))
		if len(list) != 1 || list[0]["id"] != queued["id"] {
			t.Errorf("runs of the job: got %v", list)
		}
		deeds := items(w.ask("b", "GET", "activity", "", 200))
		if len(deeds) != 1 {
			t.Fatalf("activity: got %v, want one deed", deeds)
		}
		is(t, deeds[0], map[string]any{"who": "api", "what": "trigger", "job": "quick", "run": queued["id"], "reason": "dns is back", "from": "192.0.2.1"})
	})
}

func TestTheSameKeyOnTwoReplicasIsOneRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		first := w.ask("a", "POST", "jobs/long/trigger", "", 202, "Idempotency-Key", "k1")
		again := w.ask("b", "POST", "jobs/long/trigger", "", 202, "Idempotency-Key", "k1")
		time.Sleep(2 * time.Second)
		running := w.ask("b", "POST", "jobs/long/trigger", "", 202, "Idempotency-Key", "k1")
		is(t, again, map[string]any{"id": first["id"]})
		is(t, running, map[string]any{"id": first["id"], "state": "running"})
		if list := items(w.ask("a", "GET", "runs?status=open", "", 200)); len(list) != 1 {
			t.Errorf("open runs: got %v, want one", list)
		}
	})
}

func TestATriggerOfARunningJobIsToldWhichRunIsInTheWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		first := w.ask("a", "POST", "jobs/long/trigger", "", 202)
		time.Sleep(2 * time.Second)
		busy := w.ask("b", "POST", "jobs/long/trigger", "", 409)
		is(t, busy, map[string]any{
			"type": "urn:solocron:problem:job-already-running", "run": first["id"], "holder": w.run(first["id"].(string))["replica"],
		})
	})
}

func TestParametersThatAreWrongAreNamedOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		doc := w.ask("a", "POST", "jobs/quick/trigger", `{"params": {"day": "monday", "dya": "2"}}`, 422)
		faults := doc["errors"].([]any)
		if len(faults) != 2 {
			t.Fatalf("errors: got %v, want two", faults)
		}
		for i, name := range []string{"day", "dya"} {
			fault := faults[i].(map[string]any)
			if fault["param"] != name || fault["message"] == "" {
				t.Errorf("error %d: got %v, want one about %s", i, fault, name)
			}
		}
		if list := items(w.ask("a", "GET", "runs?status=open", "", 200)); len(list) != 0 {
			t.Errorf("open runs: got %v, want none", list)
		}
	})
}

func TestACancelThroughAnotherReplicaStopsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		run := w.ask("a", "POST", "jobs/long/trigger", "", 202)["id"].(string)
		time.Sleep(2 * time.Second)
		other := map[string]string{"a": "b", "b": "a"}[w.run(run)["replica"].(string)]
		is(t, w.ask(other, "POST", "runs/"+run+"/cancel", `{"reason": "enough"}`, 202), map[string]any{"id": run, "state": "running"})
		time.Sleep(2 * time.Second)
		is(t, w.run(run), map[string]any{"state": "ended", "verdict": "cancelled"})
		is(t, w.ask(other, "POST", "runs/"+run+"/cancel", "", 409), map[string]any{"type": "urn:solocron:problem:run-ended"})
		w.ask(other, "POST", "runs/long.20000101T000000Z/cancel", "", 404)
		if got := items(w.ask("a", "GET", "jobs/long/runs?verdict=cancelled", "", 200)); len(got) != 1 {
			t.Errorf("cancelled runs: got %v, want one", got)
		}
		if got := items(w.ask("a", "GET", "jobs/long/runs?verdict=failed", "", 200)); len(got) != 0 {
			t.Errorf("failed runs: got %v, want none", got)
		}
	})
}

func TestARerunHasTheMomentAndTheParametersOfTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		first := w.ask("a", "POST", "jobs/quick/trigger", `{"params": {"day": "7"}}`, 202)
		time.Sleep(10 * time.Second)
		again := w.ask("b", "POST", "runs/"+first["id"].(string)+"/rerun", `{"reason": "once more"}`, 202)
		time.Sleep(2 * time.Second)
		row := w.run(again["id"].(string))
		is(t, row, map[string]any{"cause": "rerun", "tick": first["tick"], "verdict": "succeeded", "reason": "once more"})
		if got := row["params"].(map[string]any)["day"]; got != "7" {
			t.Errorf("day: got %v, want 7", got)
		}
		if again["id"] == first["id"] {
			t.Error("a rerun has the ID of the first run")
		}
		w.ask("a", "POST", "runs/quick.20000101T000000Z/rerun", "", 404)
		w.ask("a", "POST", "runs/"+first["id"].(string)+"/rerun", `{"params": {"day": "x"}}`, 422)
	})
}

// hourly adds a job that runs every hour.
func hourly(s *scheduler.Scheduler) error {
	return s.Add("0 * * * *", jobs.Job{Name: "hourly", Runner: jobs.Func(quickly)})
}

func TestABackfillRunsEachPastMomentOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hourly)
		defer w.stop()
		time.Sleep(5 * time.Hour)
		doc := w.ask("a", "POST", "jobs/hourly/backfill",
			`{"from": "2000-01-01T01:00:00Z", "to": "2000-01-01T04:00:00Z", "spacing": "1m", "reason": "again"}`, 202)
		list := items(doc)
		if len(list) != 3 {
			t.Fatalf("got %d runs, want 3: %v", len(list), list)
		}
		time.Sleep(time.Second)
		is(t, w.run(list[1]["id"].(string)), map[string]any{"state": "queued", "tick": "2000-01-01T02:00:00Z"})
		if open := items(w.ask("a", "GET", "runs?status=open", "", 200)); len(open) != 2 || open[0]["notBefore"] == nil {
			t.Errorf("open runs: got %v, want two that wait for their turn", open)
		}
		time.Sleep(5 * time.Minute)
		for i, x := range list {
			row := w.run(x["id"].(string))
			is(t, row, map[string]any{"cause": "backfill", "verdict": "succeeded", "tick": time.Date(2000, 1, 1, 1+i, 0, 0, 0, time.UTC).Format(time.RFC3339)})
		}
		is(t, w.ask("a", "POST", "jobs/hourly/backfill", `{"from": "1999-01-01T00:00:00Z", "to": "2000-01-01T00:00:00Z"}`, 422),
			map[string]any{"type": "urn:solocron:problem:too-many-ticks"})
	})
}

func TestAPausedJobSkipsItsTicksUntilItIsResumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hourly)
		defer w.stop()
		is(t, w.ask("a", "POST", "jobs/hourly/pause", `{"reason": "upgrade"}`, 200), map[string]any{"closed": true, "by": "api", "reason": "upgrade"})
		is(t, w.ask("b", "GET", "jobs/hourly", "", 200), map[string]any{"paused": true})
		if got := items(w.ask("b", "GET", "jobs", "", 200)); got[0]["paused"] != true {
			t.Errorf("in the list: got %v, want paused", got[0])
		}
		time.Sleep(90 * time.Minute)
		is(t, w.run("hourly.20000101T010000Z"), map[string]any{"verdict": "skipped", "why": "paused"})
		is(t, w.ask("b", "POST", "jobs/hourly/resume", "", 200), map[string]any{"closed": false})

		is(t, w.ask("b", "POST", "jobs/hourly/skip-next", "", 200), map[string]any{"tick": "2000-01-01T02:00:00Z"})
		time.Sleep(2 * time.Hour)
		is(t, w.run("hourly.20000101T020000Z"), map[string]any{"verdict": "skipped", "why": "paused"})
		is(t, w.run("hourly.20000101T030000Z"), map[string]any{"verdict": "succeeded"})

		is(t, w.ask("b", "POST", "jobs/hourly/snooze", `{"for": "45m"}`, 200), map[string]any{"closed": true, "until": "2000-01-01T04:15:01Z"})
		time.Sleep(2 * time.Hour)
		is(t, w.run("hourly.20000101T040000Z"), map[string]any{"verdict": "skipped"})
		is(t, w.run("hourly.20000101T050000Z"), map[string]any{"verdict": "succeeded"})
		is(t, w.ask("b", "GET", "jobs/hourly", "", 200), map[string]any{"paused": false})
		var did []string
		for _, d := range items(w.ask("a", "GET", "activity?limit=10", "", 200)) {
			did = append(did, d["what"].(string))
		}
		if got, want := strings.Join(did, " "), "snooze skip-next resume pause"; got != want {
			t.Errorf("activity: got %s, want %s", got, want)
		}
	})
}

func TestADeadLetterStaysUntilItIsRunAgainOrAcknowledged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		run := w.ask("a", "POST", "jobs/broken/trigger", "", 202)["id"].(string)
		time.Sleep(time.Second + 500*time.Millisecond)
		time.Sleep(10 * time.Second)
		letters := items(w.ask("b", "GET", "dead-letters", "", 200))
		if len(letters) != 1 || letters[0]["id"] != run {
			t.Fatalf("dead letters: got %v, want %s", letters, run)
		}
		if tries := letters[0]["attempts"].([]any); len(tries) != 1 {
			t.Errorf("attempts before the last: got %v, want one", tries)
		}
		is(t, letters[0], map[string]any{"verdict": "failed", "attempt": 2.0, "error": "broken"})

		again := w.ask("b", "POST", "dead-letters/"+run+"/redrive", `{"reason": "fixed?"}`, 202)["id"].(string)
		w.ask("b", "POST", "dead-letters/"+run+"/redrive", "", 404)
		time.Sleep(10 * time.Second)
		letters = items(w.ask("a", "GET", "dead-letters", "", 200))
		if len(letters) != 1 || letters[0]["id"] != again {
			t.Fatalf("dead letters: got %v, want %s only", letters, again)
		}
		is(t, w.ask("a", "POST", "dead-letters/"+again+"/acknowledge", "", 200), map[string]any{"id": again, "acknowledged": true})
		w.ask("a", "POST", "dead-letters/"+again+"/acknowledge", "", 404)
		if letters := items(w.ask("b", "GET", "dead-letters", "", 200)); len(letters) != 0 {
			t.Errorf("dead letters: got %v, want none", letters)
		}
	})
}

func TestReplicasAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		list := items(w.ask("a", "GET", "replicas", "", 200))
		if len(list) != 2 {
			t.Fatalf("got %v, want two", list)
		}
		is(t, list[1], map[string]any{"id": "b", "version": "v1", "started": "2000-01-01T00:00:00Z"})
	})
}

func TestWhatWaitsForItsNextAttemptIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := jobs.Retry{MaxAttempts: 2, InitialInterval: time.Hour, MaxInterval: time.Hour}
		w := newWorld(t, func(s *scheduler.Scheduler) error {
			return errors.Join(asked(s), s.AddUnscheduled(jobs.Job{
				Name: "later", Runner: jobs.Func(fails), Policies: jobs.Policies{Retry: slow},
			}))
		})
		defer w.stop()
		run := w.ask("a", "POST", "jobs/later/trigger", "", 202)["id"].(string)
		time.Sleep(5 * time.Second)
		open := items(w.ask("b", "GET", "runs?status=open", "", 200))
		if len(open) != 1 || open[0]["notBefore"] == nil {
			t.Fatalf("open runs: got %v, want one that waits", open)
		}
		is(t, open[0], map[string]any{"id": run, "state": "retrying"})
		is(t, w.ask("b", "POST", "runs/"+run+"/cancel", "", 202), map[string]any{"state": "ended", "verdict": "cancelled"})
		time.Sleep(2 * time.Hour)
		is(t, w.run(run), map[string]any{"verdict": "cancelled", "attempt": 1.0})
	})
}
