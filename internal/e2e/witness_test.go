package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// witnessed is the beginning of a shell job that writes down what it does, in a
// directory that all replicas share: one line of what, tick, token, attempt,
// replica, pid and the seconds since the machine started. Who finds the lock
// taken, by another run or by what another run has left behind, writes "overlap".
const witnessed = `
      note() { read -r up rest < /proc/uptime; echo "$1 $SOLOCRON_TICK $SOLOCRON_TOKEN $SOLOCRON_ATTEMPT $REPLICA $$ $up" >> witness; }
      exec 9>>lock
      flock -n 9 || { note overlap; exit 1; }
      note start
`

// A testimony is one line that a run wrote.
type testimony struct {
	what    string
	tick    time.Time
	token   int64
	attempt int
	replica string
	pid     int
	at      time.Duration // since the machine started, in steps of 10 ms
}

// testimonies reads what was written in dir; the last line may be half a line.
func testimonies(t *testing.T, dir string) []testimony {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "witness"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	var list []testimony
	for scan := bufio.NewScanner(bytes.NewReader(text)); scan.Scan(); {
		x, err := testify(strings.Fields(scan.Text()))
		if err != nil {
			t.Fatalf("a run wrote %q: %v", scan.Text(), err)
		}
		list = append(list, x)
	}
	return list
}

// leftAlone has the end of t wait until the runs that wrote to dir are dead: one
// that ignores SIGTERM outlives its replica by its grace. Call it before the
// replicas are started.
func leftAlone(t *testing.T, dir string) {
	t.Cleanup(func() {
		living := func(x testimony) bool { return alive(x.pid) }
		for end := time.Now().Add(10 * time.Second); slices.ContainsFunc(testimonies(t, dir), living); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Error("runs go on 10 s after the replicas have ended")
				return
			}
		}
	})
}

func testify(f []string) (x testimony, err error) {
	if len(f) != 7 {
		return x, fmt.Errorf("%d fields", len(f))
	}
	x.what, x.replica = f[0], f[4]
	if x.tick, err = time.Parse(time.RFC3339, f[1]); err != nil {
		return x, err
	}
	if x.token, err = strconv.ParseInt(f[2], 10, 64); err != nil {
		return x, err
	}
	if x.attempt, err = strconv.Atoi(f[3]); err != nil {
		return x, err
	}
	if x.pid, err = strconv.Atoi(f[5]); err != nil {
		return x, err
	}
	x.at, err = time.ParseDuration(f[6] + "s")
	return x, err
}

// uptime is the clock of the witness file.
func uptime(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile("/proc/uptime")
	if err != nil {
		t.Fatal(err)
	}
	up, _, _ := strings.Cut(string(text), " ")
	d, err := time.ParseDuration(up + "s")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// starts are the testimonies of a start.
func starts(list []testimony) []testimony {
	var out []testimony
	for _, x := range list {
		if x.what == "start" {
			out = append(out, x)
		}
	}
	return out
}

// consistent holds what was written against the promise: nobody found the lock
// taken, no line lies in the run of another, ticks and tokens only grow.
func consistent(t *testing.T, list []testimony) {
	t.Helper()
	var run testimony // the last that has started
	for _, x := range list {
		switch {
		case x.what == "overlap":
			t.Errorf("%s on %s found the lock taken at %s, after the start of %s on %s", x.tick, x.replica, x.at, run.tick, run.replica)
		case x.what == "start":
			if !x.tick.After(run.tick) {
				t.Errorf("%s starts on %s after %s on %s: stale or double", x.tick, x.replica, run.tick, run.replica)
			}
			if x.token <= run.token {
				t.Errorf("%s on %s has token %d after %d", x.tick, x.replica, x.token, run.token)
			}
			run = x
		case x.token != run.token:
			t.Errorf("%s says %q on %s at %s, after the start of %s on %s", x.tick, x.what, x.replica, x.at, run.tick, run.replica)
		}
	}
}

// lastOf is when the run with a token wrote last; 0 if it never did.
func lastOf(list []testimony, token int64) time.Duration {
	var at time.Duration
	for _, x := range list {
		if x.token == token {
			at = x.at
		}
	}
	return at
}
