package admin_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

// mixed adds jobs that stand in every way after an hour.
func mixed(s *scheduler.Scheduler) error {
	team := func(name string) map[string]string { return map[string]string{"team": name} }
	slow := func(ctx context.Context, _ jobs.Run) error {
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Minute):
		}
		return ctx.Err()
	}
	return errors.Join(
		s.Add("*/15 * * * *", jobs.Job{Name: "good", Runner: jobs.Func(quickly), Labels: team("billing"), Owner: "ana"}),
		s.Add("*/20 * * * *", jobs.Job{Name: "bad", Runner: jobs.Func(fails), Labels: team("billing")}),
		s.Add("0 * * * *", jobs.Job{Name: "busy", Runner: jobs.Func(slow), Labels: team("data")}),
		s.Add("0 * * * *", jobs.Job{Name: "shut", Runner: jobs.Func(quickly)}),
		s.Add("0 * * * *", jobs.Job{Name: "still", Runner: jobs.Func(quickly), Suspend: true}),
		s.AddUnscheduled(jobs.Job{Name: "idle", Runner: jobs.Func(quickly)}),
	)
}

// names of the items of a list.
func namesOf(doc map[string]any) string {
	var list []string
	for _, i := range items(doc) {
		list = append(list, i["name"].(string))
	}
	return strings.Join(list, " ")
}

func TestAListOfJobsSaysHowEachStandsAndCanBeNarrowedDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, mixed)
		defer w.stop()
		w.ask("a", "POST", "jobs/shut/pause", `{"reason": "upgrade"}`, 200)
		time.Sleep(65 * time.Minute)
		states := map[string]any{}
		for _, j := range items(w.ask("b", "GET", "jobs", "", 200)) {
			states[j["name"].(string)] = j["state"]
		}
		is(t, states, map[string]any{"good": "ok", "bad": "failing", "busy": "running", "shut": "paused", "still": "suspended", "idle": "idle"})
		for query, want := range map[string]string{
			"status=failing": "bad", "status=running": "busy", "labelSelector=team%3Dbilling": "bad good", "labelSelector=team": "bad busy good",
			"labelSelector=!team,team!%3Dx": "idle shut still", "labelSelector=team!%3Dbilling": "busy idle shut still", "q=ANA": "good", "q=oo": "good",
			"q=" + "nothing": "", "sort=-name": "still shut idle good busy bad", "sort=nextRun": "good bad busy shut still idle",
			"labelSelector=team&sort=-lastRun": "bad good busy", "pageSize=2": "bad busy",
		} {
			got := namesOf(w.ask("a", "GET", "jobs?"+query, "", 200))
			if query == "sort=nextRun" { // those at the same moment go by name, those without one last
				want = "good bad busy shut idle still"
			}
			if got != want {
				t.Errorf("%s: got %q, want %q", query, got, want)
			}
		}
		good := items(w.ask("a", "GET", "jobs?q=good", "", 200))[0]
		recent := good["recent"].([]any)
		if len(recent) != 4 {
			t.Errorf("recent: got %d, want 4: %v", len(recent), recent)
		}
		is(t, good["lastRun"].(map[string]any), map[string]any{"id": "good.20000101T010000Z", "status": "succeeded", "tick": "2000-01-01T01:00:00Z"})
		is(t, good, map[string]any{"nextRun": "2000-01-01T01:15:00Z"})
		busy := items(w.ask("b", "GET", "jobs?q=busy", "", 200))[0]
		is(t, busy["running"].(map[string]any), map[string]any{"id": "busy.20000101T010000Z"})
	})
}

func TestPagesOfJobsMeetEveryJobOnceInAnyOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, mixed)
		defer w.stop()
		time.Sleep(65 * time.Minute)
		for _, sort := range []string{"name", "-name", "nextRun", "-nextRun", "lastRun", "-lastRun"} {
			seen, token := map[string]bool{}, ""
			for pages := 1; ; pages++ {
				doc := w.ask("a", "GET", "jobs?pageSize=2&sort="+sort+"&pageToken="+token, "", 200)
				for _, j := range items(doc) {
					if name := j["name"].(string); seen[name] {
						t.Errorf("%s: %s twice", sort, name)
					} else {
						seen[name] = true
					}
				}
				if token = doc["nextPageToken"].(string); token == "" || pages > 5 {
					break
				}
			}
			if len(seen) != 6 {
				t.Errorf("%s: got %v, want all six", sort, seen)
			}
			if token := w.ask("a", "GET", "jobs?pageSize=2&sort="+sort, "", 200)["nextPageToken"].(string); sort != "name" {
				w.ask("a", "GET", "jobs?pageToken="+token, "", 422) // of another order
			}
		}
	})
}

func TestRunsOfAllJobsAreListedTheLatestFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, mixed)
		defer w.stop()
		time.Sleep(65 * time.Minute)
		all := items(w.ask("a", "GET", "runs?pageSize=500", "", 200))
		var paged []map[string]any
		token := ""
		for range 20 {
			doc := w.ask("b", "GET", "runs?pageSize=3&pageToken="+token, "", 200)
			paged = append(paged, items(doc)...)
			if token, _ = doc["nextPageToken"].(string); token == "" {
				break
			}
		}
		if len(all) < 8 || len(paged) != len(all) {
			t.Fatalf("got %d runs at once and %d in pages", len(all), len(paged))
		}
		for i := range all {
			if all[i]["id"] != paged[i]["id"] {
				t.Errorf("run %d: got %v at once, %v in pages", i, all[i]["id"], paged[i]["id"])
			}
			if i > 0 && all[i]["tick"].(string) > all[i-1]["tick"].(string) {
				t.Errorf("run %d is later than the one before it", i)
			}
		}
		for query, ok := range map[string]func(map[string]any) bool{
			"job=bad":                    func(r map[string]any) bool { return r["job"] == "bad" },
			"status=failed":              func(r map[string]any) bool { return r["status"] == "failed" },
			"status=open":                func(r map[string]any) bool { return r["status"] == "running" },
			"status=succeeded,running":   func(r map[string]any) bool { return r["status"] == "running" || r["status"] == "succeeded" },
			"trigger=schedule&replica=a": func(r map[string]any) bool { return r["cause"] == "schedule" && r["replica"] == "a" },
			"since=2000-01-01T00:30:00Z": func(r map[string]any) bool { return r["tick"].(string) >= "2000-01-01T00:30:00Z" },
			"until=2000-01-01T00:30:00Z&status=failed": func(r map[string]any) bool {
				return r["tick"].(string) <= "2000-01-01T00:30:00Z" && r["status"] == "failed"
			},
			"until=2000-01-01T00:30:00Z&job=good": func(r map[string]any) bool { return r["tick"].(string) <= "2000-01-01T00:30:00Z" && r["job"] == "good" },
			"trigger=manual":                      func(r map[string]any) bool { return r["cause"] == "manual" },
			"job=nope":                            func(map[string]any) bool { return false },
		} {
			want := 0
			for _, r := range all {
				if ok(r) {
					want++
				}
			}
			got := items(w.ask("a", "GET", "runs?pageSize=500&"+query, "", 200))
			for _, r := range got {
				if !ok(r) {
					t.Errorf("%s: got %v", query, r)
				}
			}
			if len(got) != want {
				t.Errorf("%s: got %d, want %d", query, len(got), want)
			}
		}
		for _, bad := range []string{"status=fine", "trigger=weather", "since=today", "pageToken=x", "limit=3", "pageSize=501"} {
			w.ask("a", "GET", "runs?"+bad, "", 422)
		}
	})
}

func TestWhatIsRememberedIsToldWhileTheStoreIsAway(t *testing.T) {
	t.Parallel()
	away := new(atomic.Bool)
	h := admin.New(everythingWith(t, away))
	for _, target := range []string{"jobs", "jobs/report", "runs", "leases", "replicas", "replicas/a", "config"} {
		if res, doc := call(t, h, "GET", "/api/v1/"+target, ""); res.StatusCode != 200 || doc["stale"] == true {
			t.Errorf("%s: got %d, stale %v", target, res.StatusCode, doc["stale"])
		}
	}
	away.Store(true)
	for target, want := range map[string]string{
		"jobs": "failing", "jobs/report": "failing", "runs": deadRun, "leases": "41", "replicas": "draining", "cluster": "failing", "config": "replica b has revision 2",
	} {
		res, doc := call(t, h, "GET", "/api/v1/"+target, "")
		if res.StatusCode != 200 || doc["stale"] != true || !strings.Contains(fmt.Sprint(doc), want) {
			t.Errorf("%s: got %d, stale %v, want %s in %v", target, res.StatusCode, doc["stale"], want, doc)
		}
	}
	is(t, cluster(t, h)["store"].(map[string]any), map[string]any{"answers": false, "breaker": "closed"})
	res, doc := call(t, h, "POST", "/api/v1/jobs/report/trigger", "")
	if res.StatusCode != 503 || res.Header.Get("Retry-After") == "" {
		t.Errorf("a trigger meanwhile: got %d %v", res.StatusCode, doc)
	}
	if res, doc := call(t, h, "GET", "/api/v1/runs?status=failed", ""); res.StatusCode != 503 {
		t.Errorf("what was never asked: got %d %v", res.StatusCode, doc)
	}
}

func cluster(t *testing.T, h *admin.API) map[string]any {
	t.Helper()
	_, doc := call(t, h, "GET", "/api/v1/cluster", "")
	return doc
}

func TestTheClusterAtAGlance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, mixed)
		defer w.stop()
		time.Sleep(65 * time.Minute)
		doc := cluster(t, w.apis["a"])
		is(t, doc, map[string]any{"jobs": 6.0, "running": 1.0, "waiting": 0.0, "drift": false, "stale": false, "maxOffset": "0s"})
		is(t, doc["states"].(map[string]any), map[string]any{"ok": 2.0, "failing": 1.0, "running": 1.0, "suspended": 1.0, "idle": 1.0})
		failing := doc["failing"].([]any)
		if len(failing) != 1 || failing[0].(map[string]any)["job"] != "bad" {
			t.Errorf("failing: got %v, want bad", failing)
		}
		busy := 0
		for _, r := range doc["replicas"].([]any) {
			busy += len(r.(map[string]any)["running"].([]any))
		}
		if busy != 1 {
			t.Errorf("runs on replicas: got %d, want 1", busy)
		}
	})
}
