package admin_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
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

// text asks for the output of a run.
func text(t *testing.T, h http.Handler, run, query string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/api/v1/runs/"+run+"/log"+query, nil))
	return w.Code, w.Body.String()
}

func TestTheOutputOfARunIsShownByAnyReplica(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		run := w.ask("a", "POST", "jobs/quick/trigger", `{"params": {"day": "7"}}`, 202)["id"].(string)
		time.Sleep(2 * time.Second)
		for _, name := range []string{"a", "b"} {
			for _, query := range []string{"", "?follow=true"} {
				if code, got := text(t, w.apis[name], run, query); code != 200 || got != "day 7\n" {
					t.Errorf("%s%s: got %d %q", name, query, code, got)
				}
			}
		}
	})
}

func TestWhoFollowsARunSeesItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		run := w.ask("a", "POST", "jobs/long/trigger", "", 202)["id"].(string)
		time.Sleep(5 * time.Second)
		if _, got := text(t, w.apis["b"], run, ""); got != "begin\n" {
			t.Errorf("while it runs: got %q", got)
		}
		began := time.Now()
		if _, got := text(t, w.apis["b"], run, "?follow=true"); got != "begin\nend\n" {
			t.Errorf("to its end: got %q", got)
		}
		if took := time.Since(began); took < 50*time.Second || took > time.Minute {
			t.Errorf("followed for %v, want until the run had ended", took)
		}
	})
}

func TestARunThatPrintsNothingIsFollowedToItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		run := w.ask("a", "POST", "jobs/broken/trigger", "", 202)["id"].(string)
		if code, got := text(t, w.apis["b"], run, "?follow=true"); code != 200 || got != "" {
			t.Errorf("got %d %q", code, got)
		}
		is(t, w.run(run), map[string]any{"state": "ended"})
	})
}

// memory is that of an API whose journal knows one run, with its output as logs has it.
func memory(t *testing.T, logs admin.Logs, state scheduler.RowState) admin.Deps {
	t.Helper()
	j := memjournal.New(nil)
	row := scheduler.Row{ID: "job.20000101T000000Z", Job: "job", State: state, Attempt: 1, Token: 1}
	if state == scheduler.RunEnded {
		row.Verdict = scheduler.Succeeded
	}
	if _, err := j.Record(t.Context(), []scheduler.Entry{{Row: row}}); err != nil {
		t.Fatal(err)
	}
	d := deps(newEngine("job"))
	d.Memory = &admin.Memory{Journal: j, Output: logs}
	return d
}

// script is Logs that answer one thing after another.
type script struct {
	mu    sync.Mutex
	parts [][]journal.Chunk
	total int64
	err   error // when all is read
}

func (s *script) Read(_ context.Context, _ string, from journal.Cursor, _ int) ([]journal.Chunk, journal.Cursor, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.parts) == 0 {
		return nil, max(from, journal.Cursor(s.total)), s.err == nil, s.err
	}
	part := s.parts[0]
	s.parts = s.parts[1:]
	return part, journal.Cursor(part[len(part)-1].End()), false, nil
}

func chunk(offset int64, attempt int, open bool, lines ...string) journal.Chunk {
	var list []journal.Line
	for _, l := range lines {
		list = append(list, journal.Line{At: time.UnixMilli(1000), Stream: "stdout", Text: l})
	}
	list[len(list)-1].Open = open
	return journal.Pack(offset, attempt, list)
}

func TestWhatWasNotKeptIsRemarkedOn(t *testing.T) {
	t.Parallel()
	logs := &script{
		parts: [][]journal.Chunk{
			{chunk(0, 1, false, "one", "two"), chunk(8, 1, true, "begin of a line, ")},
			{chunk(25, 1, false, "and its end")},
			{chunk(100, 1, true, "cut")},
			{chunk(203, 2, false, "again")},
		},
		total: 300,
	}
	code, got := text(t, admin.New(memory(t, logs, scheduler.RunEnded)), "job.20000101T000000Z", "")
	want := "one\ntwo\nbegin of a line, and its end\n[63 bytes were not kept]\ncut\n[100 bytes were not kept]\n[attempt 2]\nagain\n[91 bytes were not kept]\n"
	if code != 200 || got != want {
		t.Errorf("got %d\n%s\nwant\n%s", code, got, want)
	}
}

func TestAStoreThatGoesAwayIsSaidAtTheEndOfTheOutput(t *testing.T) {
	t.Parallel()
	logs := &script{parts: [][]journal.Chunk{{chunk(0, 1, false, "one")}}, err: errors.New("secret address refused")}
	code, got := text(t, admin.New(memory(t, logs, scheduler.RunEnded)), "job.20000101T000000Z", "")
	if code != 200 || got != "one\n[the output could not be read any further: the store gave no answer]\n" {
		t.Errorf("got %d %q", code, got)
	}
	logs = &script{err: errors.New("refused")}
	if code, _ := text(t, admin.New(memory(t, logs, scheduler.RunEnded)), "job.20000101T000000Z", ""); code != 503 {
		t.Errorf("before the first line: got %d, want 503", code)
	}
}

func TestTheOutputOfNoRunIsNotFound(t *testing.T) {
	t.Parallel()
	h := admin.New(memory(t, &script{}, scheduler.RunEnded))
	for _, run := range []string{"job.20000101T000001Z", "job", "x", "%00", strings.Repeat("x", 600)} {
		if code, _ := text(t, h, run, ""); code != 404 {
			t.Errorf("%.20s: got %d, want 404", run, code)
		}
	}
	if code, _ := text(t, h, "job.20000101T000000Z", "?follow=1"); code != 400 {
		t.Errorf("follow=1: got %d, want 400", code)
	}
}

func TestTimeOutsOfTheServerDoNotCutAStreamAndItsShutdownDoes(t *testing.T) {
	t.Parallel()
	logs := new(endless)
	api := admin.New(memory(t, logs, scheduler.RunRunning))
	server := api.Server()
	server.WriteTimeout, server.ReadTimeout = 300*time.Millisecond, 300*time.Millisecond
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get("http://" + listener.Addr().String() + "/api/v1/runs/job.20000101T000000Z/log?follow=true")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	began, scan := time.Now(), bufio.NewScanner(res.Body)
	for time.Since(began) < 1200*time.Millisecond {
		if !scan.Scan() {
			t.Fatalf("the stream ended after %v: %v", time.Since(began), scan.Err())
		}
	}
	done := make(chan error, 1)
	go func() { done <- server.Shutdown(context.WithoutCancel(t.Context())) }()
	rest, err := io.ReadAll(res.Body)
	if err != nil || !strings.Contains(string(rest), "[this replica shuts down") && !strings.Contains(scan.Text(), "[this replica") {
		t.Errorf("at the shutdown: got %v %q", err, rest)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}

// endless is the output of a run that prints a line whenever somebody looks twice.
type endless struct {
	mu    sync.Mutex
	looks int
}

func (e *endless) Read(_ context.Context, _ string, from journal.Cursor, _ int) ([]journal.Chunk, journal.Cursor, bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.looks++; e.looks%2 == 0 {
		return nil, from, false, nil
	}
	c := chunk(int64(from), 1, false, fmt.Sprint("look ", e.looks))
	return []journal.Chunk{c}, journal.Cursor(c.End()), false, nil
}

func TestOnlySoManyFollowAtOnce(t *testing.T) {
	t.Parallel()
	api := admin.New(memory(t, new(endless), scheduler.RunRunning))
	var wg sync.WaitGroup
	codes := make(chan int, 80)
	for range 80 {
		wg.Go(func() { code, _ := text(t, api, "job.20000101T000000Z", "?follow=true"); codes <- code })
	}
	for range 16 {
		if code := <-codes; code != 503 {
			t.Errorf("got %d, want 503 for those beyond 64", code)
		}
	}
	api.Drain()
	wg.Wait()
	close(codes)
	for code := range codes {
		if code != 200 {
			t.Errorf("got %d, want 200 for the first 64", code)
		}
	}
}

func TestOnlyTheLastLinesOrOneAttemptIsShownToWhoAsksForIt(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"?tail=1":           "six\n",
		"?tail=2":           "five\nsix\n",
		"?tail=4":           "three\n[attempt 2]\nfour\nfive\nsix\n",
		"?tail=100":         "one\ntwo\nthree\n[attempt 2]\nfour\nfive\nsix\n",
		"?attempt=1":        "one\ntwo\nthree\n",
		"?attempt=2":        "[attempt 2]\nfour\nfive\nsix\n",
		"?attempt=1&tail=1": "three\n",
		"?attempt=9":        "",
	} {
		logs := &script{
			parts: [][]journal.Chunk{{chunk(0, 1, false, "one", "two")}, {chunk(8, 1, false, "three"), chunk(14, 2, false, "four")}, {chunk(19, 2, false, "five", "six")}},
			total: 28,
		}
		if code, got := text(t, admin.New(memory(t, logs, scheduler.RunEnded)), "job.20000101T000000Z", query); code != 200 || got != want {
			t.Errorf("%s: got %d %q, want %q", query, code, got, want)
		}
	}
	for _, bad := range []string{"?tail=0", "?tail=x", "?tail=10001", "?attempt=-1"} {
		if code, _ := text(t, admin.New(memory(t, &script{}, scheduler.RunEnded)), "job.20000101T000000Z", bad); code != 400 {
			t.Errorf("%s: got %d, want 400", bad, code)
		}
	}
}
