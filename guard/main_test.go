//go:build linux

package guard_test

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solocron/solocron/guard"
	_ "github.com/solocron/solocron/guard/early" // this binary is the guard of its tests
)

// beScheduler in the environment makes the test binary a process that runs one
// shell text below a guard: its value is times in ms until stop and dead, and the grace.
const beScheduler = "GUARD_TEST_SCHEDULER"

func TestMain(m *testing.M) {
	if times := os.Getenv(beScheduler); times != "" {
		os.Exit(schedule(times, os.Args[1]))
	}
	goleak.VerifyTestMain(m)
}

func schedule(times, text string) int {
	var stop, dead, grace int
	if _, err := fmt.Sscan(times, &stop, &dead, &grace); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	now := guard.Now()
	p, err := guard.Start(guard.Self(), exec.Command("sh", "-c", text), ms(grace), guard.Deadline{Stop: now + ms(stop), Dead: now + ms(dead)})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(p.Pid(), p.GuardPid(), int64(now))
	if _, err = p.Wait(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// running reports whether pid is a process that is not dead.
func running(pid int) bool { return strings.Trim(state(pid), "ZX") != "" }

// state is the letter of the state of pid, "" if there is no such process.
func state(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return rest[:1]
}

// waitFor polls until ok, at most 10 s, and returns how long it took.
func waitFor(t *testing.T, what string, ok func() bool) time.Duration {
	t.Helper()
	begin := time.Now()
	for ; !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Since(begin) > 10*time.Second {
			t.Fatalf("waited 10s for: %s", what)
		}
	}
	return time.Since(begin)
}

// readPID waits for a number in a file.
func readPID(t *testing.T, path string) (pid int) {
	t.Helper()
	waitFor(t, "a pid in "+path, func() bool {
		b, _ := os.ReadFile(path)
		var err error
		pid, err = strconv.Atoi(strings.TrimSpace(string(b)))
		return err == nil && strings.HasSuffix(string(b), "\n")
	})
	return pid
}
