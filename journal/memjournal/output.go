package memjournal

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
)

// logRoom bounds the chunks of all runs together, in bytes.
const logRoom = 256 << 20

// chunkCost is what a chunk takes beside its data, in bytes.
const chunkCost = 32

// Logs keeps the output of runs in memory.
type Logs struct {
	now    func() time.Time
	bounds journal.LogBounds

	mu    sync.Mutex
	runs  map[string]*log
	order []string // of runs, the oldest first
	jobs  map[string]int
	held  int
}

// log is the output of one run.
type log struct {
	writer journal.Writer
	base   int64 // where its output begins in that of the run
	stop   int64 // up to here chunks were taken
	total  int64 // that much was printed
	done   bool
	head   []journal.Chunk
	tail   []journal.Chunk
	top    int // bytes of head
	ring   int // bytes of tail
	until  time.Time
}

// NewLogs returns empty Logs on the clock now.
func NewLogs(now func() time.Time, bounds journal.LogBounds) *Logs {
	return &Logs{now: now, bounds: bounds.WithDefaults(), runs: make(map[string]*log), jobs: make(map[string]int)}
}

// Append implements journal.Logs.
func (l *Logs) Append(ctx context.Context, parts []journal.Part) []error {
	errs := make([]error, len(parts))
	failed := false
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range parts {
		if ctx.Err() != nil {
			errs[i] = context.Cause(ctx)
		} else {
			errs[i] = l.append(&parts[i])
		}
		failed = failed || errs[i] != nil
	}
	if !failed {
		return nil
	}
	return errs
}

func (l *Logs) append(p *journal.Part) error {
	if p.Run == "" || len(p.Run) > journal.MaxRunID {
		return fmt.Errorf("run id of %d bytes: 1 to %d are allowed", len(p.Run), journal.MaxRunID)
	}
	now := l.now()
	g := l.runs[p.Run]
	if g != nil && now.After(g.until) {
		l.remove(p.Run)
		g = nil
	}
	if g == nil {
		g = l.begin(p.Run, p.Writer)
	}
	if !g.turn(p.Writer) {
		return journal.ErrOvertaken
	}
	l.held -= g.top + g.ring
	for _, c := range p.Chunks {
		g.take(c)
	}
	g.trim(p.Keep)
	l.held += g.top + g.ring
	g.total = max(g.total, g.base+p.Total)
	g.done = p.Done
	g.until = now.Add(l.bounds.Age)
	l.evict(p.Run)
	return nil
}

// begin makes the log of a run, for which the oldest of its job may have to go.
func (l *Logs) begin(run string, w journal.Writer) *log {
	job := jobOf(run)
	for l.jobs[job] >= l.bounds.Runs {
		i := slices.IndexFunc(l.order, func(r string) bool { return jobOf(r) == job })
		l.remove(l.order[i])
	}
	g := &log{writer: w}
	l.runs[run], l.order = g, append(l.order, run)
	l.jobs[job]++
	return g
}

// evict removes what has expired and, while all take too much, the oldest that
// is not keep.
func (l *Logs) evict(keep string) {
	for len(l.order) > 0 && l.order[0] != keep {
		g := l.runs[l.order[0]]
		if l.held <= logRoom && !l.now().After(g.until) {
			return
		}
		l.remove(l.order[0])
	}
}

func (l *Logs) remove(run string) {
	g, job := l.runs[run], jobOf(run)
	l.held -= g.top + g.ring
	delete(l.runs, run)
	l.order = slices.DeleteFunc(l.order, func(r string) bool { return r == run })
	if l.jobs[job]--; l.jobs[job] == 0 {
		delete(l.jobs, job)
	}
}

// turn makes w the writer, unless a later one has written.
func (g *log) turn(w journal.Writer) bool {
	if w.Before(g.writer) {
		return false
	}
	if g.writer.Before(w) {
		g.writer, g.base = w, max(g.stop, g.total)
	}
	return true
}

// take keeps a chunk that it does not have.
func (g *log) take(c journal.Chunk) {
	c.Offset += g.base
	if !c.Valid() || c.Offset < g.stop {
		return
	}
	c.Data = slices.Clone(c.Data)
	g.stop = c.End()
	if c.Head() {
		g.head = append(g.head, c)
		g.top += len(c.Data) + chunkCost
		return
	}
	g.tail = append(g.tail, c)
	g.ring += len(c.Data) + chunkCost
}

// trim drops the oldest chunks behind the head until the rest takes keep bytes.
func (g *log) trim(keep int) {
	for len(g.tail) > 0 && g.ring > keep {
		g.ring -= len(g.tail[0].Data) + chunkCost
		g.tail = slices.Delete(g.tail, 0, 1)
	}
}

// Read implements journal.Logs.
func (l *Logs) Read(ctx context.Context, run string, from journal.Cursor, limit int) (chunks []journal.Chunk, next journal.Cursor, done bool, err error) {
	if ctx.Err() != nil {
		return nil, from, false, context.Cause(ctx)
	}
	if limit <= 0 || limit > journal.MaxRead {
		limit = journal.MaxRead
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.runs[run]
	if g == nil || l.now().After(g.until) {
		return nil, from, false, nil
	}
	done, next = g.done, from
	for _, c := range slices.Concat(g.head, g.tail) {
		if c.Offset < int64(from) {
			continue
		}
		if len(chunks) == limit {
			done = false
			break
		}
		chunks, next = append(chunks, c), journal.Cursor(c.End())
	}
	if done {
		next = max(next, journal.Cursor(g.total))
	}
	return chunks, next, done, nil
}

// jobOf is the job of a run, or the run itself if its ID names none.
func jobOf(run string) string {
	if job, _, ok := scheduler.JobOf(run); ok {
		return job
	}
	return run
}
