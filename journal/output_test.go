package journal_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// logs are Logs in memory that count, and can be out of order.
type logs struct {
	*memjournal.Logs
	meanwhile chan func() // called in an Append

	mu    sync.Mutex
	err   error // of every Append
	lost  bool  // what is appended is kept, but the answer is err
	calls int
	bytes map[time.Time]int // written at each moment
}

func newLogs() *logs {
	return &logs{Logs: memjournal.NewLogs(time.Now, journal.LogBounds{}), meanwhile: make(chan func(), 1), bytes: make(map[time.Time]int)}
}

func (l *logs) Append(ctx context.Context, parts []journal.Part) []error {
	select {
	case do := <-l.meanwhile:
		do()
	default:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls++
	if l.err != nil {
		if l.lost {
			_ = l.Logs.Append(ctx, parts)
		}
		return slices.Repeat([]error{l.err}, len(parts))
	}
	for _, p := range parts {
		for _, c := range p.Chunks {
			l.bytes[time.Now()] += len(c.Data)
		}
	}
	return l.Logs.Append(ctx, parts)
}

func (l *logs) fail(err error, lost bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err, l.lost = err, lost
}

func (l *logs) called() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calls
}

// world is an Output that runs over logs.
type world struct {
	*journal.Output
	*logs
	t    *testing.T
	stop func()
}

func within(t *testing.T, limit int, test func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLogs()
		w := &world{Output: journal.NewOutput(l, func(string) int { return limit }), logs: l, t: t}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- w.Output.Run(ctx) }()
		w.stop = sync.OnceFunc(func() {
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("Run: %v", err)
			}
		})
		test(w)
		w.stop()
		if held := w.Held(); held != 0 {
			t.Errorf("%d bytes are held at the end", held)
		}
	})
}

func runOf(i, attempt int) jobs.Run {
	return jobs.Run{
		ID: fmt.Sprintf("job-%d.20261129T013000Z", i), Job: fmt.Sprintf("job-%d", i),
		Attempt: attempt, Token: int64(40 + attempt),
	}
}

func (w *world) print(run jobs.Run, lines ...string) {
	for _, l := range lines {
		w.Observe(scheduler.Event{Phase: scheduler.Output, At: time.Now(), Run: run, Stream: "stdout", Note: l})
	}
}

func (w *world) end(run jobs.Run) {
	w.Observe(scheduler.Event{Phase: scheduler.Ended, At: time.Now(), Run: run, Verdict: scheduler.Succeeded})
}

// text reads what is kept of a run: lines, and gaps as "<n>".
func (w *world) text(run jobs.Run) (text string, done bool) {
	w.t.Helper()
	return readAll(w.t, w.logs, run.ID)
}

func readAll(t *testing.T, l journal.Logs, run string) (text string, done bool) {
	t.Helper()
	var b strings.Builder
	at := journal.Cursor(0)
	gap := func(to int64) {
		if n := to - int64(at); n != 0 {
			fmt.Fprintf(&b, "<%d>", n)
		}
	}
	for {
		chunks, next, done, err := l.Read(t.Context(), run, at, 5)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range chunks {
			gap(c.Offset)
			at = journal.Cursor(c.End())
			for _, l := range c.Lines() {
				b.WriteString(l.Text)
				if !l.Open {
					b.WriteByte('\n')
				}
			}
		}
		gap(int64(next))
		at = next
		if done || len(chunks) == 0 {
			return b.String(), done
		}
	}
}

func (w *world) wants(run jobs.Run, want string, done bool) {
	w.t.Helper()
	if got, ended := w.text(run); got != want || ended != done {
		w.t.Errorf("got %.300q, done %v; want %.300q, %v", got, ended, want, done)
	}
}

func TestLinesAreReadableAQuarterOfASecondLater(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		run := runOf(1, 1)
		w.print(run, "one", "two\nthree\n", "")
		time.Sleep(200 * time.Millisecond)
		w.wants(run, "", false)
		time.Sleep(100 * time.Millisecond)
		w.wants(run, "one\ntwo\nthree\n\n", false)
		w.print(run, "end")
		w.end(run)
		synctest.Wait()
		w.wants(run, "one\ntwo\nthree\n\nend\n", true)
		if w.Held() != 0 {
			t.Errorf("%d bytes are held after the end", w.Held())
		}
	})
}

func TestARunThatPrintsNothingCostsNothing(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		run := runOf(1, 1)
		w.Observe(scheduler.Event{Phase: scheduler.Started, Run: run})
		w.end(run)
		w.print(runOf(2, 1), "x")
		w.end(runOf(2, 1))
		time.Sleep(time.Hour)
		if got := w.called(); got != 1 {
			t.Errorf("%d calls, want 1", got)
		}
	})
}

func TestNothingIsKeptWhereTheLimitIsZero(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, -1} {
		within(t, limit, func(w *world) {
			w.print(runOf(1, 1), "x")
			w.end(runOf(1, 1))
			time.Sleep(time.Minute)
			if w.called() != 0 || w.Held() != 0 {
				t.Errorf("%d calls, %d bytes held; want none", w.called(), w.Held())
			}
		})
	}
}

func TestALateReaderGetsHeadGapAndTail(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{100, 4096, 5000, 20_000, 1 << 20} {
		within(t, limit, func(w *world) {
			run := runOf(1, 1)
			var all strings.Builder
			for i := range 30_000 {
				line := fmt.Sprintf("line %d of many that are printed at once", i)
				w.print(run, line)
				all.WriteString(line + "\n")
			}
			w.end(run)
			synctest.Wait()
			got, done := w.text(run)
			head, rest, _ := strings.Cut(got, "<")
			number, tail, _ := strings.Cut(rest, ">")
			want := min(limit, journal.HeadLimit)
			if len(head) > want || len(head) < want-3 || !strings.HasPrefix(all.String(), head) {
				t.Errorf("limit %d: a head of %d bytes, want %d", limit, len(head), want)
			}
			room := limit - journal.HeadLimit
			if !strings.HasSuffix(all.String(), tail) || len(tail) > max(0, room) || len(tail) < room/2 {
				t.Errorf("limit %d: a tail of %d bytes", limit, len(tail))
			}
			if gap := all.Len() - len(head) - len(tail); number != fmt.Sprint(gap) || w.Lost() == 0 || !done {
				t.Errorf("limit %d: gap %s, lost %d, done %v; want a gap of %d", limit, number, w.Lost(), done, gap)
			}
		})
	}
}

func TestALongLineIsCutAndTheGapNoted(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		run := runOf(1, 1)
		long := strings.Repeat("ä€", 20_000) // 100,000 bytes
		w.print(run, long, "end")
		w.end(run)
		synctest.Wait()
		got, _ := w.text(run)
		kept, rest, _ := strings.Cut(got, "<")
		if !strings.HasPrefix(long, kept) || len(kept) < 17_000 || len(kept) > 18_000 {
			t.Errorf("kept %d bytes of the line: %.20q...%q", len(kept), kept, kept[max(0, len(kept)-20):])
		}
		if want := fmt.Sprintf("%d>end\n", len(long)+1-len(kept)); rest != want {
			t.Errorf("got %q after the line, want %q", rest, want)
		}
	})
}

func TestARunningJobCostsTheStoreABoundedRate(t *testing.T) {
	t.Parallel()
	within(t, 1<<20, func(w *world) {
		run := runOf(1, 1)
		for range 100 {
			w.print(run, slices.Repeat([]string{strings.Repeat("x", 1000)}, 1000)...)
			time.Sleep(100 * time.Millisecond)
		}
		w.logs.mu.Lock()
		defer w.logs.mu.Unlock()
		if n := len(w.bytes); n < 35 || n > 41 {
			t.Errorf("written at %d moments of 10 s, want 40", n)
		}
		for at, n := range w.bytes {
			if n > 64<<10 {
				t.Errorf("%d bytes written at %s, want at most 64 KiB", n, at)
			}
		}
	})
}
