package pid1_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/solocron/solocron/guard/pid1"
)

const script = "SOLOCRON_TEST_PID1"

// TestMain makes this program process 1 of a container when the script is given.
func TestMain(m *testing.M) {
	text, ok := os.LookupEnv(script)
	if !ok {
		os.Exit(m.Run())
	}
	if !pid1.Needed() {
		fmt.Fprintln(os.Stderr, "not process 1")
		os.Exit(99)
	}
	code, err := pid1.Run("/bin/sh", []string{"sh", "-c", text})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 98
	}
	os.Exit(code)
}

// contain starts a script below a process 1 of its own.
func contain(t *testing.T, text string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), script+"="+text)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID, Pdeathsig: syscall.SIGKILL}
	if os.Getuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
	}
	if err := cmd.Start(); err != nil {
		if errors.Is(err, syscall.EPERM) && os.Getenv("SOLOCRON_ALLOW_SKIP") == "1" {
			t.Skip("this machine lets nobody make a PID namespace")
		}
		t.Fatalf("a process in a PID namespace of its own: %v", err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

// children lists the children of a process with their states.
func children(t *testing.T, pid int) (states []string) {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // each has its own
	if err != nil || len(threads) == 0 {
		t.Fatalf("threads of process %d: %v", pid, err)
	}
	for _, thread := range threads {
		list, _ := os.ReadFile(thread) // it may have gone meanwhile, and so may a child
		for child := range strings.FieldsSeq(string(list)) {
			if stat, err := os.ReadFile("/proc/" + child + "/stat"); err == nil {
				_, rest, _ := strings.Cut(string(stat), ") ")
				states = append(states, rest[:1])
			}
		}
	}
	return states
}

func within(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", limit, what)
		}
	}
}

func TestOrphansThatEndLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	cmd := contain(t, `(sleep 0.3 &); (sleep 0.3 &); (sleep 0.3 &); exec sleep 60`)
	pid := cmd.Process.Pid
	within(t, 10*time.Second, "four children", func() bool { return len(children(t, pid)) == 4 })
	within(t, 10*time.Second, "one child, alive", func() bool {
		left := children(t, pid)
		return len(left) == 1 && left[0] != "Z"
	})
}

func TestSignalsReachTheProgramAndItsExitCodeComesBack(t *testing.T) {
	t.Parallel()
	ready := t.TempDir() + "/ready"
	cmd := contain(t, `trap 'exit 7' TERM; : > `+ready+`; while :; do sleep 0.02; done`)
	within(t, 10*time.Second, "the program has begun", func() bool { _, err := os.Stat(ready); return err == nil })
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	exit, ok := errors.AsType[*exec.ExitError](cmd.Wait())
	if !ok || exit.ExitCode() != 7 {
		t.Errorf("process 1 ended with %v, want exit code 7", exit)
	}
}

func TestAProgramThatASignalEndsIsToldAsShellsDo(t *testing.T) {
	t.Parallel()
	exit, ok := errors.AsType[*exec.ExitError](contain(t, `kill -KILL $$`).Wait())
	if !ok || exit.ExitCode() != 128+9 {
		t.Errorf("process 1 ended with %v, want exit code 137", exit)
	}
}
