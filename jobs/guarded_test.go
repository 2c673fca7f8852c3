//go:build linux

package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/solocron/solocron/guard"
	"github.com/solocron/solocron/jobs"
)

// runGuarded runs a shell text below a guard.
func runGuarded(ctx context.Context, t *testing.T, text string, e jobs.Exec, run jobs.Run) error {
	t.Helper()
	s := &jobs.Shell{Text: text, Guard: guard.Self()}
	if err := s.SetExec(e); err != nil {
		t.Fatal(err)
	}
	return s.Run(ctx, run)
}

func TestRunEndsTheSameWithAGuardAndWithout(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"exit 0", "exit 42", "exit 7", "echo bad luck >&2; exit 3", "kill -9 $$", "kill -TERM $$", "exec /absent/program",
		"sleep 60 & exit 0", "sleep 60 & exit 1",
	} {
		e := jobs.Exec{SuccessExitCodes: []int{7}}
		plain, guarded := lines{}, lines{}
		run := testRun()
		run.Link = jobs.Hooks{OnOutput: plain.take}
		want := runShell(t.Context(), t, text, e, run)
		run.Link = jobs.Hooks{OnOutput: guarded.take}
		got := runGuarded(t.Context(), t, text, e, run)
		wantExit, _ := errors.AsType[*jobs.ExitError](want)
		gotExit, _ := errors.AsType[*jobs.ExitError](got)
		switch {
		case fmt.Sprint(got) != fmt.Sprint(want) || (gotExit == nil) != (wantExit == nil):
			t.Errorf("%s: got %v, want %v", text, got, want)
		case gotExit != nil && *gotExit != *wantExit:
			t.Errorf("%s: got %+v, want %+v", text, *gotExit, *wantExit)
		case fmt.Sprint(guarded) != fmt.Sprint(plain):
			t.Errorf("%s: got output %q, want %q", text, guarded, plain)
		}
	}
}

func TestCommandsThatCannotStartSaySoBelowAGuard(t *testing.T) {
	t.Parallel()
	for _, argv := range [][]string{{"/absent/program"}, {"absent-program"}} {
		want := (&jobs.Command{Argv: argv}).Run(t.Context(), testRun())
		got := (&jobs.Command{Argv: argv, Guard: guard.Self()}).Run(t.Context(), testRun())
		if want == nil || got == nil || got.Error() != want.Error() {
			t.Errorf("%v: got %v, want %v", argv, got, want)
		}
	}
}

func TestEndOfTheContextReachesDaemonsBelowAGuard(t *testing.T) {
	t.Parallel()
	pidFile := filepath.Join(t.TempDir(), "pid")
	cause := errors.New("lease lost")
	ctx, cancel := context.WithCancelCause(t.Context())
	text := `setsid sh -c 'trap "" TERM; echo $$ > ` + pidFile + `; while :; do sleep 0.05; done' & trap "exit 0" TERM; while :; do sleep 0.05; done`
	ended := make(chan error, 1)
	go func() {
		ended <- runGuarded(ctx, t, text, jobs.Exec{StopGrace: 300 * time.Millisecond}, testRun())
	}()
	pid := readPID(t, pidFile)
	begin := time.Now()
	cancel(cause)
	err := <-ended
	took := time.Since(begin)
	if !errors.Is(err, cause) {
		t.Errorf("got %v, want the cause of the context", err)
	}
	if running(pid) {
		t.Errorf("daemon %d survives", pid)
	}
	if took < 300*time.Millisecond || took > 5*time.Second {
		t.Errorf("took %v, want the grace period of 300ms and little more", took)
	}
}

func TestLeaseThatIsRenewedKeepsTheCommandAlive(t *testing.T) {
	t.Parallel()
	run := testRun()
	run.Link = jobs.Hooks{Left: renewed(3 * time.Second)}
	if err := runGuarded(t.Context(), t, "sleep 5", jobs.Exec{}, run); err != nil {
		t.Errorf("got %v, want success over three renewals", err)
	}
}

// renewed is what remains of a lease that is renewed at half of its term.
func renewed(term time.Duration) func() time.Duration {
	begin := time.Now()
	return func() time.Duration { return term - time.Since(begin)%(term/2) }
}

func TestLeaseThatIsNotRenewedEndsTheCommandWhoeverSleeps(t *testing.T) {
	t.Parallel()
	until := time.Now().Add(5 * time.Second) // room for a guard that starts slowly
	run := testRun()
	run.Link = jobs.Hooks{Left: func() time.Duration { return time.Until(until) }}
	err := runGuarded(t.Context(), t, `trap "" TERM; while :; do sleep 0.02; done`, jobs.Exec{}, run)
	exit, ok := errors.AsType[*jobs.ExitError](err)
	if !ok || exit.Signal != syscall.SIGKILL || !strings.Contains(err.Error(), "guard ended it") {
		t.Errorf("got %v, want killed by the guard", err)
	}
}

func TestReasonOfAStopByTheGuardIsTheContextsIfThatEnds(t *testing.T) {
	t.Parallel()
	uncertain := errors.New("lease uncertain")
	until := time.Now().Add(5 * time.Second) // room for a guard that starts slowly
	run := testRun()
	run.Link = jobs.Hooks{Left: func() time.Duration { return time.Until(until) }}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 4500*time.Millisecond, uncertain)
	defer cancel()
	if err := runGuarded(ctx, t, "sleep 60", jobs.Exec{}, run); !errors.Is(err, uncertain) {
		t.Errorf("got %v, want the cause that comes a moment later", err)
	}
}

func TestRunWhoseLeaseIsOverStartsNothing(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "mark")
	run := testRun()
	run.Link = jobs.Hooks{Left: func() time.Duration { return 50 * time.Millisecond }}
	if err := runGuarded(t.Context(), t, "touch "+mark, jobs.Exec{}, run); !errors.Is(err, guard.ErrTooLate) {
		t.Errorf("got %v, want too late", err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the command ran")
	}
}

func TestDeathOfTheGuardFailsTheRun(t *testing.T) {
	t.Parallel()
	pidFile := filepath.Join(t.TempDir(), "pid")
	ended := make(chan error, 1)
	go func() {
		ended <- runGuarded(t.Context(), t, "echo $PPID > "+pidFile+"; sleep 60", jobs.Exec{}, testRun())
	}()
	if err := syscall.Kill(readPID(t, pidFile), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, guard.ErrDied) {
		t.Errorf("got %v, want that the guard died", err)
	}
}

func TestFrozenGuardIsKilledWithItsCommandWhenTheContextEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		// Only a while after its begin may the guard stand still: before, it has not
		// told yet that the program was started.
		ended <- runGuarded(ctx, t, "sleep 0.5; echo $$ > "+dir+"/pid; echo $PPID > "+dir+"/guard; sleep 60",
			jobs.Exec{StopGrace: 50 * time.Millisecond}, testRun())
	}()
	g, pid := readPID(t, dir+"/guard"), readPID(t, dir+"/pid")
	if err := syscall.Kill(g, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) || !errors.Is(err, guard.ErrDied) {
		t.Errorf("got %v, want cancelled, and that the guard died", err)
	}
	waitFor(t, "the death of the command", func() bool { return !running(pid) })
}

func TestGigabyteOfOutputComesThroughBelowAGuard(t *testing.T) {
	var got atomic.Int64
	run := testRun()
	run.Link = jobs.Hooks{OnOutput: func(_, line string) { got.Add(int64(len(line)) + 1) }}
	line := strings.Repeat("x", 9999)
	err := runGuarded(t.Context(), t, "yes "+line+" | head -c 1000000000", jobs.Exec{}, run)
	if err != nil || got.Load() != 1_000_000_000 {
		t.Errorf("got %d bytes and %v, want a gigabyte", got.Load(), err)
	}
}

func TestUseOfResourcesIsTold(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(context.Context, *testing.T, string, jobs.Exec, jobs.Run) error{"plain": runShell, "guarded": runGuarded} {
		var used jobs.Usage
		r := testRun()
		r.Link = jobs.Hooks{OnUsed: func(u jobs.Usage) { used = u }}
		if err := run(t.Context(), t, "dd if=/dev/zero of=/dev/null bs=300M count=1 2>/dev/null", jobs.Exec{}, r); err != nil {
			t.Fatal(err)
		}
		// A plain child begins with the memory of this process, however much that is.
		if mebibytes := used.MaxRSS >> 20; mebibytes < 300 || name == "guarded" && mebibytes > 400 {
			t.Errorf("%s: got %+v, want a little over 300 MiB", name, used)
		}
	}
}

func TestGuardedKindsPutProcessesBelowAGuard(t *testing.T) {
	t.Parallel()
	for _, k := range jobs.Guarded(guard.Self(), jobs.Kinds(map[string]jobs.Func{"f": nil})) {
		if k.Name != "command" && k.Name != "shell" {
			continue
		}
		runner, err := k.New(func(into any) error {
			switch v := into.(type) {
			case *string:
				*v = "cat /proc/$PPID/comm"
			case *[]string:
				*v = []string{"sh", "-c", "cat /proc/$PPID/comm"}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := runner.(jobs.WithExec).SetExec(jobs.Exec{}); err != nil {
			t.Fatal(err)
		}
		got := lines{}
		run := testRun()
		run.Link = jobs.Hooks{OnOutput: got.take}
		if err := runner.Run(t.Context(), run); err != nil || fmt.Sprint(got) != "map[stdout:[solocron-guard]]" {
			t.Errorf("%s: got parent %v, %v, want a guard", k.Name, got, err)
		}
	}
}

func TestFiftyRunsLeaveNoDescriptorAndNoZombie(t *testing.T) {
	run := testRun()
	run.Checkpoint = func([]byte) error { return nil }
	run.Link = jobs.Hooks{Left: func() time.Duration { return time.Minute }}
	one := func(guarded []string) {
		t.Helper()
		c := &jobs.Command{Argv: []string{"true"}, Guard: guarded}
		if err := c.Run(t.Context(), run); err != nil {
			t.Fatal(err)
		}
	}
	one(nil)
	one(guard.Self()) // what is opened once for all
	before := openFiles(t)
	for range 50 {
		one(guard.Self())
	}
	if after := openFiles(t); after != before {
		t.Errorf("got %d open files, %d before", after, before)
	}
	out, err := exec.Command("ps", "--ppid", strconv.Itoa(os.Getpid()), "-o", "stat=,comm=").Output()
	if err != nil || strings.Contains(string(out), "Z") || strings.Contains(string(out), "guard") {
		t.Errorf("got children %s, %v", out, err)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}
