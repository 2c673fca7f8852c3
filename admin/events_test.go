package admin_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

func TestAStreamBeginsWithHowThingsStandAndTellsWhatAllReplicasDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		old := w.ask("a", "POST", "jobs/long/trigger", "", 202)["id"].(string)
		time.Sleep(2 * time.Second)
		l := tune(t, w.apis["b"], "")
		time.Sleep(time.Second)
		run := w.ask("a", "POST", "jobs/quick/trigger", "", 202)["id"].(string)
		w.feeds["a"].Say(journal.Happening{Topic: journal.AboutReplica, Phase: journal.Joined})
		time.Sleep(3 * time.Second)
		w.feeds["b"].Say(journal.Happening{Topic: journal.AboutConfig, Phase: journal.Loaded, Note: "r1"})
		time.Sleep(18 * time.Second)
		l.leave()
		events, last := sses(t, l.String())
		if got := kinds(events); len(got) != 5 || got[0] != "snapshot" {
			t.Fatalf("got %v in\n%s", got, l)
		}
		runs, replicas := events[0].data["runs"].([]any), events[0].data["replicas"].([]any)
		if len(runs) != 1 || len(replicas) != 2 {
			t.Fatalf("snapshot: got %v", events[0].data)
		}
		is(t, runs[0].(map[string]any), map[string]any{"id": old, "job": "long", "state": "running", "attempt": 1.0})
		seen := map[string]bool{}
		for i, e := range events {
			if id, _ := e.data["id"].(string); e.id != id || i > 0 && !after(t, events[i-1].id, id) {
				t.Errorf("event %d: id %q, in its data %q, after %q", i, e.id, id, events[max(i-1, 0)].id)
			}
			if i > 0 {
				seen[fmt.Sprint(e.kind, " ", e.data["phase"], " ", e.data["run"], " ", e.data["verdict"])] = true
			}
		}
		for _, want := range []string{
			"run started " + run + " <nil>", "run ended " + run + " succeeded", "replica joined <nil> <nil>", "config loaded <nil> <nil>",
		} {
			if !seen[want] {
				t.Errorf("%q was not told: %v", want, seen)
			}
		}
		if text := l.String(); !strings.HasPrefix(text, "retry: 3000\n\nevent: snapshot\n") || strings.Count(text, "\n: alive\n") != 1 || last != events[4].id {
			t.Errorf("got last id %s of\n%s", last, text)
		}
		for name, want := range map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"} {
			if got := l.header.Get(name); got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
	})
}

// after reports whether the id of an event comes after another.
func after(t *testing.T, earlier, later string) bool {
	t.Helper()
	x, err1 := journal.ParsePlace(earlier)
	y, err2 := journal.ParsePlace(later)
	if err := errors.Join(err1, err2); err != nil {
		t.Error(err)
	}
	return y.Compare(x) > 0
}

// TestWhoIsCutOffMissesNothing cuts a client off again and again, in the middle of
// batches too, while two replicas go on to tell.
func TestWhoIsCutOffMissesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		w.feeds["a"].Say(journal.Happening{Topic: journal.AboutReplica, Phase: journal.Joined}) // so that there is a place to begin at
		time.Sleep(time.Second)
		whole := tune(t, w.apis["a"], "?types=job")
		time.Sleep(time.Second)
		stop := make(chan struct{})
		go func() {
			defer close(stop)
			for n := range 600 {
				w.feeds[[]string{"a", "b"}[n%2]].Say(journal.Happening{Topic: journal.AboutJob, Phase: journal.Paused, Note: fmt.Sprint(n)})
				time.Sleep(7 * time.Millisecond)
			}
		}()
		var ids []string
		last := ""
		for n := 0; len(ids) < 600 && n < 200; n++ {
			var l *tuned
			switch api := w.apis[[]string{"b", "a"}[n%2]]; {
			case last == "":
				l = tune(t, api, "?types=job")
			case n%3 == 0:
				l = tune(t, api, "?types=job&since="+last)
			default:
				l = tune(t, api, "?types=job&since=1-1.1", "Last-Event-ID", last)
			}
			time.Sleep(77 * time.Millisecond)
			l.leave()
			events, _ := sses(t, l.String())
			if n > 3 { // keep a part only, as when the connection broke there
				events = events[:len(events)-len(events)/3]
			}
			for _, e := range events {
				if e.kind == "job" {
					ids = append(ids, e.id)
				} else if e.kind != "snapshot" || last != "" {
					t.Fatalf("got %v after %q", e, last)
				}
				last = e.id
			}
		}
		<-stop
		time.Sleep(time.Second)
		whole.leave()
		events, _ := sses(t, whole.String())
		var want []string
		for _, e := range events[1:] {
			want = append(want, e.id)
		}
		if len(want) != 600 || !slices.Equal(ids, want) {
			t.Errorf("got %d, want the %d of one who was not cut off", len(ids), len(want))
		}
	})
}

func TestOnlyWhatSomebodyWantsToHearIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		w.ask("a", "POST", "jobs/long/trigger", "", 202)
		time.Sleep(time.Second)
		all := map[string]*tuned{}
		for _, query := range []string{"?types=replica,%20lease", "?job=quick", "?types=run&job=long", "?types=config"} {
			all[query] = tune(t, w.apis["b"], query)
		}
		time.Sleep(time.Second)
		for _, h := range []journal.Happening{
			{Topic: journal.AboutRun, Phase: "started", Job: "quick", Run: "quick.20000101T000000Z"},
			{Topic: journal.AboutRun, Phase: "ended", Job: "long", Run: "long.20000101T000000Z"},
			{Topic: journal.AboutLease, Phase: journal.Lost, Job: "long"},
			{Topic: journal.AboutReplica, Phase: journal.Gone},
			{Topic: journal.AboutRun, Phase: journal.Burst, Counts: map[string]int{"started": 9}},
		} {
			w.feeds["a"].Say(h)
		}
		time.Sleep(time.Minute)
		for query, want := range map[string]string{
			"?types=replica,%20lease": "snapshot lease:lost replica:gone",
			"?job=quick":              "snapshot run:started replica:gone run:burst",
			"?types=run&job=long":     "snapshot run:ended run:burst run:ended",
			"?types=config":           "snapshot",
		} {
			all[query].leave()
			events, last := sses(t, all[query].String())
			var got []string
			for _, e := range events {
				if phase, told := e.data["phase"]; told {
					got = append(got, fmt.Sprint(e.kind, ":", phase))
				} else {
					got = append(got, e.kind)
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: got %v, want %s", query, got, want)
			}
			if query == "?types=config" && !after(t, events[0].id, last) {
				t.Errorf("who hears nothing is at %s as in the beginning, and would have to begin anew", last)
			}
			_, runs := events[0].data["runs"]
			_, replicas := events[0].data["replicas"]
			if runs != strings.Contains(want, "run:") || replicas != strings.Contains(want, "replica:") {
				t.Errorf("%s: snapshot of %v", query, events[0].data)
			}
		}
	})
}

func TestWhoComesBackTooLateBeginsAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		for _, last := range []string{"1-1.0", "something else"} {
			l := tune(t, w.apis["b"], "", "Last-Event-ID", last)
			time.Sleep(5 * time.Second)
			w.feeds["a"].Say(journal.Happening{Topic: journal.AboutReplica, Phase: journal.Gone})
			time.Sleep(time.Second)
			l.leave()
			if events, _ := sses(t, l.String()); strings.Join(kinds(events), " ") != "reset snapshot replica" {
				t.Errorf("%q: got %v", last, kinds(events))
			}
		}
	})
}

func TestQuestionsThatMakeNoSenseAreRefused(t *testing.T) {
	t.Parallel()
	api := admin.New(streamed(t, memjournal.NewBatches()))
	for _, query := range []string{"?types=jobs", "?types=run,", "?since=yesterday", "?since=1-1", "?job=" + strings.Repeat("x", 200)} {
		res, doc := call(t, api, http.MethodGet, "/api/v1/events"+query, "")
		if res.StatusCode != 400 || doc["type"] != "urn:solocron:problem:bad-request" {
			t.Errorf("%.30s: got %d %v, want 400", query, res.StatusCode, doc)
		}
	}
}

// streamed is what an API with a feed over batches is made of.
func streamed(t *testing.T, batches journal.Batches) admin.Deps {
	t.Helper()
	d := deps(newEngine("job"))
	d.Memory = &admin.Memory{Journal: memjournal.New(nil), Feed: journal.NewFeed(batches, "a")}
	return d
}

// mute is a store that gives no answer.
type mute struct{ journal.Batches }

func (mute) Last(context.Context) (journal.Batch, bool, error) {
	return journal.Batch{}, false, errors.New("connection refused")
}

func TestWithoutAStoreNoStreamBegins(t *testing.T) {
	t.Parallel()
	api := admin.New(streamed(t, mute{}))
	res, doc := call(t, api, http.MethodGet, "/api/v1/events", "")
	if res.StatusCode != 503 || res.Header.Get("Retry-After") == "" || doc["type"] != "urn:solocron:problem:store-unavailable" {
		t.Errorf("got %d %v", res.StatusCode, doc)
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodHead, "http://localhost/api/v1/events", nil))
	if w.Code != 200 || w.Header().Get("Content-Type") != "text/event-stream" || w.Body.Len() > 0 {
		t.Errorf("HEAD: got %d %v %q", w.Code, w.Header(), w.Body)
	}
	api.Drain()
	if res, doc := call(t, api, http.MethodGet, "/api/v1/events", ""); res.StatusCode != 503 || doc["type"] != "urn:solocron:problem:draining" {
		t.Errorf("while it shuts down: got %d %v, want 503", res.StatusCode, doc)
	}
}

// counted is a journal that counts how often it is asked for open runs.
type counted struct {
	*memjournal.Journal
	mu   sync.Mutex
	asks int
}

func (c *counted) Open(ctx context.Context) ([]scheduler.Row, error) {
	c.mu.Lock()
	c.asks++
	c.mu.Unlock()
	time.Sleep(100 * time.Millisecond)
	return c.Journal.Open(ctx)
}

func TestOnlySoManyStreamsAtOnceAndOneSnapshotForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := streamed(t, memjournal.NewBatches())
		c := &counted{Journal: memjournal.New(nil)}
		d.Memory.Journal = c
		api := admin.New(d)
		var all []*tuned
		for range 256 {
			all = append(all, tune(t, api, ""))
		}
		time.Sleep(time.Second)
		res, doc := call(t, api, http.MethodGet, "/api/v1/events", "")
		if res.StatusCode != 429 || res.Header.Get("Retry-After") == "" || doc["type"] != "urn:solocron:problem:too-many-streams" {
			t.Errorf("number 257: got %d %v", res.StatusCode, doc)
		}
		if c.asks != 1 {
			t.Errorf("the journal was asked %d times, want once for all", c.asks)
		}
		all[0].leave()
		all[0] = tune(t, api, "")
		time.Sleep(time.Second)
		begin := time.Now()
		api.Drain()
		for i, l := range all {
			<-l.ended
			if events, _ := sses(t, l.String()); l.status != 200 || strings.Join(kinds(events), " ") != "snapshot bye" || events[1].data["reason"] != "draining" {
				t.Errorf("stream %d: got %d %v", i, l.status, events)
			}
		}
		if took := time.Since(begin); took > 0 {
			t.Errorf("streams ended %v after the drain, want at once", took)
		}
	})
}

func TestAStreamEndsAfterAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := streamed(t, memjournal.NewBatches())
		begin := time.Now()
		l := tune(t, admin.New(d), "")
		<-l.ended
		events, _ := sses(t, l.String())
		if took := time.Since(begin); took != time.Hour || strings.Join(kinds(events), " ") != "snapshot bye" || events[1].data["reason"] != "time" {
			t.Errorf("after %v: got %v", took, events)
		}
		if n := strings.Count(l.String(), ": alive\n"); n < 230 || n > 240 {
			t.Errorf("got %d comments in an hour, want one every 15 s", n)
		}
	})
}
