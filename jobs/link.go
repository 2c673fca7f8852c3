package jobs

import (
	"math"
	"time"
)

// NoLimit is the time that a run has left which nothing limits.
const NoLimit time.Duration = math.MaxInt64

// Link connects a run with the engine that started it. It is safe for concurrent
// use, also after the run has ended.
type Link interface {
	// Remaining is the time left until the run must have ended because its lease
	// does; zero or less: it should have. NoLimit is an answer for good.
	Remaining() time.Duration
	// Progress takes how far the run is, in words for people. The latest text
	// replaces those before it.
	Progress(text string)
	// Output takes one line of what the run prints, without its newline. Stream is
	// "stdout" or "stderr".
	Output(stream, line string)
	// Used takes what the processes of the run have used, once, after their end.
	Used(usage Usage)
}

// Remaining is the time left until r must have ended because its lease does:
// NoLimit without a Link. It may be called at any time from any goroutine.
func (r Run) Remaining() time.Duration {
	if r.Link == nil {
		return NoLimit
	}
	return r.Link.Remaining()
}

// Progress tells how far r is, in words for people.
func (r Run) Progress(text string) {
	if r.Link != nil {
		r.Link.Progress(text)
	}
}

// Output tells one line of what r prints, without its newline. Stream is "stdout"
// or "stderr".
func (r Run) Output(stream, line string) {
	if r.Link != nil {
		r.Link.Output(stream, line)
	}
}

// Used tells once what the processes of r have used.
func (r Run) Used(usage Usage) {
	if r.Link != nil {
		r.Link.Used(usage)
	}
}

// Hooks is a Link made of functions, for tests and for whoever runs a Runner
// without an engine. Each may be nil: then nothing limits the run, or nobody
// listens. They must be safe for concurrent use if the runner needs it.
type Hooks struct {
	Left       func() time.Duration
	OnProgress func(text string)
	OnOutput   func(stream, line string)
	OnUsed     func(usage Usage)
}

// Remaining is what Left answers.
func (h Hooks) Remaining() time.Duration {
	if h.Left == nil {
		return NoLimit
	}
	return h.Left()
}

// Progress calls OnProgress.
func (h Hooks) Progress(text string) {
	if h.OnProgress != nil {
		h.OnProgress(text)
	}
}

// Output calls OnOutput.
func (h Hooks) Output(stream, line string) {
	if h.OnOutput != nil {
		h.OnOutput(stream, line)
	}
}

// Used calls OnUsed.
func (h Hooks) Used(usage Usage) {
	if h.OnUsed != nil {
		h.OnUsed(usage)
	}
}
