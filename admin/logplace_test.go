package admin_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

const theRun = "job.20000101T000000Z"

// tapes is the output of a run as a store keeps it: what begins before a place is not
// read from there.
type tapes struct {
	chunks []journal.Chunk
	total  int64
	open   bool // there may come more
}

func (s tapes) Read(_ context.Context, _ string, from journal.Cursor, _ int) (out []journal.Chunk, next journal.Cursor, done bool, err error) {
	next = from
	for _, c := range s.chunks {
		if c.Offset >= int64(from) {
			out, next = append(out, c), max(next, journal.Cursor(c.End()))
		}
	}
	return out, max(next, journal.Cursor(s.total)), !s.open, nil
}

// timed is a chunk of lines, one a second from a second on.
func timed(offset int64, attempt, second int, lines ...string) journal.Chunk {
	var list []journal.Line
	for i, l := range lines {
		list = append(list, journal.Line{At: time.Unix(int64(second+i), 0), Stream: "stdout", Text: l})
	}
	return journal.Pack(offset, attempt, list)
}

// printout is what two attempts printed, with a gap between.
func printout() tapes {
	return tapes{chunks: []journal.Chunk{timed(0, 1, 100, "one", "two"), timed(8, 1, 102, "three"), timed(20, 2, 110, "four", "five")}, total: 30}
}

func TestOutputIsReadFromAPlaceOnThatStays(t *testing.T) {
	t.Parallel()
	h := admin.New(memory(t, printout(), scheduler.RunEnded))
	for query, want := range map[string]string{
		"?offset=0": "one\ntwo\nthree\n[6 bytes were not kept]\n[attempt 2]\nfour\nfive\n",
		"?offset=4": "two\nthree\n[6 bytes were not kept]\n[attempt 2]\nfour\nfive\n",
		"?offset=6": "two\nthree\n[6 bytes were not kept]\n[attempt 2]\nfour\nfive\n", // within a line: all of it
		"?offset=8": "three\n[6 bytes were not kept]\n[attempt 2]\nfour\nfive\n", "?offset=14": "[6 bytes were not kept]\n[attempt 2]\nfour\nfive\n",
		"?offset=17": "[3 bytes were not kept]\n[attempt 2]\nfour\nfive\n", "?offset=25": "[attempt 2]\nfive\n", "?offset=30": "", "?offset=9007199254740992": "",
		"?since=1970-01-01T00:01:41Z": "two\nthree\n[6 bytes were not kept]\n[attempt 2]\nfour\nfive\n", "?since=1970-01-01T00:01:51Z&attempt=2": "[6 bytes were not kept]\n[attempt 2]\nfive\n",
		"?since=1970-01-01T00:01:51Z&tail=5": "[6 bytes were not kept]\n[attempt 2]\nfive\n", "?tail=1&since=1970-01-01T00:02:00Z": "[6 bytes were not kept]\n",
		"?timestamps=true&tail=2":   "1970-01-01T00:01:50.000Z four\n1970-01-01T00:01:51.000Z five\n",
		"?timestamps=false&tail=1":  "five\n",
		"?offset=4&attempt=1":       "two\nthree\n",
		"?attempt=2&offset=4":       "[6 bytes were not kept]\n[attempt 2]\nfour\nfive\n",
		"?follow=false&offset=25":   "[attempt 2]\nfive\n",
		"?follow=true&attempt=1":    "one\ntwo\nthree\n",
		"?offset=0&timestamps=true": "1970-01-01T00:01:40.000Z one\n1970-01-01T00:01:41.000Z two\n1970-01-01T00:01:42.000Z three\n[6 bytes were not kept]\n[attempt 2]\n1970-01-01T00:01:50.000Z four\n1970-01-01T00:01:51.000Z five\n",
	} {
		if code, got := text(t, h, theRun, query); code != 200 || got != want {
			t.Errorf("%s: got %d %q, want %q", query, code, got, want)
		}
	}
	for query, status := range map[string]int{
		"?offset=-1": 400, "?offset=x": 400, "?offset=1e3": 400, "?offset=9007199254740993": 400, "?tail=1&offset=4": 400, "?timestamps=yes": 400,
		"?since=yesterday": 422, "?since=9999-12-31T23:59:59Z": 422, "?since=1": 422,
	} {
		if code, got := text(t, h, theRun, query); code != status {
			t.Errorf("%s: got %d %s, want %d", query, code, got, status)
		}
	}
}

func TestATextSaysWhereItGoesOnAndWhetherSomethingIsMissing(t *testing.T) {
	t.Parallel()
	h := admin.New(memory(t, printout(), scheduler.RunEnded))
	for query, want := range map[string][2]string{"": {"", "30"}, "?offset=8": {"", "30"}, "?tail=1": {"true", "30"}, "?offset=17": {"true", "30"}, "?tail=100": {"", "30"}} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/api/v1/runs/"+theRun+"/log"+query, nil))
		res := w.Result()
		if res.Header.Get("Log-Truncated") != want[0] || res.Trailer.Get("Log-Next") != want[1] {
			t.Errorf("%q: got truncated %q, next %q, want %v", query, res.Header.Get("Log-Truncated"), res.Trailer.Get("Log-Next"), want)
		}
	}
}

// listen to the output of a run as events.
func tuneLog(t *testing.T, h http.Handler, run, query string, header ...string) *tuned {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/api/v1/runs/"+run+"/log"+query, nil)
	r.Header.Set("Accept", "text/event-stream")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	l := &tuned{wire: &wire{header: http.Header{}, status: 200}, ended: make(chan struct{})}
	l.leave = func() {
		cancel()
		<-l.ended
	}
	go func() {
		defer close(l.ended)
		h.ServeHTTP(l.wire, r)
	}()
	return l
}

// told is events in short.
func told(events []sse) []string {
	var list []string
	for _, e := range events {
		line := e.kind + " " + e.id
		for _, member := range []string{"text", "bytes", "status", "reason"} {
			if v, there := e.data[member]; there {
				line += fmt.Sprint(" ", v)
			}
		}
		list = append(list, line)
	}
	return list
}

func TestOutputIsToldAsEventsAndGoneOnWithByTheirIDs(t *testing.T) {
	t.Parallel()
	h := admin.New(memory(t, printout(), scheduler.RunEnded))
	all := []string{"line 4 one", "line 8 two", "line 14 three", "gap 20 6", "line 25 four", "line 30 five", "end 30 succeeded"}
	for n, last := range []string{"", "4", "8", "14", "20", "25", "30"} {
		l := tuneLog(t, h, theRun, "?timestamps=true&tail=3", "Last-Event-ID", last)
		want := all[n:]
		if last == "" {
			want = all[2:] // only the last lines, as the address says
		}
		<-l.ended
		events, _ := sses(t, l.String())
		if got := told(events); !slices.Equal(got, want) {
			t.Errorf("after %q: got\n%s\nwant\n%s", last, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if l.header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("got %v", l.header)
		}
	}
	l := tuneLog(t, h, theRun, "?attempt=2", "Last-Event-ID", "no place")
	<-l.ended
	events, _ := sses(t, l.String())
	if got, want := told(events), []string{"gap 20 6", "line 25 four", "line 30 five", "end 30 succeeded"}; !slices.Equal(got, want) {
		t.Fatalf("from no place: got %v, want %v", got, want)
	}
	is(t, events[1].data, map[string]any{"offset": 20.0, "at": "1970-01-01T00:01:50Z", "stream": "stdout", "attempt": 2.0, "text": "four"})
}

func TestEventsOfARunThatIsOnGoOnToItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		run := w.ask("a", "POST", "jobs/long/trigger", "", 202)["id"].(string)
		time.Sleep(5 * time.Second)
		whole := tuneLog(t, w.apis["b"], run, "")
		once := tuneLog(t, w.apis["b"], run, "?follow=false")
		<-once.ended
		if events, _ := sses(t, once.String()); len(events) != 2 || events[1].kind != "end" || events[1].data["status"] != "running" {
			t.Errorf("what is there: got %v", told(events))
		}
		time.Sleep(40 * time.Second)
		if n := strings.Count(whole.String(), ": alive\nid: 6\n"); n != 2 {
			t.Errorf("comments while nothing is printed: got %d, want one every 15 s:\n%s", n, whole)
		}
		<-whole.ended
		events, _ := sses(t, whole.String())
		if len(events) != 3 || events[1].data["text"] != "end" || events[2].kind != "end" || events[2].data["status"] != "succeeded" {
			t.Errorf("to its end: got %v", told(events))
		}
		again := w.ask("a", "POST", "jobs/long/trigger", "", 202)["id"].(string)
		time.Sleep(5 * time.Second)
		cut := tuneLog(t, w.apis["b"], again, "")
		time.Sleep(time.Second)
		w.apis["b"].Drain()
		<-cut.ended
		if events, last := sses(t, cut.String()); len(events) != 2 || events[1].kind != "bye" || events[1].data["reason"] != "draining" || last != "6" {
			t.Errorf("a drain: got %v, at %s", told(events), last)
		}
	})
}

func TestEventsEndWhereTheStoreGivesNoAnswer(t *testing.T) {
	t.Parallel()
	logs := &script{parts: [][]journal.Chunk{{chunk(0, 1, false, "one")}}, err: errors.New("refused")}
	l := tuneLog(t, admin.New(memory(t, logs, scheduler.RunEnded)), theRun, "")
	<-l.ended
	if events, last := sses(t, l.String()); len(events) != 2 || events[1].kind != "bye" || events[1].data["reason"] != "store" || last != "4" {
		t.Errorf("got %v, at %s", told(events), last)
	}
	l = tuneLog(t, admin.New(memory(t, &script{err: errors.New("refused")}, scheduler.RunEnded)), theRun, "")
	<-l.ended
	if l.status != 503 {
		t.Errorf("before the first line: got %d, want 503", l.status)
	}
}
