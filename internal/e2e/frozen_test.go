package e2e

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/solocron/solocron/internal/redistest"
)

// long reports whether the tests are to take their time.
func long() bool { return os.Getenv("SOLOCRON_CHAOS") == "1" }

// deaf is a job that is due every second, runs for four unless it is ended, and
// ignores SIGTERM.
func deaf(dir string) string {
	return fmt.Sprintf(`
  - name: deaf
    schedule: "@every 1s"
    workingDir: %s
    shell: |
      trap '' TERM`+witnessed+`
      i=0; while [ $i -lt 40 ]; do sleep 0.1; note beat; i=$((i+1)); done
      note end
`, dir)
}

// TestFrozenReplicaOverlapsWithNobody stops the holder as a machine that stands
// still would: its command must be dead by its deadline although nobody is there
// to end it, another replica may only start after, and when the frozen one comes
// back it starts nothing that is not due.
func TestFrozenReplicaOverlapsWithNobody(t *testing.T) {
	repetitions := 2
	if long() {
		repetitions = 50
	}
	for name, frozen := range map[string]time.Duration{
		"for half a term": shortTTL / 2, "for a term": shortTTL, "for two terms": 2 * shortTTL, "for five terms": 5 * shortTTL,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, dir := redistest.Start(t), t.TempDir()
			leftAlone(t, dir)
			replicas := trio(t, server.Addr, shortLease, deaf(dir))
			for range repetitions {
				freeze(t, replicas, dir, frozen)
				if t.Failed() {
					return
				}
			}
			t.Logf("%d runs, no overlap", len(starts(testimonies(t, dir))))
		})
	}
}

// freeze stops the holder of a run that has just begun for a while.
func freeze(t *testing.T, replicas []*process, dir string, frozen time.Duration) {
	t.Helper()
	var run testimony
	known := len(starts(testimonies(t, dir)))
	await(t, "a new run", 20*time.Second, func() bool {
		all := starts(testimonies(t, dir))
		if len(all) > known {
			run = all[len(all)-1]
		}
		return len(all) > known
	})
	endWith(t, run.pid, "SOLOCRON_ATTEMPT")
	holder, _ := whose(t, replicas, run.replica)
	signal(t, holder, syscall.SIGSTOP)
	stopped, began := uptime(t), time.Now()
	resume := func() { _ = holder.cmd.Process.Signal(syscall.SIGCONT) } // it may have been ended
	defer resume()

	if frozen > shortTTL {
		await(t, "the death of the command by its deadline", time.Until(began.Add(shortTTL)), func() bool { return !alive(run.pid) })
	}
	if frozen >= 2*shortTTL {
		await(t, "the start on another replica", time.Until(began.Add(shortTTL+shortDelay+3*time.Second)), func() bool {
			all := starts(testimonies(t, dir))
			return all[len(all)-1].token > run.token
		})
	}
	<-time.After(time.Until(began.Add(frozen))) // the time it is frozen, not a proof
	resume()
	if frozen >= shortTTL {
		await(t, "the death of the command", 3*time.Second, func() bool { return !alive(run.pid) })
		if last := lastOf(testimonies(t, dir), run.token); last > stopped+shortTTL {
			t.Errorf("the command wrote %s after its replica had stopped, want nothing after %s", last-stopped, shortTTL)
		}
	}
	<-time.After(2 * time.Second) // in which something stale would start
	consistent(t, testimonies(t, dir))
}

func signal(t *testing.T, p *process, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}
