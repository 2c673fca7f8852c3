package admin_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

// replayed sends a trigger with a key, and says whether the answer is that of an
// earlier one.
func (w *world) replayed(replica, job, key, body string, status int) (doc map[string]any, again bool) {
	w.t.Helper()
	res, doc := call(w.t, w.apis[replica], http.MethodPost, "/api/v1/jobs/"+job+"/trigger", body, "Idempotency-Key", key)
	if res.StatusCode != status {
		w.t.Fatalf("trigger of %s with key %s: got %d, want %d: %v", job, key, res.StatusCode, status, doc)
	}
	return doc, res.Header.Get("Idempotency-Replayed") == "true"
}

func TestAKeyIsOneWishOnAnyReplicaAndAtAnyTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		const body = `{"params": {"day": 7}, "reason": "now"}`
		first, again := w.replayed("a", "quick", "k1", body, 202)
		if again {
			t.Error("the first wish counts as a repetition")
		}
		time.Sleep(50 * time.Millisecond)
		second, again := w.replayed("b", "quick", "k1", body, 202)
		time.Sleep(time.Minute)
		third, later := w.replayed("b", "quick", "k1", body, 202)
		if !again || !later || second["id"] != first["id"] || third["id"] != first["id"] || third["status"] != "succeeded" {
			t.Errorf("got %v, then %v %v, then %v %v", first["id"], again, second["id"], later, third)
		}
		for _, other := range []string{``, `{"params": {"day": 8}, "reason": "now"}`, `{"params": {"day": 7}, "reason": "later"}`} {
			doc, _ := w.replayed("a", "quick", "k1", other, 422)
			is(t, doc, map[string]any{"type": "urn:solocron:problem:idempotency-key-reused"})
		}
		if fourth, again := w.replayed("a", "quick", "k2", body, 202); again || fourth["id"] == first["id"] {
			t.Errorf("another key: got %v", fourth)
		}
		time.Sleep(time.Second) // it runs and ends
		if got := items(w.ask("a", "GET", "runs", "", 200)); len(got) != 2 {
			t.Errorf("runs: got %d, want 2", len(got))
		}
		is(t, w.ask("a", "POST", "jobs/quick/trigger", "", 422, "Idempotency-Key", "a\x7fb"), map[string]any{"type": "urn:solocron:problem:validation"})
		w.ask("a", "POST", "jobs/quick/trigger", "", 202, "Idempotency-Key", strings.Repeat("k", 255))
	})
}

func TestATriggerWaitsForTheEndOfItsRunIfItIsAskedTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		is(t, w.ask("a", "POST", "jobs/quick/trigger?wait=30s", "", 202), map[string]any{"status": "succeeded", "state": "ended"})
		began := time.Now()
		long := w.ask("a", "POST", "jobs/long/trigger?wait=10s", "", 202)
		is(t, long, map[string]any{"status": "running"})
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("waited for %v, want 10s", took)
		}
		run := long["id"].(string)
		is(t, w.ask("b", "GET", "runs/"+run, "", 200), map[string]any{"status": "running"})
		is(t, w.ask("b", "GET", "runs/"+run+"?wait=60s", "", 200), map[string]any{"status": "succeeded", "seconds": 60.0})
		for _, wait := range []string{"61s", "-1s", "x", "30"} {
			w.ask("a", "GET", "runs/"+run+"?wait="+wait, "", 422)
		}
		w.ask("b", "GET", "runs/quick.20000101T000000Z?wait=30s", "", 404)
	})
}

func TestAWaitEndsWhenTheReplicaIsDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		time.AfterFunc(5*time.Second, w.apis["a"].Drain)
		began := time.Now()
		is(t, w.ask("a", "POST", "jobs/long/trigger?wait=60s", "", 202), map[string]any{"status": "running"})
		if took := time.Since(began); took > 6*time.Second {
			t.Errorf("waited for %v after 5s", took)
		}
		is(t, w.ask("a", "POST", "jobs/quick/trigger", "", 503), map[string]any{"type": "urn:solocron:problem:draining"})
		w.ask("a", "GET", "jobs", "", 200)
	})
}

func TestATriggerCanBeAboutAPastMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		run := w.ask("a", "POST", "jobs/quick/trigger?wait=30s", `{"scheduledTime": "1999-12-31T01:30:00+01:00"}`, 202)
		is(t, run, map[string]any{"tick": "1999-12-31T00:30:00Z", "cause": "manual", "status": "succeeded"})
		w.ask("a", "POST", "jobs/quick/trigger", `{"scheduledTime": "2000-01-02T00:00:00Z"}`, 422)
		w.ask("a", "POST", "jobs/quick/trigger", `{"scheduledTime": "yesterday"}`, 422)
	})
}

func TestARehearsalSaysWhatWouldHappenAndDoesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		w.define(jobs.Job{Name: "quick", Policies: jobs.Policies{Params: []jobs.Param{{Name: "day", Type: jobs.IntParam, Default: "1"}}}}, jobs.Job{Name: "long"})
		doc := w.ask("a", "POST", "jobs/quick/trigger", `{"dryRun": true, "reason": "to see"}`, 200)
		is(t, doc, map[string]any{"dryRun": true, "job": "quick", "id": "", "status": "queued", "reason": "to see", "by": "api"})
		is(t, doc["params"].(map[string]any), map[string]any{"day": "1"})
		w.ask("a", "POST", "jobs/quick/trigger", `{"dryRun": true, "params": {"day": "x"}}`, 422)
		w.ask("a", "POST", "jobs/nope/trigger", `{"dryRun": true}`, 404)
		time.Sleep(time.Second)
		if got := items(w.ask("a", "GET", "runs", "", 200)); len(got) != 0 {
			t.Errorf("runs: got %v, want none", got)
		}
		if got := items(w.ask("a", "GET", "activity", "", 200)); len(got) != 0 {
			t.Errorf("activity: got %v, want none", got)
		}
		w.ask("a", "POST", "jobs/long/trigger", "", 202)
		time.Sleep(time.Second)
		is(t, w.ask("a", "POST", "jobs/long/trigger", `{"dryRun": true}`, 409), map[string]any{"type": "urn:solocron:problem:job-already-running"})
	})
}

func TestATriggerOfAPausedJobRunsItAndLeavesItPaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hourly)
		defer w.stop()
		before := w.ask("a", "GET", "jobs/hourly", "", 200)["next"]
		w.ask("a", "POST", "jobs/hourly/pause", `{"reason": "smtp move"}`, 200)
		is(t, w.ask("a", "POST", "jobs/hourly/trigger?wait=30s", "", 202), map[string]any{"status": "succeeded", "cause": "manual"})
		is(t, w.ask("b", "GET", "jobs/hourly", "", 200), map[string]any{
			"paused": true, "state": "paused", "next": before, "nextRun": nil, "nextRunReason": "paused by api: smtp move",
		})
		w.ask("b", "POST", "jobs/hourly/pause", `{"until": "2000-01-01T02:30:00Z"}`, 200)
		is(t, w.ask("b", "GET", "jobs/hourly", "", 200), map[string]any{"next": before, "nextRun": "2000-01-01T03:00:00Z", "nextRunReason": nil})
	})
}

func TestTheKeyOfARunNamesItBeforeItIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		doc, _ := w.replayed("a", "quick", "k", "", 202)
		if want := scheduler.KeyedRun("quick", "k"); doc["id"] != want {
			t.Errorf("got %v, want %s", doc["id"], want)
		}
	})
}

// never is a body without an end.
type never struct{ sent int }

func (n *never) Read(p []byte) (int, error) {
	n.sent += len(p)
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestABodyWithoutAnEndIsNotReadToIt(t *testing.T) {
	t.Parallel()
	body := new(never)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/api/v1/jobs/report/trigger", body)
	w := httptest.NewRecorder()
	api(newEngine("report")).ServeHTTP(w, r)
	if w.Code != http.StatusRequestEntityTooLarge || body.sent > 1<<20 {
		t.Errorf("got %d after %d bytes, want 413 after few", w.Code, body.sent)
	}
}

func TestWhoHasWaitedForTheEndOfARunSeesItWhereverTheyLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		is(t, cluster(t, w.apis["a"])["states"].(map[string]any), map[string]any{"idle": 3.0})
		w.ask("a", "POST", "jobs/quick/trigger?wait=30s", "", 202)
		is(t, cluster(t, w.apis["a"])["states"].(map[string]any), map[string]any{"idle": 2.0, "ok": 1.0})
		for _, replica := range []string{"a", "b"} {
			is(t, items(w.ask(replica, "GET", "jobs?q=quick", "", 200))[0], map[string]any{"state": "ok"})
		}
		w.ask("a", "POST", "jobs/quick/pause", "", 200)
		is(t, cluster(t, w.apis["a"])["states"].(map[string]any), map[string]any{"paused": 1.0})
	})
}
