package journal

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

const (
	// DefaultMemory bounds the output of all runs that is not written yet, in
	// bytes of this process's memory.
	DefaultMemory = 64 << 20
	trackCost     = 512 // bytes of memory that a run takes beside its blocks
	// maxNote is what is looked at of one event, in bytes: of a job written in
	// Go it may be anything, and others wait for the lock.
	maxNote = 64 << 10
)

// Output brings what the runs of this replica print to Logs. A run that prints
// more than Logs take in time loses the middle: its first 4 KiB and what it
// printed last are kept. Make it with NewOutput, add it to the observers, and
// let Run run until after the last of them has spoken.
type Output struct {
	logs   Logs
	limit  func(job string) int
	memory int

	mu    sync.Mutex
	desk  desk
	lost  int64
	more  chan struct{} // there is something to write
	hurry chan struct{} // a run has ended
}

// desk is the runs whose output is at hand.
type desk struct {
	runs    map[trackID]*track // that have printed and not ended, or have something to be written
	dirty   []*track           // that have something to be written, the longest first
	held    int                // bytes of memory
	session int64              // the last one given away
	crowded bool               // no block can give way: nothing is taken until something is written
	closed  bool               // nothing is taken any more
}

type trackID struct {
	run   string
	token int64
}

// track is one attempt of a run with output.
type track struct {
	trackID
	session int64
	tape    *tape
	told    tally     // of the tape: what the desk knows
	dirty   bool      // it is among desk.dirty, or is being written
	spoke   time.Time // when it printed last, on the process's clock
	ended   time.Time // when it ended; zero: it has not
}

// tally is what a tape holds and has lost, in bytes.
type tally struct {
	held int
	lost int64
}

// NewOutput returns an Output that keeps limit(job) bytes of each run: nothing
// if that is 0 or less, and jobs.DefaultLogLimit if limit is nil. Limit must be quick.
func NewOutput(logs Logs, limit func(job string) int) *Output {
	if limit == nil {
		limit = func(string) int { return jobs.DefaultLogLimit }
	}
	return &Output{
		logs: logs, limit: limit, memory: DefaultMemory,
		desk: desk{runs: make(map[trackID]*track), session: time.Now().UnixMicro()},
		more: make(chan struct{}, 1), hurry: make(chan struct{}, 1),
	}
}

// Lost is how many bytes that should have been kept, or were beyond the limit
// of their run, were never written. It only grows.
func (o *Output) Lost() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lost
}

// Held is how many bytes of memory the output takes that is not written yet.
func (o *Output) Held() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.desk.held
}

// Observe takes what runs print and when they end. It does no I/O.
func (o *Output) Observe(e scheduler.Event) {
	id := trackID{e.Run.ID, e.Run.Token}
	switch {
	case id.run == "":
	case e.Phase == scheduler.Output:
		o.print(id, e)
	case e.Phase == scheduler.Ended:
		o.end(id)
	}
}

func (o *Output) print(id trackID, e scheduler.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t := o.desk.runs[id]
	if t == nil {
		if t = o.admit(id, e); t == nil {
			return
		}
	}
	t.spoke = time.Now()
	text := strings.TrimSuffix(e.Note, "\n")
	kept := fit(text, maxNote)
	for line := range strings.SplitSeq(kept, "\n") {
		o.line(t, e.At.UnixMilli(), e.Stream, line)
	}
	t.tape.skip(int64(len(text) - len(kept)))
	o.account(t)
	o.mark(t)
}

func (o *Output) line(t *track, ms int64, stream, text string) {
	if o.desk.crowded {
		t.tape.skip(int64(len(text)) + 1)
		return
	}
	t.tape.line(ms, stream, text)
	o.account(t)
	if o.desk.held > o.memory {
		o.desk.crowded = !o.relieve()
	}
}

// admit begins the track of a run that prints for the first time; nil if its
// output is not kept.
func (o *Output) admit(id trackID, e scheduler.Event) *track {
	if o.desk.closed || o.desk.crowded || len(id.run) > MaxRunID {
		o.lost += int64(len(e.Note)) + 1
		return nil
	}
	limit := min(o.limit(e.Run.Job), o.memory)
	if limit <= 0 {
		return nil
	}
	o.desk.session++
	t := &track{trackID: id, session: o.desk.session, tape: newTape(e.Run.Attempt, limit)}
	o.desk.runs[id] = t
	o.desk.held += trackCost
	return t
}

func (o *Output) end(id trackID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t := o.desk.runs[id]
	if t == nil {
		return
	}
	t.ended = time.Now()
	o.mark(t)
	ring(o.hurry)
}

// mark puts t among those that have something to be written.
func (o *Output) mark(t *track) {
	if !t.dirty {
		t.dirty = true
		o.desk.dirty = append(o.desk.dirty, t)
		ring(o.more)
	}
}

// account takes over how much more or less t holds and has lost.
func (o *Output) account(t *track) {
	now := tally{t.tape.held, t.tape.lost}
	o.desk.held += now.held - t.told.held
	o.lost += now.lost - t.told.lost
	t.told = now
}

// relieve shortens the largest tapes until a sixteenth of the memory is free,
// so that it need not be called again soon; false if that is not possible.
func (o *Output) relieve() bool {
	tracks := make([]*track, 0, len(o.desk.runs))
	sizes := make([]int, 0, len(o.desk.runs))
	for _, t := range o.desk.runs {
		if t.tape.ring > 0 {
			tracks, sizes = append(tracks, t), append(sizes, t.tape.ring)
		}
	}
	top := level(sizes, o.desk.held-o.memory*15/16)
	for _, t := range tracks {
		t.tape.shrink(top)
		t.tape.free()
		o.account(t)
	}
	return o.desk.held <= o.memory
}

// level returns the height to which the tallest of sizes must be cut for at
// least surplus to be taken away; 0 if all together are not enough.
func level(sizes []int, surplus int) int {
	sizes = slices.Sorted(slices.Values(sizes))
	for above := 1; len(sizes) > 0; above++ {
		last := len(sizes) - 1
		next := 0 // to where this many are cut together
		if last > 0 {
			next = sizes[last-1]
		}
		step := above * (sizes[last] - next)
		if step >= surplus {
			return sizes[last] - (surplus+above-1)/above
		}
		surplus, sizes = surplus-step, sizes[:last]
	}
	return 0
}

// ring wakes whoever waits on c, or lets it find that it need not wait.
func ring(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
