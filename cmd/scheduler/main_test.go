package main_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	main "github.com/solocron/solocron/cmd/scheduler"
)

// beMain in the environment makes the test binary the program under test: it
// is built the same way, with the race detector if the tests are.
const beMain = "SOLOCRON_TEST_MAIN=1"

func TestMain(m *testing.M) {
	if os.Getenv("SOLOCRON_TEST_MAIN") == "1" {
		main.Main() // exits
	}
	os.Exit(m.Run())
}

// ran is how a process ended.
type ran struct {
	code           int // -1: by a signal
	stdout, stderr string
}

// scheduler runs the program in dir to its end.
func scheduler(t *testing.T, dir string, args ...string) ran {
	t.Helper()
	p := start(t, dir, nil, args...)
	return p.wait(t)
}

// process is a running program.
type process struct {
	cmd            *exec.Cmd
	stdout, stderr *output
	done           chan struct{}
	err            error
}

// output can be read while it is written.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

func start(t *testing.T, dir string, env []string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: exec.Command(self, args...), stdout: new(output), stderr: new(output), done: make(chan struct{})}
	p.cmd.Dir = dir
	p.cmd.Env = append(append(os.Environ(), beMain), env...)
	p.cmd.Stdout, p.cmd.Stderr = p.stdout, p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		p.err = p.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it has ended already, or it must now
		<-p.done
	})
	return p
}

func (p *process) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// wait returns how p ended, within a minute.
func (p *process) wait(t *testing.T) ran {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	select {
	case <-p.done:
	case <-ctx.Done():
		t.Fatalf("still running\nstdout:\n%s\nstderr:\n%s", p.stdout, p.stderr)
	}
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](p.err); ok {
		code = exit.ExitCode()
	} else if p.err != nil {
		t.Fatal(p.err)
	}
	return ran{code, p.stdout.String(), p.stderr.String()}
}

// until polls until ok, for at most limit.
func until(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, limit)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(strings.TrimLeft(text, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
