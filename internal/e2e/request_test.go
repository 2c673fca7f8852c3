package e2e

import (
	"bufio"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/scheduler"
)

func TestTriggerSurvivesTheDeathOfTheReplicaThatTookIt(t *testing.T) {
	server := redistest.Start(t)
	rdb := redis.NewClient(redislease.Options(server.Addr, time.Second))
	defer rdb.Close()
	ledger, err := redislease.New(rdb, "solocron", "e2e", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "runs")
	const lease = "lease: {ttl: 6s, lockDelay: 1s}"
	job := `
  - name: asked
    schedule: "@yearly"
    shell: 'echo $SOLOCRON_RUN_ID >> ` + file + "; sleep 0.5'\n"
	b := serve(t, "b", server.Addr, lease, job)
	c := serve(t, "c", server.Addr, lease, job)
	b.url(t)
	c.url(t)
	for i := range 5 {
		a := serve(t, fmt.Sprint("a", i), server.Addr, lease, job)
		a.url(t)
		run := a.trigger(t, "asked")
		a.kill()
		accepted := time.Now()
		records, err := ledger.Read(t.Context(), []string{"asked"})
		if err != nil {
			t.Fatal(err)
		}
		began := func() bool { return slices.Contains(lines(t, file), run) }
		switch r := records[0]; {
		case strings.HasPrefix(r.Holder, a.name+"-") && r.State == election.StateRunning && r.Remaining > 0:
			t.Logf("round %d: %s died in the run", i, a.name)
		case strings.HasPrefix(r.Holder, a.name+"-") && r.State == election.StateClaimed && r.Remaining > 0:
			t.Logf("round %d: %s died between its claim and the start", i, a.name)
		default:
			await(t, "the start on another replica", 2*time.Second, began)
			t.Logf("round %d: began %s after the death", i, time.Since(accepted).Round(time.Millisecond))
		}
		x := b.ended(t, run, 90*time.Second)
		// A replica that died in the run may have died before the command began;
		// and the command may have outlived it.
		dead := strings.HasPrefix(x.Replica, a.name+"-")
		lost := x.Verdict == scheduler.LeaseLost && dead
		if x.Verdict == scheduler.Succeeded && dead {
			t.Errorf("round %d: it succeeded on %s, which was killed before it could", i, x.Replica)
		}
		if x.Verdict != scheduler.Succeeded && !lost {
			t.Errorf("round %d: got %s on %s, want succeeded, or lost with the replica that died", i, x.Verdict, x.Replica)
		}
		if n := strings.Count(strings.Join(lines(t, file), "\n"), run); n > 1 || n == 0 && !lost {
			t.Errorf("round %d: it ran %d times and is recorded as %s, want once", i, n, x.Verdict)
		}
	}
}

func TestCancelThroughAnotherReplicaEndsTheProcessTree(t *testing.T) {
	server := redistest.Start(t)
	file := filepath.Join(t.TempDir(), "pids")
	const grace = 2 * time.Second
	replicas := trio(t, server.Addr, "", `
  - name: tree
    schedule: "@yearly"
    stopGracePeriod: 2s
    retry: { maxAttempts: 3, initialInterval: 200ms }
    shell: |
      echo $$ >> `+file+`
      sh -c 'echo $$ >> `+file+`; exec sleep 300' &
      sh -c 'trap "" TERM; echo $$ >> `+file+`; while :; do sleep 0.1; done' &
      wait
      sleep 300
`)
	run := replicas[0].trigger(t, "tree")
	_, other := running(t, replicas, run)
	await(t, "the process tree", 10*time.Second, func() bool { return len(lines(t, file)) == 3 })

	var x admin.Run
	other.ask(t, http.MethodPost, "/runs/"+run+"/cancel", `{"reason": "enough"}`, http.StatusAccepted, &x)
	asked := time.Now()
	for _, text := range lines(t, file) {
		pid, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		await(t, "the end of process "+text, time.Until(asked.Add(grace+time.Second)), func() bool { return !alive(pid) })
	}
	t.Logf("the tree was gone %s after the cancel", time.Since(asked).Round(time.Millisecond))
	x = other.ended(t, run, 5*time.Second)
	if x.Verdict != scheduler.Cancelled || x.Attempt != 1 || len(x.Attempts) != 0 {
		t.Errorf("got %+v, want cancelled in its first attempt", x)
	}
	<-time.After(3 * time.Second) // in which a retry would have begun
	if got := lines(t, file); len(got) != 3 {
		t.Errorf("processes: got %v, want no further attempt", got)
	}
	if again := other.run(t, run); again.Verdict != scheduler.Cancelled {
		t.Errorf("later: got %+v, want still cancelled", again)
	}
}

func TestReplaceNeverShowsTwoAtOnce(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	dir := t.TempDir()
	replicas := trio(t, server.Addr, "", `
  - name: latest
    schedule: "@every 1s"
    overlapPolicy: replace
    shell: |
      cd `+dir+`
      exec 9>lock
      flock -n 9 || { echo $SOLOCRON_RUN_ID >> overlaps; exit 1; }
      echo $SOLOCRON_RUN_ID >> starts
      sleep 30
`)
	<-time.After(20 * time.Second) // the time to be watched, not a proof
	if got := lines(t, filepath.Join(dir, "overlaps")); len(got) > 0 {
		t.Errorf("two at once: %v", got)
	}
	if got := lines(t, filepath.Join(dir, "starts")); len(got) < 8 {
		t.Errorf("starts: got %d in 20 s, want some in most seconds", len(got))
	}
	var list admin.Runs
	replicas[1].ask(t, http.MethodGet, "/jobs/latest/runs?verdict=cancelled", "", http.StatusOK, &list)
	replaced := 0
	for _, x := range list.Items {
		if x.Why == scheduler.ReasonReplaced {
			replaced++
		}
	}
	if replaced < 5 {
		t.Errorf("runs recorded as replaced: got %d of %d cancelled, want some", replaced, len(list.Items))
	}
	t.Logf("%d starts, %d replaced", len(lines(t, filepath.Join(dir, "starts"))), replaced)
}

func TestLogsOfARunOnAnotherReplica(t *testing.T) {
	server := redistest.Start(t)
	const count = 25
	replicas := trio(t, server.Addr, "", `
  - name: talker
    schedule: "@yearly"
    shell: 'i=0; while [ $i -lt 25 ]; do echo "line $i"; i=$((i+1)); sleep 0.2; done'
`)
	run := replicas[0].trigger(t, "talker")
	_, other := running(t, replicas, run)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, other.url(t)+"/api/v1/runs/"+run+"/log?follow=true", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := (&http.Client{Timeout: 30 * time.Second}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var got []string
	live := 0 // lines that came while it ran
	for scan := bufio.NewScanner(res.Body); scan.Scan(); {
		got = append(got, scan.Text())
		if other.run(t, run).State == scheduler.RunRunning {
			live++
		}
	}
	for i := range count {
		if want := fmt.Sprint("line ", i); i >= len(got) || got[i] != want {
			t.Fatalf("got %q, want line %d to be %q", got, i, want)
		}
	}
	if len(got) != count || live < count/2 {
		t.Errorf("got %d lines, %d of them while it ran; want %d, most of them live", len(got), live, count)
	}
	if x := other.run(t, run); x.Verdict != scheduler.Succeeded {
		t.Errorf("at the end of the stream: got %s, want succeeded", x.Verdict)
	}
}
