package admin_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

// refusing is an engine in which nothing may be changed.
type refusing struct {
	*engine
	t *testing.T
}

func (r refusing) Pause(context.Context, string, time.Time, scheduler.Order) (election.Gate, error) {
	r.t.Error("paused")
	return election.Gate{}, nil
}

func (r refusing) Backfill(context.Context, string, scheduler.Range, scheduler.Order) ([]scheduler.Row, error) {
	r.t.Error("backfilled")
	return nil, nil
}

func (r refusing) Cancel(context.Context, string, scheduler.Order) (scheduler.Row, error) {
	r.t.Error("cancelled")
	return scheduler.Row{}, nil
}

func (r refusing) Rerun(context.Context, string, scheduler.Order) (scheduler.Row, error) {
	r.t.Error("run again")
	return scheduler.Row{}, nil
}

func TestBadInputIsRefusedByEveryRoute(t *testing.T) {
	t.Parallel()
	d := deps(refusing{newEngine("report"), t})
	d.Memory = &admin.Memory{Journal: memjournal.New(nil)}
	h := admin.New(d)
	const job, run = "jobs/report/", "runs/report.20261129T013000Z/"
	for _, c := range []struct {
		method, target, body string
		status               int
		header               []string
	}{
		{"POST", job + "pause", `{"until": "tomorrow"}`, 422, nil},
		{"POST", job + "pause", `{"until": "2001-01-01T00:00:00Z"}`, 422, nil},
		{"POST", job + "pause", `{"until": "9999-01-01T00:00:00Z"}`, 422, nil},
		{"POST", job + "pause", `{"unitl": "2030-01-01T00:00:00Z"}`, 400, nil},
		{"POST", job + "pause", `{"reason": "` + long(501) + `"}`, 422, nil},
		{"POST", job + "snooze", `{}`, 422, nil},
		{"POST", job + "snooze", `{"for": "-1h"}`, 422, nil},
		{"POST", job + "snooze", `{"for": "20000h"}`, 422, nil},
		{"POST", job + "snooze", `{"for": 7}`, 422, nil},
		{"POST", job + "resume", `{"until": "x"}`, 400, nil},
		{"POST", job + "skip-next", `[]`, 422, nil},
		{"POST", job + "backfill", ``, 400, nil},
		{"POST", job + "backfill", `{"from": "2026-11-01T00:00:00Z"}`, 422, nil},
		{"POST", job + "backfill", `{"from": "2026-11-02T00:00:00Z", "to": "2026-11-01T00:00:00Z"}`, 422, nil},
		{"POST", job + "backfill", `{"from": "2026-11-01T00:00:00Z", "to": "2026-11-02T00:00:00Z", "max": 1001}`, 422, nil},
		{"POST", job + "backfill", `{"from": "2026-11-01T00:00:00Z", "to": "2026-11-02T00:00:00Z", "max": -1}`, 422, nil},
		{"POST", job + "backfill", `{"from": "2026-11-01T00:00:00Z", "to": "2026-11-02T00:00:00Z", "spacing": "48h"}`, 422, nil},
		{"POST", job + "backfill", `{"from": "0001-01-01T00:00:00Z", "to": "2026-11-02T00:00:00Z"}`, 422, nil},
		{"POST", job + "backfill", `{"from": "2026-11-01", "to": "2026-11-02T00:00:00Z"}`, 422, nil},
		{"POST", job + "trigger", ``, 422, []string{"Idempotency-Key", long(256)}},
		{"POST", run + "cancel", `{"params": {}}`, 400, nil},
		{"POST", run + "rerun", `{"params": []}`, 422, nil},
		{"POST", run + "rerun", strings.Repeat(" ", 70_000), 413, nil},
		{"GET", job + "runs?verdict=fine", "", 422, nil},
		{"GET", job + "runs?from=yesterday", "", 422, nil},
		{"GET", job + "runs?to=1", "", 422, nil},
		{"GET", job + "runs?limit=0", "", 422, nil},
		{"GET", job + "runs?limit=1001", "", 422, nil},
		{"GET", "jobs/nope/runs", "", 404, nil},
		{"GET", "jobs/" + long(5000) + "/runs", "", 404, nil},
		{"GET", "activity?limit=x", "", 422, nil},
		{"GET", "dead-letters?limit=-1", "", 422, nil},
		{"POST", "dead-letters/report.20261129T013000Z/acknowledge", "", 404, nil},
		{"POST", "dead-letters/report.20261129T013000Z/redrive", "", 404, nil},
		{"POST", "dead-letters/x/acknowledge", "", 404, nil},
		{"POST", "dead-letters/x/acknowledge", `{"reason": "x"}`, 400, nil},
		{"GET", "runs/report.20261129T013000Z", "", 404, nil},
		{"GET", "runs/" + long(3000), "", 404, nil},
		{"GET", "runs/%00", "", 404, nil},
		{"DELETE", "runs", "", 405, nil},
		{"GET", run + "cancel", "", 405, nil},
	} {
		res, doc := call(t, h, c.method, "/api/v1/"+c.target, c.body, c.header...)
		if res.StatusCode != c.status {
			t.Errorf("%s %.60s %.60s: got %d, want %d: %v", c.method, c.target, c.body, res.StatusCode, c.status, doc)
		}
	}
}

func TestWithoutAMemoryThereAreNoRoutesForIt(t *testing.T) {
	t.Parallel()
	h := api(newEngine("report"))
	for _, target := range []string{"runs", "runs/report.20261129T013000Z", "jobs/report/runs", "dead-letters", "activity", "replicas"} {
		if res, _ := call(t, h, http.MethodGet, "/api/v1/"+target, ""); res.StatusCode != 404 {
			t.Errorf("%s: got %d, want 404", target, res.StatusCode)
		}
	}
}

// away is a journal that gives no answer.
type away struct{ *memjournal.Journal }

func (away) Audit(context.Context, journal.Deed) error { return errors.New("connection refused") }

func (away) Find(context.Context, string) (scheduler.Row, bool, error) {
	return scheduler.Row{}, false, errors.New("connection refused")
}

func (away) Open(context.Context) ([]scheduler.Row, error) {
	return nil, errors.New("connection refused")
}

func (away) Deeds(context.Context, int) ([]journal.Deed, error) {
	return nil, errors.New("connection refused")
}

func (away) DeadLetters(context.Context, int) ([]scheduler.Row, error) {
	return nil, errors.New("connection refused")
}

func TestADeedThatCannotBeNotedIsDoneAllTheSame(t *testing.T) {
	t.Parallel()
	d := deps(newEngine("report"))
	d.Memory = &admin.Memory{Journal: away{memjournal.New(nil)}}
	if res, doc := call(t, admin.New(d), "POST", "/api/v1/jobs/report/trigger", ""); res.StatusCode != 202 {
		t.Errorf("got %d, want 202: %v", res.StatusCode, doc)
	}
}

func TestAJournalThatIsAwayIsNotAnErrorOfTheProgram(t *testing.T) {
	t.Parallel()
	d := deps(newEngine("report"))
	d.Memory = &admin.Memory{Journal: away{memjournal.New(nil)}}
	h := admin.New(d)
	for _, target := range []string{"runs", "runs/report.20261129T013000Z", "jobs/report/runs", "dead-letters", "activity"} {
		res, doc := call(t, h, http.MethodGet, "/api/v1/"+target, "")
		if res.StatusCode != 503 || doc["type"] != "urn:solocron:problem:store-unavailable" {
			t.Errorf("%s: got %d %v, want 503", target, res.StatusCode, doc)
		}
	}
}

// ledger answers for gates.
type ledger struct {
	err   error
	asked int
}

func (l *ledger) Read(_ context.Context, keys []string) ([]election.Record, error) {
	l.asked++
	records := make([]election.Record, len(keys))
	for i, key := range keys {
		records[i].Gate = election.Gate{Closed: key == "b", By: "me"}
	}
	return records, l.err
}

func TestAPageOfJobsReadsTheLedgerOnce(t *testing.T) {
	t.Parallel()
	d, l := deps(newEngine("c", "b", "a")), new(ledger)
	d.Ledger = l
	h := admin.New(d)
	_, doc := call(t, h, "GET", "/api/v1/jobs", "")
	for i, want := range []bool{false, true, false} {
		if got := items(doc)[i]["paused"]; got != want {
			t.Errorf("job %d: paused: got %v, want %v", i, got, want)
		}
	}
	if l.asked != 1 {
		t.Errorf("questions to the ledger: got %d, want 1", l.asked)
	}
	l.err = errors.New("connection refused")
	for name, c := range map[string]struct {
		h    http.Handler
		want any
	}{"that is remembered": {h, true}, "that was never known": {admin.New(d), nil}} {
		res, doc := call(t, c.h, "GET", "/api/v1/jobs", "")
		if got := items(doc)[1]["paused"]; res.StatusCode != 200 || got != c.want || doc["stale"] != true {
			t.Errorf("without an answer, %s: got %d, paused %v, stale %v; want 200, %v and stale", name, res.StatusCode, got, doc["stale"], c.want)
		}
		res, doc = call(t, c.h, "GET", "/api/v1/jobs/b", "")
		if res.StatusCode != 200 || (doc["gate"] != nil) != (c.want != nil) || doc["stale"] != true {
			t.Errorf("one job without an answer, %s: got %d %v", name, res.StatusCode, doc)
		}
	}
}

func TestPoliciesAreShownInTheWordsOfTheFile(t *testing.T) {
	t.Parallel()
	d := deps(newEngine("report"))
	d.Define = func(string) (jobs.Job, bool) {
		return jobs.Job{Timeout: time.Minute, Policies: jobs.Policies{
			Overlap: jobs.QueueOverlap, Catchup: jobs.Catchup{Policy: jobs.CatchupAll, Spacing: time.Minute},
			Retry: jobs.Retry{MaxAttempts: 3}, Shadow: true, DependsOn: []jobs.Dependency{{Job: "load"}},
			Params: []jobs.Param{{Name: "day", Required: true}},
		}}, true
	}
	_, doc := call(t, admin.New(d), "GET", "/api/v1/jobs/report", "")
	for path, want := range map[string]string{
		"overlapPolicy": "queue", "queueLimit": "1", "timeout": "1m0s", "startingDeadline": "10m0s", "mode": "shadow", "logBytes": "1.048576e+06",
		"catchup":   "map[max:10 policy:all spacing:1m0s]",
		"retry":     "map[backoffCoefficient:2 initialInterval:10s jitter:0 maxAttempts:3 maxInterval:5m0s]",
		"dependsOn": "[map[condition:succeeded job:load window:24h0m0s]]",
		"history":   "map[failed:50 maxAge:720h0m0s succeeded:50]",
	} {
		if got := fmt.Sprint(doc["policies"].(map[string]any)[path]); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	if got := fmt.Sprint(doc["params"]); got != "[map[name:day required:true type:string]]" {
		t.Errorf("params: got %s", got)
	}
}
