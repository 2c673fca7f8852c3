package e2e

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var binary string // the scheduler, built once

// sideBySide is how many tests run at once: they wait more than they work.
const sideBySide = "8"

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		if err := flag.Set("test.parallel", sideBySide); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		dir, err := os.MkdirTemp("", "solocron-e2e")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "scheduler")
		build := exec.Command("go", "build", "-o", binary, "github.com/solocron/solocron/cmd/scheduler")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// A process is one running `scheduler serve`.
type process struct {
	name string
	cmd  *exec.Cmd
	log  *lockedBuffer
	done chan struct{}
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// serve starts a replica on Redis at addr with the given jobs in YAML; it is
// killed when the test ends. Its jobs find its name in $REPLICA.
func serve(t *testing.T, name, addr, settings, jobs string) *process {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".yaml")
	text := fmt.Sprintf("namespace: e2e\nredis: {addr: %q}\nadmin: {listen: \"127.0.0.1:0\"}\n%s\njobs:\n%s", addr, settings, jobs)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &process{name: name, log: new(lockedBuffer), done: make(chan struct{})}
	p.cmd = exec.Command(binary, "serve", "-c", file)
	p.cmd.Env = append(os.Environ(), "POD_NAME="+name, "REPLICA="+name)
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is the test's to judge
		close(p.done)
	}()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("log of %s:\n%s", name, lastLines(p.log.String(), 40))
		}
	})
	return p
}

func lastLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.done
}

func (p *process) terminate(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-p.done
}

// A mark is one line that a job wrote: what, tick, token, replica, pid.
type mark struct {
	what    string
	tick    time.Time
	token   int64
	replica string
	pid     int
}

const markLine = `"$SOLOCRON_TICK $SOLOCRON_TOKEN $REPLICA $$" >> `

// read returns the marks in file; a missing file has none.
func read(t *testing.T, file string) []mark {
	t.Helper()
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var marks []mark
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) != 5 {
			t.Fatalf("job wrote %q", lines.Text())
		}
		m := mark{what: f[0], replica: f[3]}
		if m.tick, err = time.Parse(time.RFC3339, f[1]); err != nil {
			t.Fatal(err)
		}
		if m.token, err = strconv.ParseInt(f[2], 10, 64); err != nil {
			t.Fatal(err)
		}
		if m.pid, err = strconv.Atoi(f[4]); err != nil {
			t.Fatal(err)
		}
		marks = append(marks, m)
	}
	return marks
}

// await polls until ok, for at most limit.
func await(t *testing.T, what string, limit time.Duration, ok func() bool) {
	t.Helper()
	if !within(t, limit, ok) {
		t.Fatalf("waited %s in vain for %s", limit, what)
	}
}

// within polls until ok, for at most limit, and reports whether it came to be.
func within(t *testing.T, limit time.Duration, ok func() bool) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			return ok()
		case <-poll.C:
		}
	}
	return true
}

// alive reports whether a process with pid exists and is not a zombie.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}
