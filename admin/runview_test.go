package admin_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/scheduler"
)

// kindsOf are the kinds of the events of a run, which must be in the order of time.
func kindsOf(t *testing.T, doc map[string]any) string {
	t.Helper()
	var list []string
	before := ""
	for _, e := range doc["events"].([]any) {
		event := e.(map[string]any)
		at, _ := event["at"].(string)
		if moment, err := time.Parse(time.RFC3339Nano, at); err == nil {
			if at = moment.Format("2006-01-02T15:04:05.000000000"); at < before {
				t.Errorf("not in the order of time: %v", doc["events"])
			}
			before = at
		}
		if event["text"] == "" {
			t.Errorf("nothing for people: %v", event)
		}
		list = append(list, event["kind"].(string))
	}
	return strings.Join(list, " ")
}

func TestARunTellsItsStory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(s *scheduler.Scheduler) error { return errors.Join(halfHours(s), asked(s)) })
		defer w.stop()
		manual := w.ask("a", "POST", "jobs/quick/trigger?wait=30s", `{"reason": "dns is back"}`, 202)
		time.Sleep(75 * time.Minute)
		doc := w.run(manual["id"].(string))
		if got := kindsOf(t, doc); got != "requested won started ended" {
			t.Errorf("of a trigger: got %s", got)
		}
		is(t, doc["events"].([]any)[0].(map[string]any), map[string]any{"by": "api", "text": "asked for (manual) by api: dns is back"})
		retried := w.run("flaky.20000101T010000Z")
		if got := kindsOf(t, retried); got != "due won started attempt-ended won started ended" {
			t.Errorf("of one that was tried again: got %s", got)
		}
		is(t, retried["events"].([]any)[3].(map[string]any), map[string]any{"verdict": "failed", "attempt": 1.0, "text": "failed: broken; another attempt follows"})
		skipped := w.run("slow.20000101T010000Z")
		if got := kindsOf(t, skipped); got != "due ended" {
			t.Errorf("of a tick that was skipped: got %s", got)
		}
		is(t, skipped["events"].([]any)[1].(map[string]any), map[string]any{"verdict": "skipped", "why": "overlap"})
		slow := w.ask("a", "GET", "runs/slow.20000101T003000Z?witnesses=true", "", 200)
		loser := map[any]string{"a": "b", "b": "a"}[slow["replica"]]
		if got := kindsOf(t, slow); !strings.Contains(got, "yielded") || !strings.Contains(got, "won started") {
			t.Errorf("with what replicas saw: got %s", got)
		}
		if !strings.Contains(fmt.Sprint(slow["events"]), loser+" left it to") {
			t.Errorf("%s does not say that it lost: %v", loser, slow["events"])
		}
	})
}

func TestARunThatIsOnShowsItsLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		run := w.ask("a", "POST", "jobs/long/trigger", "", 202)["id"].(string)
		time.Sleep(25 * time.Second)
		doc := w.run(run)
		lease := doc["lease"].(map[string]any)
		is(t, lease, map[string]any{"key": "long", "holder": doc["replica"], "token": doc["token"]})
		for _, at := range []string{"acquiredAt", "expiresAt", "renewedAt"} {
			if _, err := time.Parse(time.RFC3339Nano, fmt.Sprint(lease[at])); err != nil {
				t.Errorf("%s: got %v", at, lease[at])
			}
		}
		if got := kindsOf(t, doc); got != "requested won started renewed" {
			t.Errorf("events: got %s", got)
		}
		held := items(w.ask("b", "GET", "leases?held=true", "", 200))
		if len(held) != 1 || held[0]["run"] != run || held[0]["ttlSeconds"] != 30.0 || held[0]["renewed"] != lease["renewedAt"] {
			t.Errorf("leases: got %v, want that of %s", held, run)
		}
		time.Sleep(time.Minute)
		is(t, w.run(run), map[string]any{"lease": nil, "status": "succeeded"})
	})
}

func TestATraceIsNamedByJobAndTick(t *testing.T) {
	t.Parallel()
	h := admin.New(everything(t))
	_, doc := call(t, h, http.MethodGet, "/api/v1/runs/"+deadRun, "")
	_, other := call(t, h, http.MethodGet, "/api/v1/runs/"+oldRun, "")
	if id, _ := doc["traceId"].(string); len(id) != 32 || id == other["traceId"] {
		t.Errorf("got %v and %v, want 32 digits each", doc["traceId"], other["traceId"])
	}
}
