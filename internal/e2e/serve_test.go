package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/internal/faultproxy"
	"github.com/solocron/solocron/internal/redistest"
)

// beat is a job of a fifth of a second, every second.
func beat(file string) string {
	return `
  - name: beat
    schedule: "@every 1s"
    shell: |
      echo start ` + markLine + file + `
      sleep 0.2
      echo end ` + markLine + file + "\n"
}

// once checks the promise over the marks of beat: no overlap, tokens grow, no
// tick twice. A run with one of the killed tokens died with its replica and need
// not have written its end. It returns the ticks that were started.
func once(t *testing.T, marks []mark, killed ...int64) map[time.Time]int {
	t.Helper()
	ticks := make(map[time.Time]int)
	var inside mark
	var token int64
	for _, m := range marks {
		if m.what == "end" {
			inside = mark{}
			continue
		}
		if inside.what != "" && !slices.Contains(killed, inside.token) {
			t.Errorf("tick %s starts on %s while %s runs on %s", m.tick, m.replica, inside.tick, inside.replica)
		}
		if m.token <= token {
			t.Errorf("tick %s has token %d after %d", m.tick, m.token, token)
		}
		if ticks[m.tick]++; ticks[m.tick] > 1 {
			t.Errorf("tick %s runs %d times", m.tick, ticks[m.tick])
		}
		inside, token = m, m.token
	}
	return ticks
}

// span is how long a test watches: a minute, unless SOLOCRON_E2E_SECONDS says
// otherwise (for running it many times over).
func span(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("SOLOCRON_E2E_SECONDS")
	if text == "" {
		return time.Minute
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(n) * time.Second
}

func TestThreeReplicasOneOfThemSlowRunEveryTickExactlyOnce(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	slow := faultproxy.Start(t, server.Addr)
	slow.Delay(400 * time.Millisecond)
	file := filepath.Join(t.TempDir(), "marks")
	serve(t, "a", server.Addr, "", beat(file))
	serve(t, "b", server.Addr, "", beat(file))
	serve(t, "slow", slow.Addr(), "", beat(file))

	await(t, "the first run", 20*time.Second, func() bool { return len(read(t, file)) > 0 })
	<-time.After(span(t)) // the time to be watched, not a proof
	ticks := once(t, read(t, file))

	marks := read(t, file)
	first, last := marks[0].tick, marks[len(marks)-1].tick
	for at := first; !at.After(last); at = at.Add(time.Second) {
		if ticks[at] != 1 {
			t.Errorf("tick %s ran %d times, want once", at.Format(time.TimeOnly), ticks[at])
		}
	}
	if want := int(span(t)/time.Second) - 1; len(ticks) < want {
		t.Errorf("%d ticks ran, want at least %d", len(ticks), want)
	}
}

func TestNextTickAfterTheHolderIsKilledStartsWithinTTLAndLockDelay(t *testing.T) {
	server := redistest.Start(t)
	file := filepath.Join(t.TempDir(), "marks")
	const lease = "lease: {ttl: 6s, lockDelay: 1s}"
	replicas := make(map[string]*process)
	for _, name := range []string{"a", "b", "c"} {
		replicas[name] = serve(t, name, server.Addr, lease, beat(file))
	}
	var dead []int64
	for range 2 {
		var before int
		await(t, "a run in progress", 30*time.Second, func() bool {
			marks := read(t, file)
			before = len(marks)
			return before > 5 && marks[before-1].what == "start"
		})
		run := read(t, file)[before-1]
		holder := run.replica
		replicas[holder].kill()
		dead = append(dead, run.token)
		killed := time.Now()
		await(t, "the next start", 8*time.Second, func() bool {
			marks := read(t, file)
			return len(marks) > 0 && marks[len(marks)-1].replica != holder
		})
		t.Logf("killed %s in mid-run; the next start came after %s", holder, time.Since(killed).Round(10*time.Millisecond))
		await(t, "five more", 20*time.Second, func() bool { return len(read(t, file)) > before+10 })
	}
	once(t, read(t, file), dead...)
}

func TestRedisThatHangsForLongerThanTheTTLEndsTheCommandBeforeTheDeadline(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	file := filepath.Join(t.TempDir(), "marks")
	const ttl = 6 * time.Second
	job := `
  - name: long
    schedule: "@every 1s"
    shell: |
      if [ -e ` + file + ` ]; then
        echo start ` + markLine + file + `
      else
        trap '' TERM
        echo long ` + markLine + file + `
        while :; do sleep 0.1; done
      fi
`
	p := serve(t, "a", server.Addr, "lease: {ttl: 6s, lockDelay: 1s}", job)
	await(t, "the long run", 20*time.Second, func() bool { return len(read(t, file)) == 1 })
	pid := read(t, file)[0].pid
	<-time.After(3 * time.Second) // let it be renewed at least once
	if err := server.Pause(); err != nil {
		t.Fatal(err)
	}
	paused := time.Now()
	await(t, "the command's death", ttl, func() bool { return !alive(pid) })
	t.Logf("the command, which ignores SIGTERM, was dead %s after Redis hung", time.Since(paused).Round(10*time.Millisecond))
	<-time.After(time.Until(paused.Add(ttl + 3*time.Second)))
	if strings.Contains(p.log.String(), `"verdict":"succeeded"`) {
		t.Error("something succeeded while Redis hung")
	}
	if err := server.Resume(); err != nil {
		t.Fatal(err)
	}
	await(t, "verdict lost", 10*time.Second, func() bool { return strings.Contains(p.log.String(), `"verdict":"lost"`) })
	await(t, "further ticks", 20*time.Second, func() bool { return len(read(t, file)) > 5 })
	select {
	case <-p.done:
		t.Error("the process has ended")
	default:
	}
}

func TestRollingRestartOfThreeReplicasLosesNoTick(t *testing.T) {
	server := redistest.Start(t)
	file := filepath.Join(t.TempDir(), "marks")
	var replicas []*process
	for _, name := range []string{"a", "b", "c"} {
		replicas = append(replicas, serve(t, name, server.Addr, "", beat(file)))
	}
	await(t, "some runs", 20*time.Second, func() bool { return len(read(t, file)) > 6 })
	for i, p := range replicas {
		serve(t, p.name+"2", server.Addr, "", beat(file))
		before := len(read(t, file))
		await(t, "two runs", 20*time.Second, func() bool { return len(read(t, file)) > before+4 })
		replicas[i].terminate(t)
	}
	before := len(read(t, file))
	await(t, "runs of the new ones", 20*time.Second, func() bool { return len(read(t, file)) > before+6 })
	marks := read(t, file)
	ticks := once(t, marks)
	for at := marks[0].tick; !at.After(marks[len(marks)-1].tick); at = at.Add(time.Second) {
		if ticks[at] != 1 {
			t.Errorf("tick %s ran %d times, want once", at.Format(time.TimeOnly), ticks[at])
		}
	}
}
