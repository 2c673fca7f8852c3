package admin_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/scheduler"
)

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// zoned adds jobs in zones east and west, and one whose moments are over.
func zoned(t *testing.T) func(*scheduler.Scheduler) error {
	t.Helper()
	return func(s *scheduler.Scheduler) error {
		var faults []error
		for name, zone := range map[string]string{"berlin": "Europe/Berlin", "auckland": "Pacific/Auckland", "honolulu": "Pacific/Honolulu"} {
			loc, err := schedule.LoadZone(zone)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := schedule.Parse("30 2 * * *", schedule.Options{Zone: loc})
			if err != nil {
				t.Fatal(err)
			}
			faults = append(faults, s.AddSchedule(plan, jobs.Job{Name: name, Runner: jobs.Func(quickly)}))
			if name != "berlin" {
				continue
			}
			over, err := plan.With(schedule.Rules{EndAt: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)})
			if err != nil {
				t.Fatal(err)
			}
			faults = append(faults, s.AddSchedule(over, jobs.Job{Name: "over", Runner: jobs.Func(quickly)}))
		}
		return errors.Join(faults...)
	}
}

func TestNextIsComputedInTheZoneOfTheJobAndSaysWhatIsSpecial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, zoned(t))
		defer w.stop()
		for job, offset := range map[string]string{"berlin": "+01:00", "auckland": "+13:00", "honolulu": "-10:00"} {
			next := w.ask("a", "GET", "jobs/"+job, "", 200)["next"].(string)
			at, err := time.Parse(time.RFC3339, next)
			if err != nil || !strings.HasSuffix(next, "T02:30:00"+offset) || !at.After(time.Now()) {
				t.Errorf("%s: got %s, %v", job, next, err)
			}
			list := w.ask("a", "GET", "jobs/"+job+"/next?n=3", "", 200)
			if got := items(list); len(got) != 3 || got[0]["time"] != next || got[0]["runs"] != true {
				t.Errorf("%s: got %v, want three from %s on", job, got, next)
			}
			details := w.ask("a", "GET", "jobs/"+job+"?next=2", "", 200)
			if ahead, _ := details["upcoming"].([]any); len(ahead) != 2 || ahead[0].(map[string]any)["time"] != next {
				t.Errorf("%s: upcoming: got %v, want two from %s on", job, details["upcoming"], next)
			}
		}
		gap := items(w.ask("a", "GET", "jobs/berlin/next?n=1&from=2000-03-26T00:00:00%2B01:00", "", 200))[0]
		if note, _ := gap["note"].(string); gap["time"] != "2000-03-26T03:00:00+02:00" || note == "" {
			t.Errorf("where the clock jumps: got %v", gap)
		}
		doc := w.ask("a", "GET", "jobs/berlin/next?n=1000&from=2000-02-01T00:00:00Z&to=2000-02-04T00:00:00Z", "", 200)
		if got := items(doc); len(got) != 3 || doc["reason"] == nil {
			t.Errorf("a stretch: got %v", doc)
		}
		w.ask("a", "POST", "jobs/berlin/pause", `{"until": "2000-01-03T00:00:00Z", "reason": "moving"}`, 200)
		list := items(w.ask("b", "GET", "jobs/berlin/next?n=3", "", 200))
		for i, want := range []bool{false, false, true} {
			if list[i]["runs"] != want || (list[i]["note"] == "paused by api: moving") == want {
				t.Errorf("paused, moment %d: got %v, want runs %v", i, list[i], want)
			}
		}
		if was := items(w.ask("b", "GET", "jobs/berlin/next?n=1&from=1999-12-30T00:00:00Z", "", 200))[0]; was["runs"] != true || was["note"] != nil {
			t.Errorf("a moment before the pause: got %v, want nothing about it", was)
		}
		for _, bad := range []string{"n=0", "n=1001", "from=x", "from=2000-02-02T00:00:00Z&to=2000-02-01T00:00:00Z"} {
			w.ask("a", "GET", "jobs/berlin/next?"+bad, "", 422)
		}
	})
}

func TestWhatNeverComesIsNullWithAReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(s *scheduler.Scheduler) error { return errors.Join(zoned(t)(s), mixed(s)) })
		defer w.stop()
		for _, job := range []string{"over", "still", "idle"} {
			doc := w.ask("a", "GET", "jobs/"+job, "", 200)
			reason, _ := doc["nextRunReason"].(string)
			if doc["next"] != nil || doc["nextRun"] != nil || reason == "" || strings.Contains(fmt.Sprint(doc), "0001-01-01") {
				t.Errorf("%s: got %v", job, doc)
			}
		}
		for _, job := range []string{"over", "idle"} {
			list := w.ask("a", "GET", "jobs/"+job+"/next", "", 200)
			if len(items(list)) != 0 || list["reason"] == nil {
				t.Errorf("%s: got %v", job, list)
			}
		}
		if got := items(w.ask("a", "GET", "jobs/still/next?n=1", "", 200)); len(got) != 1 || got[0]["runs"] != false {
			t.Errorf("suspended: got %v", got)
		}
		w.ask("a", "POST", "jobs/still/resume", "", 409)
	})
}

func TestAJobWithAnyNameThatIsListedIsFoundByIt(t *testing.T) {
	t.Parallel()
	names := []string{"a/b", "..", ".", "每日", "🚀 deploy", "a%2Fb", "#x", "?", "a b", "{job}", "+", ";", "%", "a//b"}
	for _, name := range names {
		e := newEngine(names...)
		escaped := strings.ReplaceAll(url.PathEscape(name), ".", "%2E")
		res, doc := call(t, api(e), "GET", "/api/v1/jobs/"+escaped, "")
		if res.StatusCode != http.StatusOK || doc["name"] != name {
			t.Errorf("GET %s: got %d %v, want the job %q", escaped, res.StatusCode, doc, name)
		}
		if res, doc := call(t, api(e), "POST", "/api/v1/jobs/"+escaped+"/trigger", ""); res.StatusCode != 202 || doc["job"] != name {
			t.Errorf("POST %s: got %d %v", escaped, res.StatusCode, doc)
		}
		if res, _ := call(t, api(e), "DELETE", "/api/v1/jobs/"+escaped, ""); res.StatusCode != 405 {
			t.Errorf("DELETE %s: got %d, want 405", escaped, res.StatusCode)
		}
	}
}

func TestAScheduleIsExplainedAndABadOneIsRefusedWithItsField(t *testing.T) {
	t.Parallel()
	h := admin.New(everything(t))
	_, doc := call(t, h, "GET", "/api/v1/schedules/explain?expr=30+2+*+*+*&timeZone=Europe/Berlin&n=2", "")
	is(t, doc, map[string]any{"expression": "30 2 * * *", "timeZone": "Europe/Berlin"})
	if got := items(doc); len(got) != 2 || got[0]["time"] != "2026-11-30T02:30:00+01:00" || got[0]["utc"] != "2026-11-30T01:30:00Z" {
		t.Errorf("moments: got %v", got)
	}
	for query, field := range map[string]string{
		"expr=CRON_TZ%3DUTC": "query.expr", "expr=TZ%3D": "query.expr", "expr=61+*+*+*+*": "query.expr", "expr=30+2+31+2+*": "query.expr", "expr=H+*+*+*+*": "query.expr",
		"expr=*+*+*+*+*&timeZone=Local": "query.timeZone", "expr=*+*+*+*+*&timeZone=Mars/Olympus": "query.timeZone", "": "query.expr",
		"expr=%00": "query.expr", "expr=*+*+*+*+*&n=0": "query.n", "expr=*+*+*+*+*&zone=UTC": "query.zone",
	} {
		res, doc := call(t, h, "GET", "/api/v1/schedules/explain?"+query, "")
		errs, _ := doc["errors"].([]any)
		want := 400
		if query == "" || strings.Contains(query, "n=0") || strings.Contains(query, "zone=") { // what could not be asked at all
			want = 422
		}
		if res.StatusCode != want || len(errs) == 0 || errs[0].(map[string]any)["location"] != field || errs[0].(map[string]any)["message"] == "" {
			t.Errorf("%s: got %d %v, want %s", query, res.StatusCode, doc, field)
		}
	}
}

func TestAConfigurationIsCheckedAndItsProblemsHaveAPlace(t *testing.T) {
	t.Parallel()
	h := admin.New(everything(t))
	if res, doc := call(t, h, "POST", "/api/v1/config/validate", goodText); res.StatusCode != 200 || doc["valid"] != true || len(doc["problems"].([]any)) != 0 {
		t.Errorf("a good one: got %d %v", res.StatusCode, doc)
	}
	res, doc := call(t, h, "POST", "/api/v1/config/validate?name=jobs.yaml", "jobs: [{schdule: x}]", "Content-Type", "text/plain")
	problems, _ := doc["problems"].([]any)
	if res.StatusCode != 200 || doc["valid"] != false || len(problems) != 1 {
		t.Fatalf("a bad one: got %d %v", res.StatusCode, doc)
	}
	is(t, problems[0].(map[string]any), map[string]any{"file": "jobs.yaml", "line": 3.0, "col": 5.0, "path": "jobs[report]"})
	_, doc = call(t, h, "GET", "/api/v1/config", "")
	is(t, doc["loaded"].(map[string]any), map[string]any{"revision": "1", "namespace": "test", "jobs": 7.0})
	is(t, doc, map[string]any{"drift": true})
}

func TestNoAnswerRepeatsWhatMayBeASecret(t *testing.T) {
	t.Parallel()
	h := admin.New(everything(t))
	const secret = "hunter2hunter2"
	for _, c := range []struct{ target, body, key string }{
		{"/api/v1/jobs/report/trigger", `{"params": {"password": {"x": "` + secret + `"}}}`, ""},
		{"/api/v1/jobs/report/trigger", `{"params": "` + secret + `"}`, ""},
		{"/api/v1/jobs/report/trigger", `"` + secret + `"`, ""},
		{"/api/v1/jobs/report/trigger", secret, ""},
		{"/api/v1/jobs/odd/trigger", `{"params": {"day": "` + secret + `"}}`, ""},
		{"/api/v1/jobs/report/trigger", "", secret + "\x01"},
	} {
		res, doc := call(t, h, "POST", c.target, c.body, "Idempotency-Key", c.key, "Authorization", "Bearer "+secret)
		if res.StatusCode != 400 && res.StatusCode != 422 {
			t.Errorf("%s: got %d", c.body, res.StatusCode)
		}
		if strings.Contains(fmt.Sprint(doc), secret) {
			t.Errorf("%s: the answer has it: %v", c.body, doc)
		}
	}
}
