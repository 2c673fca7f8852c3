//go:build linux

package guard_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/solocron/solocron/guard"
)

// scheduler is a process of its own whose program runs below a guard.
type scheduler struct {
	cmd            *exec.Cmd
	program, guard int
	began          time.Duration // the moment from which its deadlines count
}

func startScheduler(t *testing.T, stop, dead, grace int, text string) *scheduler {
	t.Helper()
	s := &scheduler{cmd: exec.Command(os.Args[0], text)}
	s.cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d %d", beScheduler, stop, dead, grace))
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait() // killed, as it should be
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(line, &s.program, &s.guard, &s.began); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *scheduler) signal(t *testing.T, sig syscall.Signal) {
	t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}

// daemon is a shell text that starts a grandchild in a session of its own, whose
// parent has ended, and whose pid is then in file.
func daemon(file, text string) string {
	return fmt.Sprintf(`setsid sh -c 'sh -c "echo \$\$ > %s; %s" &'; while [ ! -s %s ]; do sleep 0.01; done; `, file, text, file)
}

const ignoring = `trap \"\" TERM; while :; do sleep 0.02; done`

func TestSchedulerThatIsKilledTakesItsProgramAndDaemonsAlong(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	s := startScheduler(t, 60_000, 65_000, 10_000, daemon(file, "exec sleep 60")+"exec sleep 60")
	grandchild := readPID(t, file)
	if !running(grandchild) || !running(s.program) {
		t.Fatal("the processes do not run")
	}
	s.signal(t, syscall.SIGKILL)
	took := waitFor(t, "the death of all", func() bool {
		return !running(grandchild) && !running(s.program) && !running(s.guard)
	})
	if took > time.Second {
		t.Errorf("took %v, want at most 1s", took)
	}
}

func TestSchedulerThatIsKilledLeavesTheGraceToWhatIgnoresSIGTERM(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	s := startScheduler(t, 60_000, 65_000, 400, daemon(file, ignoring)+`trap "" TERM; while :; do sleep 0.02; done`)
	grandchild := readPID(t, file)
	s.signal(t, syscall.SIGKILL)
	took := waitFor(t, "the death of all", func() bool {
		return !running(grandchild) && !running(s.program) && !running(s.guard)
	})
	if took < 300*time.Millisecond || took > 1500*time.Millisecond {
		t.Errorf("took %v, want the grace of 400ms and little more", took)
	}
}

func TestSchedulerThatIsKilledNearTheDeadlineDoesNotMoveIt(t *testing.T) {
	t.Parallel()
	s := startScheduler(t, 400, 800, 60_000, `trap "" TERM; while :; do sleep 0.02; done`)
	s.signal(t, syscall.SIGKILL)
	waitFor(t, "the death of the program", func() bool { return !running(s.program) })
	if at := guard.Now() - s.began; at > ms(1200) {
		t.Errorf("dead after %v, want 800ms", at)
	}
}

func TestFrozenSchedulerHasItsProgramDeadByTheDeadline(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pid, log := filepath.Join(dir, "pid"), filepath.Join(dir, "log")
	s := startScheduler(t, 500, 900, 60_000,
		daemon(pid, ignoring)+`trap "echo asked > `+log+`" TERM; while :; do sleep 0.02; done`)
	s.signal(t, syscall.SIGSTOP)
	grandchild := readPID(t, pid)
	waitFor(t, "the stop", func() bool { _, err := os.Stat(log); return err == nil })
	if at := guard.Now() - s.began; at < ms(500) || at > ms(850) {
		t.Errorf("asked to end after %v, want 500ms", at)
	}
	if !running(s.program) {
		t.Error("killed before the deadline")
	}
	waitFor(t, "the death of all", func() bool { return !running(grandchild) && !running(s.program) })
	if at := guard.Now() - s.began; at < ms(890) || at > ms(1300) {
		t.Errorf("dead after %v, want 900ms", at)
	}
	if state(s.cmd.Process.Pid) != "T" {
		t.Errorf("the scheduler is in state %s, want it frozen all the time", state(s.cmd.Process.Pid))
	}
	s.signal(t, syscall.SIGCONT)
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("got %v from the scheduler that went on, want a regular end", err)
	}
}

func TestGuardThatIsKilledTakesItsProgramAlong(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	p, err := guard.Start(guard.Self(), exec.Command("sh", "-c", `sleep 60 & echo $! > `+file+`; wait`), time.Second, guard.Unlimited())
	if err != nil {
		t.Fatal(err)
	}
	child := readPID(t, file)
	if err := syscall.Kill(p.GuardPid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Wait(); !errors.Is(err, guard.ErrDied) || !strings.Contains(err.Error(), "killed") {
		t.Errorf("got %v, want that the guard died and how", err)
	}
	if _, ok := p.Exit(); ok {
		t.Error("the end of the program is known, though nobody saw it")
	}
	if took := waitFor(t, "the death of all", func() bool { return !running(child) && !running(p.Pid()) }); took > time.Second {
		t.Errorf("took %v, want at once", took)
	}
}

func TestGuardIsDeafToSignalsForItsControlGroup(t *testing.T) {
	t.Parallel()
	p, err := guard.Start(guard.Self(), exec.Command("sh", "-c", "sleep 0.3; exit 5"), time.Second, guard.Unlimited())
	if err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		if err := syscall.Kill(p.GuardPid(), sig); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	if x, _ := p.Exit(); x.Status.ExitStatus() != 5 {
		t.Errorf("got %v, want exit code 5", x.Status)
	}
}
