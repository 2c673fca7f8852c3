package admin_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

// members of a list in a document.
func members(doc map[string]any, name string) (list []map[string]any) {
	for _, m := range doc[name].([]any) {
		list = append(list, m.(map[string]any))
	}
	return list
}

func TestATimelineShowsWhatRanWhereAndWhatIsPlanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, mixed)
		defer w.stop()
		w.ask("a", "POST", "jobs/shut/pause", `{"reason": "upgrade"}`, 200)
		time.Sleep(65 * time.Minute)
		doc := w.ask("b", "GET", "timeline", "", 200)
		is(t, doc, map[string]any{"from": "2000-01-01T00:05:01Z", "to": "2000-01-01T01:20:01Z", "by": "replica", "truncated": false})
		if got := fmt.Sprint(doc["lanes"]); got != "[a b]" {
			t.Errorf("lanes: got %s", got)
		}
		var kinds []string
		before := ""
		for _, b := range members(doc, "bars") {
			kinds = append(kinds, fmt.Sprint(b["job"], ":", b["status"]))
			at, _ := b["started"].(string)
			if at == "" {
				at = b["ended"].(string)
			}
			if moment, err := time.Parse(time.RFC3339Nano, at); err != nil || moment.Format(time.RFC3339) < before {
				t.Errorf("not by time: %v after %s", b, before)
			} else {
				before = moment.Format(time.RFC3339)
			}
			if b["status"] == "running" != (b["ended"] == nil) || b["status"] == "skipped" != (b["started"] == nil) {
				t.Errorf("got %v", b)
			}
		}
		got := strings.Join(kinds, " ")
		for bar, want := range map[string]int{"good:succeeded": 4, "bad:failed": 3, "busy:running": 1, "shut:skipped": 1} {
			if n := strings.Count(got, bar); n != want {
				t.Errorf("%s: got %d, want %d in %s", bar, n, want, got)
			}
		}
		var ahead []string
		for _, p := range members(doc, "planned") {
			ahead = append(ahead, fmt.Sprint(p["job"], " ", p["time"], " ", p["runs"]))
		}
		if got := strings.Join(ahead, ", "); got != "good 2000-01-01T01:15:00Z true, bad 2000-01-01T01:20:00Z true" {
			t.Errorf("planned: got %s", got)
		}
		doc = w.ask("a", "GET", "timeline?by=job&labelSelector=team%3Dbilling&to=2000-01-01T02:01:00Z", "", 200)
		if got := fmt.Sprint(doc["lanes"]); got != "[bad good]" || len(members(doc, "planned")) != 7 {
			t.Errorf("by job: got lanes %s, planned %v", got, doc["planned"])
		}
		if got := members(w.ask("a", "GET", "timeline?job=busy&from=2000-01-01T01:02:00Z", "", 200), "bars"); len(got) != 1 {
			t.Errorf("a run that began before: got %v", got)
		}
		if got := members(w.ask("a", "GET", "timeline?job=shut&to=2000-01-01T03:01:00Z", "", 200), "planned"); len(got) != 2 || got[0]["runs"] != false {
			t.Errorf("of a paused job: got %v", got)
		}
		for _, bad := range []string{"by=weather", "from=2000-02-01T00:00:00Z", "from=1999-11-01T00:00:00Z", "labelSelector=%3D", "to=today"} {
			w.ask("a", "GET", "timeline?"+bad, "", 422)
		}
	})
}

func TestATimelineSaysWhoTookOverFromWhom(t *testing.T) {
	t.Parallel()
	j := memjournal.New(nil)
	at := func(minute int) time.Time { return now.Add(time.Duration(minute-60) * time.Minute) }
	row := func(id string, token int64, replica string, from, to int, v scheduler.Verdict) scheduler.Row {
		return scheduler.Row{
			ID: "report." + id, Job: "report", Tick: at(from), Cause: scheduler.BySchedule, State: scheduler.RunEnded, Verdict: v, Attempt: 1, Token: token,
			Replica: replica, Started: at(from), Ended: at(to),
		}
	}
	rerun := row("20261129T005000Z", 9, "c", 25, 30, scheduler.Succeeded)
	rerun.Attempt, rerun.Tries = 2, []scheduler.Try{{Replica: "b", Token: 8, Started: at(20), Took: 3 * time.Minute, Verdict: scheduler.LeaseLost}}
	var entries []scheduler.Entry
	for _, r := range []scheduler.Row{
		row("20261129T003000Z", 5, "a", 1, 4, scheduler.LeaseLost), row("20261129T004000Z", 6, "b", 10, 12, scheduler.Succeeded), rerun,
		row("20261129T010000Z", 10, "a", 40, 41, scheduler.Failed),
	} {
		entries = append(entries, scheduler.Entry{Row: r, Keep: jobs.History{}.WithDefaults()})
	}
	if _, err := j.Record(t.Context(), entries); err != nil {
		t.Fatal(err)
	}
	d := deps(newEngine("report"))
	d.Memory, d.Now = &admin.Memory{Journal: j}, func() time.Time { return now }
	d.Engine = puppet{newEngine("report"), nil}
	_, doc := call(t, admin.New(d), http.MethodGet, "/api/v1/timeline", "")
	var got []string
	for _, b := range members(doc, "bars") {
		line := fmt.Sprint(b["run"].(string)[16:20], " on ", b["replica"], " ", b["status"])
		if over, _ := b["takesOver"].(map[string]any); over != nil {
			line += fmt.Sprint(" after ", over["run"].(string)[16:20], " on ", over["replica"], " token ", over["token"])
		}
		got = append(got, line)
	}
	want := "0030 on a lost, 0040 on b succeeded after 0030 on a token 5, 0050 on b lost, 0050 on c succeeded after 0050 on b token 8, 0100 on a failed"
	if strings.Join(got, ", ") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, ", "), want)
	}
}
