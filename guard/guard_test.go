//go:build linux

package guard_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/solocron/solocron/guard"
)

// run runs a shell text below a guard and returns what it printed.
func run(t *testing.T, text string, env ...string) (string, guard.Exit, guard.Cleanup) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command("sh", "-c", text)
	cmd.Stdout, cmd.Stderr, cmd.Env = out, out, env
	p, err := guard.Start(guard.Self(), cmd, time.Second, guard.Unlimited())
	if err != nil {
		t.Fatal(err)
	}
	cleanup, err := p.Wait()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	x, ok := p.Exit()
	if !ok {
		t.Fatal("nobody knows how the program ended")
	}
	return string(b), x, cleanup
}

func TestProgramEndsAsItDoesWithoutAGuard(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"exit 0", "exit 1", "exit 255", "kill -9 $$", "kill -15 $$", "kill -6 $$", "kill -1 $$", "exit 42"} {
		plain := exec.Command("sh", "-c", text)
		_ = plain.Run() // its state says more
		want := plain.ProcessState.Sys().(syscall.WaitStatus)
		_, x, cleanup := run(t, text)
		// Whether a core was written depends on more than the program.
		if x.Status.ExitStatus() != want.ExitStatus() || x.Status.Signaled() != want.Signaled() || x.Status.Signal() != want.Signal() {
			t.Errorf("%s: got %#x, want %#x", text, x.Status, want)
		}
		if cleanup != (guard.Cleanup{}) {
			t.Errorf("%s: got %+v, want nothing to do", text, cleanup)
		}
	}
}

func TestUseOfResourcesIsTold(t *testing.T) {
	t.Parallel()
	const text = `dd if=/dev/zero of=/dev/null bs=96M count=20 2>/dev/null; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done`
	plain := exec.Command("sh", "-c", text)
	if err := plain.Run(); err != nil {
		t.Fatal(err)
	}
	want := plain.ProcessState
	_, x, _ := run(t, text)
	near := func(got, want time.Duration) bool {
		return got > want/4-50*time.Millisecond && got < 4*want+50*time.Millisecond
	}
	if x.Usage.User == 0 || !near(x.Usage.User, want.UserTime()) || !near(x.Usage.System, want.SystemTime()) {
		t.Errorf("got %v and %v of processor time, want about %v and %v", x.Usage.User, x.Usage.System, want.UserTime(), want.SystemTime())
	}
	if x.Usage.MaxRSS < 96<<20 || x.Usage.MaxRSS > 160<<20 {
		t.Errorf("got %d bytes of memory, want a little over 96 MiB", x.Usage.MaxRSS)
	}
}

func TestProgramSeesNothingOfItsGuard(t *testing.T) {
	t.Parallel()
	// Of grep, not of the shell: that blocks signals while it makes a process.
	const text = "env | sort; ls /proc/self/fd; grep -e SigIgn -e SigBlk -e SigCgt /proc/self/status; ulimit -n"
	env := []string{"A=1", "PATH=" + os.Getenv("PATH"), "GODEBUG=inittrace=1"}
	plain := exec.Command("sh", "-c", text)
	plain.Env = env
	want, err := plain.Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, _, _ := run(t, text, env...); got != string(want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestDeadlineThatIsMovedInTimeLetsTheProgramLive(t *testing.T) {
	t.Parallel()
	p, err := guard.Start(guard.Self(), exec.Command("sleep", "4"), time.Second, in(1500, 1700))
	if err != nil {
		t.Fatal(err)
	}
	for moving := true; moving; {
		select {
		case <-p.Done():
			moving = false
		case <-time.After(ms(50)):
			_ = p.SetDeadline(in(1500, 1700)) // refused when the program has just ended
		}
	}
	cleanup, err := p.Wait()
	if x, _ := p.Exit(); err != nil || cleanup.Stopped || x.Status.ExitStatus() != 0 {
		t.Errorf("got %v, %+v, %v, want exit code 0", x.Status, cleanup, err)
	}
}

func in(stop, dead int) guard.Deadline {
	now := guard.Now()
	return guard.Deadline{Stop: now + ms(stop), Dead: now + ms(dead)}
}

func TestProgramIsStoppedWhenToldAndKilledAfterTheGrace(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	p, err := guard.Start(guard.Self(), exec.Command("sh", "-c", `trap "" TERM; echo $$ > `+file+`; while :; do sleep 0.02; done`), time.Minute, guard.Unlimited())
	if err != nil {
		t.Fatal(err)
	}
	readPID(t, file)
	begin := time.Now()
	if err := p.Stop(ms(300)); err != nil {
		t.Fatal(err)
	}
	cleanup, err := p.Wait()
	took := time.Since(begin)
	if x, _ := p.Exit(); err != nil || !cleanup.Stopped || x.Status.Signal() != syscall.SIGKILL {
		t.Errorf("got %v, %+v, %v, want killed", x.Status, cleanup, err)
	}
	if took < ms(300) || took > ms(1500) {
		t.Errorf("took %v, want 300ms and little more", took)
	}
}

func TestNothingIsLeftOfAProgramThatExits(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	_, x, cleanup := run(t, daemon(file, "exec sleep 60")+"exit 3")
	if pid := readPID(t, file); running(pid) {
		t.Errorf("process %d is left behind", pid)
	}
	if x.Status.ExitStatus() != 3 || cleanup.Stopped {
		t.Errorf("got %v and %+v, want exit code 3 by itself", x.Status, cleanup)
	}
}

func TestOrphansAreReapedWhileTheProgramRuns(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	p, err := guard.Start(guard.Self(), exec.Command("sh", "-c",
		`for i in 1 2 3 4 5 6 7 8 9 10; do sh -c 'sleep 0.01 &'; done; echo $$ > `+file+`; sleep 60`), time.Second, guard.Unlimited())
	if err != nil {
		t.Fatal(err)
	}
	program := readPID(t, file)
	waitFor(t, "the reaping of ten orphans", func() bool {
		children := childrenOf(t, p.GuardPid())
		return len(children) == 1 && children[0] == program
	})
	_ = p.Stop(0) // found out by Wait
	if _, err := p.Wait(); err != nil {
		t.Error(err)
	}
}

// childrenOf lists the children of a process, dead ones too.
func childrenOf(t *testing.T, pid int) (children []int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		b, _ := os.ReadFile(path) // gone since
		_, rest, _ := strings.Cut(string(b), ") ")
		if f := strings.Fields(rest); len(f) > 1 && f[1] == strconv.Itoa(pid) {
			child, _ := strconv.Atoi(strings.Split(path, "/")[2])
			children = append(children, child)
		}
	}
	return children
}

func TestProgramThatCannotStartFailsAsWithoutAGuard(t *testing.T) {
	t.Parallel()
	for name, cmd := range map[string]func() *exec.Cmd{
		"no such path":      func() *exec.Cmd { return exec.Command("/absent/program") },
		"no such name":      func() *exec.Cmd { return exec.Command("absent-program") },
		"no such directory": func() *exec.Cmd { c := exec.Command("true"); c.Dir = "/absent"; return c },
		"not executable":    func() *exec.Cmd { return exec.Command("/etc/passwd") },
		"arguments too big": func() *exec.Cmd { return exec.Command("true", strings.Repeat("x", 4<<20)) },
		"order too big":     func() *exec.Cmd { return exec.Command("true", strings.Repeat("x", 9<<20)) },
	} {
		plain := cmd()
		plain.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		want := plain.Run()
		_, got := guard.Start(guard.Self(), cmd(), time.Second, guard.Unlimited())
		if want == nil || got == nil || got.Error() != want.Error() {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestGuardStartsNothingAfterTheDeadline(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "mark")
	_, err := guard.Start(guard.Self(), exec.Command("touch", mark), time.Second, in(-1, 60_000))
	if !errors.Is(err, guard.ErrTooLate) {
		t.Errorf("got %v, want too late", err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the program ran")
	}
}

func TestWhatIsNoGuardIsToldApart(t *testing.T) {
	t.Parallel()
	for _, self := range [][]string{{"/absent/guard"}, {"true"}, {"echo"}, {"sh", "-c", "echo 0123456789012345678901234567890123456789012345 >&4"}} {
		if _, err := guard.Start(self, exec.Command("true"), time.Second, guard.Unlimited()); err == nil || !strings.Contains(err.Error(), "guard: ") {
			t.Errorf("%v: got %v, want an error of the guard", self, err)
		}
	}
}

func TestGuardRefusesAnOrderThatIsNone(t *testing.T) {
	t.Parallel()
	orders, ours, _ := os.Pipe()
	records, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	g := exec.Command(guard.Self()[0], guard.Self()[1:]...)
	g.ExtraFiles = []*os.File{orders, theirs}
	if err := g.Start(); err != nil {
		t.Fatal(err)
	}
	orders.Close()
	theirs.Close()
	_, _ = ours.WriteString("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	ours.Close()
	b, err := io.ReadAll(records)
	records.Close()
	if err != nil || len(b) != 40 || b[0] != 1 {
		t.Errorf("got %v, %v, want one record of a refusal", b, err)
	}
	if err := g.Wait(); err == nil {
		t.Error("got exit code 0")
	}
}

func TestGuardStartedByHandSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	g := exec.Command(guard.Self()[0], guard.Self()[1:]...)
	var said bytes.Buffer
	g.Stderr = &said
	err := g.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 2 || !strings.HasPrefix(said.String(), "guard: ") {
		t.Errorf("got %v and %q, want exit code 2 and a word", err, &said)
	}
}

func TestGigabyteOfOutputGoesThroughWithoutTheGuard(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command("sh", "-c", "head -c 1073741824 /dev/zero; sleep 60")
	cmd.Stdout = w
	p, err := guard.Start(guard.Self(), cmd, time.Second, guard.Unlimited())
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.CopyN(io.Discard, r, 1<<30)
	peak, io := memory(t, p.GuardPid()), inputOf(t, p.GuardPid())
	_ = p.Stop(0)
	if _, stopErr := p.Wait(); err != nil || stopErr != nil || n != 1<<30 {
		t.Errorf("got %d bytes, %v, %v, want a gigabyte", n, err, stopErr)
	}
	if peak > 32<<20 || io > 1<<20 {
		t.Errorf("the guard has %d bytes of memory and has read %d", peak, io)
	}
}

// memory is the most memory that a process has had, in bytes.
func memory(t *testing.T, pid int) int { t.Helper(); return field(t, pid, "status", "VmHWM:") << 10 }

// inputOf is how much a process has read, in bytes.
func inputOf(t *testing.T, pid int) int { t.Helper(); return field(t, pid, "io", "rchar:") }

func field(t *testing.T, pid int, file, name string) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), name)
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestFiftyRunsLeaveNoDescriptorAndNoZombie(t *testing.T) {
	run(t, "true") // what is opened once for all, such as epoll
	before := descriptors(t)
	for i := range 50 {
		text := "true"
		if i%5 == 0 {
			text = "sleep 60 & exit 1"
		}
		run(t, text)
	}
	for range 5 {
		_, err := guard.Start(guard.Self(), exec.Command("/absent"), time.Second, guard.Unlimited())
		if err == nil {
			t.Fatal("an absent program started")
		}
	}
	if after := descriptors(t); after != before {
		t.Errorf("got %d descriptors, %d before", after, before)
	}
	if children := childrenOf(t, os.Getpid()); len(children) != 0 {
		t.Errorf("got children %v, want none", children)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}
