package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/scheduler"
)

const (
	shortTTL   = 3 * time.Second
	shortDelay = time.Second
	shortLease = "lease: {ttl: 3s, lockDelay: 1s}"
)

// family is a job that is due once, at a given moment. Its first attempt has a
// child that has left its session and its parent; a second one ends at once.
func family(dir string, at time.Time, policy string) string {
	return fmt.Sprintf(`
  - name: family
    schedule: "@at %s"
    onHolderLost: %s
    workingDir: %s
    shell: |`+witnessed+`
      [ "$SOLOCRON_ATTEMPT" = 1 ] || exit 0
      setsid sh -c 'sh -c "echo \$\$ > grandchild.new; mv grandchild.new grandchild; exec sleep 300.25" & exit 0'
      while :; do note beat; sleep 0.1; done
`, at.UTC().Format(time.RFC3339), policy, dir)
}

// pidIn waits for a file with a pid in it. What it names is ended with t, if the
// product has not done so.
func pidIn(t *testing.T, file, argument string) int {
	t.Helper()
	var text []byte
	await(t, "the pid in "+file, 10*time.Second, func() (ok bool) {
		var err error
		text, err = os.ReadFile(file)
		return err == nil
	})
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	endWith(t, pid, argument)
	return pid
}

// endWith ends a process of a job with t if it is still there: argument must
// stand in its command line, as its pid may be another's by then.
func endWith(t *testing.T, pid int, argument string) {
	t.Helper()
	t.Cleanup(func() {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && strings.Contains(string(line), argument) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended just now
		}
	})
}

// TestKilledReplicaTakesItsProcessesAlong kills the holder in mid-run. Whatever
// the policy, its processes are gone within a second; the policy says whether the
// tick gets a second attempt.
func TestKilledReplicaTakesItsProcessesAlong(t *testing.T) {
	for _, policy := range []string{"rerun", "skip"} {
		t.Run("onHolderLost: "+policy, func(t *testing.T) {
			t.Parallel()
			server, dir := redistest.Start(t), t.TempDir()
			leftAlone(t, dir)
			tick := time.Now().Add(8 * time.Second).Truncate(time.Second)
			replicas := trio(t, server.Addr, shortLease, family(dir, tick, policy))
			if !time.Now().Before(tick) {
				t.Fatal("three replicas took longer than 8 s to be ready: the machine is too slow for this test")
			}
			await(t, "the run", 20*time.Second, func() bool { return len(testimonies(t, dir)) > 2 })
			first := testimonies(t, dir)[0]
			endWith(t, first.pid, "SOLOCRON_ATTEMPT")
			grandchild := pidIn(t, filepath.Join(dir, "grandchild"), "300.25")

			holder, other := whose(t, replicas, first.replica)
			holder.kill()
			killed := time.Now()
			for what, pid := range map[string]int{"command": first.pid, "grandchild": grandchild} {
				await(t, "the end of the "+what, time.Until(killed.Add(time.Second)), func() bool { return !alive(pid) })
			}
			t.Logf("its processes were gone %s after the replica", time.Since(killed).Round(time.Millisecond))

			bound := killed.Add(shortTTL + shortDelay + time.Second)
			id := scheduler.Tick{Job: "family", At: tick}.ID()
			if policy == "rerun" {
				again(t, dir, other, id, first, bound)
			} else {
				given(t, dir, other, id, bound)
			}
			consistentAttempts(t, testimonies(t, dir))
		})
	}
}

// whose returns the process with a name, and another one.
func whose(t *testing.T, replicas []*process, name string) (named, other *process) {
	t.Helper()
	for _, p := range replicas {
		if p.name == name {
			named = p
		} else {
			other = p
		}
	}
	if named == nil {
		t.Fatalf("no replica is called %q", name)
	}
	return named, other
}

// again waits for the second attempt, on another replica than the first.
func again(t *testing.T, dir string, other *process, id string, first testimony, bound time.Time) {
	t.Helper()
	await(t, "the second attempt", time.Until(bound), func() bool { return len(starts(testimonies(t, dir))) > 1 })
	second := starts(testimonies(t, dir))[1]
	if !second.tick.Equal(first.tick) || second.attempt != 2 || second.replica == first.replica {
		t.Errorf("second attempt: got %+v after %+v, want attempt 2 of the same tick elsewhere", second, first)
	}
	x := other.ended(t, id, 10*time.Second)
	if x.Verdict != scheduler.Succeeded || x.Attempt != 2 || len(x.Attempts) != 1 || x.Attempts[0].Verdict != scheduler.LeaseLost {
		t.Errorf("row: got %+v, want a lost attempt and one that succeeded", x)
	}
}

// given waits for the verdict lost; nothing is tried again after it.
func given(t *testing.T, dir string, other *process, id string, bound time.Time) {
	t.Helper()
	x := other.ended(t, id, time.Until(bound.Add(5*time.Second)))
	if x.Verdict != scheduler.LeaseLost || x.Attempt != 1 {
		t.Errorf("row: got %+v, want the verdict lost on the first attempt", x)
	}
	<-time.After(3 * time.Second) // in which a second attempt would have begun
	if n := len(starts(testimonies(t, dir))); n != 1 {
		t.Errorf("%d attempts have started, want 1", n)
	}
}

// consistentAttempts is consistent for the attempts of one tick.
func consistentAttempts(t *testing.T, list []testimony) {
	t.Helper()
	var run testimony
	for _, x := range list {
		switch {
		case x.what == "start" && x.token > run.token && x.attempt > run.attempt:
			run = x
		case x.what == "start" || x.what == "overlap" || x.token != run.token:
			t.Errorf("attempt %d on %s says %q at %s, after the start of attempt %d on %s", x.attempt, x.replica, x.what, x.at, run.attempt, run.replica)
		}
	}
}
