//go:build linux

package journal_test

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

// heapInUse is the bytes of heap in use now, garbage included.
func heapInUse() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() + s[1].Value.Uint64())
}

// watchHeap keeps the most heap in use in peak until stop is called.
func watchHeap(peak *atomic.Int64) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			peak.Store(max(peak.Load(), heapInUse()))
			select {
			case <-tick.C:
			case <-done:
				return
			}
		}
	}()
	return func() { close(done); <-ended }
}

// TestAJobThatPrintsAGigabyteLeavesMemoryFlat runs real processes: one prints a
// line of 100 MB, then 1 GiB of lines, then a last one.
func TestAJobThatPrintsAGigabyteLeavesMemoryFlat(t *testing.T) {
	logs := memjournal.NewLogs(time.Now, journal.LogBounds{})
	out := journal.NewOutput(logs, nil)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- out.Run(ctx) }()

	run := runOf(1, 1)
	var printed atomic.Int64
	run.Link = jobs.Hooks{OnOutput: func(stream, line string) {
		printed.Add(int64(len(line)) + 1)
		out.Observe(scheduler.Event{Phase: scheduler.Output, At: time.Now(), Run: run, Stream: stream, Note: line})
	}}
	line := strings.Repeat("0123456789", 11) // with the newline 111 bytes
	job := &jobs.Shell{Text: fmt.Sprintf("echo begin; head -c 100000000 /dev/zero | tr '\\0' x; echo; yes %s | head -c %d; echo; echo end", line, muchOutput)}

	runtime.GC()
	debug.FreeOSMemory()
	start := heapInUse()
	var peak atomic.Int64
	stop := watchHeap(&peak)
	begin := time.Now()
	err := job.Run(t.Context(), run)
	took := time.Since(begin)
	out.Observe(scheduler.Event{Phase: scheduler.Ended, At: time.Now(), Run: run, Verdict: scheduler.Succeeded})
	cancel()
	if runErr := <-ended; err != nil || runErr != nil {
		t.Fatal(err, runErr)
	}
	stop()
	grown := peak.Load() - start
	t.Logf("%d bytes in %s; the heap grew by %d bytes; %d bytes were not kept", printed.Load(), took.Round(time.Millisecond), grown, out.Lost())
	if grown > 32<<20 {
		t.Errorf("the heap grew by %d bytes, at most 32 MiB are allowed", grown)
	}
	if printed.Load() < muchOutput {
		t.Errorf("only %d bytes were printed", printed.Load())
	}
	if out.Held() != 0 {
		t.Errorf("%d bytes are held at the end", out.Held())
	}
	checkFlood(t, logs, run.ID, line)
}

// checkFlood looks at what is kept: both ends and not much more.
func checkFlood(t *testing.T, logs journal.Logs, run, line string) {
	t.Helper()
	got, done := readAll(t, logs, run)
	if !done || len(got) > jobs.DefaultLogLimit+1000 || len(got) < jobs.DefaultLogLimit*8/10 {
		t.Errorf("%d bytes are kept, done %v; want about 1 MiB", len(got), done)
	}
	if head := "begin\n" + strings.Repeat("x", journal.HeadLimit-10); !strings.HasPrefix(got, head) {
		t.Errorf("the beginning is %.40q, want %.40q", got, head)
	}
	cut := strings.LastIndex(got, ">") + 1
	tail := strings.TrimSuffix(got[cut:], "\nend\n")
	if len(tail) < jobs.DefaultLogLimit/2 || len(tail) == len(got[cut:]) {
		t.Fatalf("the end is %q behind a tail of %d bytes", got[max(0, len(got)-40):], len(tail))
	}
	// Behind the gap a line may begin in its middle, and head -c cuts the last.
	lines := strings.Split(tail, "\n")
	for i, l := range lines[1 : len(lines)-1] {
		if l != line {
			t.Fatalf("line %d of the tail is %q", i, l)
		}
	}
}
