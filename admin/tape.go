package admin

import (
	"time"

	"github.com/solocron/solocron/journal"
)

// paper is what output is written on, for one client.
type paper interface {
	// begin begins the answer; truncated: something of what was wanted is not there.
	begin(truncated bool)
	// attempt begins what an attempt printed.
	attempt(n int)
	// line writes a line, or a part of one.
	line(l printed) error
	// gap says that nothing was kept between two offsets.
	gap(from, upto int64)
	// bye ends an answer of which there is more to come.
	bye(why farewell)
	// end ends an answer of which all is said, up to an offset.
	end(upto int64, status string)
	// flush sends what was written, or, where nothing was for long, that there is more to come.
	flush() error
}

// farewell is why an answer ends before all is said.
type farewell string

const (
	byeDraining farewell = "draining"
	byeStore    farewell = "store"
	byeTime     farewell = "time"
)

// printed is a line of output, or a part of one.
type printed struct {
	journal.Line
	attempt     int
	offset, end int64 // bytes from the beginning of the run's output
}

// tape reads chunks and puts on paper what of them is wanted.
type tape struct {
	to      paper
	reached int64 // up to here all was written, is remarked on, or is not wanted
	now     int   // the attempt that was last told of
	only    int   // the attempt that is wanted; 0: all
	since   time.Time
	skip    int // wanted lines that are left out
}

// begin has the tape begin with c, and leave out the first wanted lines of it.
func (t *tape) begin(c journal.Chunk, skip int) {
	t.reached, t.now, t.skip = c.Offset, c.Attempt(), skip
}

// wants reports whether a line is of those that are wanted.
func (t *tape) wants(l *journal.Line) bool { return t.since.IsZero() || !l.At.Before(t.since) }

// lines counts the wanted lines that end in c.
func (t *tape) lines(c journal.Chunk) int {
	n := 0
	for _, l := range c.Lines() {
		n += b2i(!l.Open && t.wants(&l))
	}
	return n
}

// passes reports whether c has nothing that is wanted.
func (t *tape) passes(c journal.Chunk) bool {
	return c.End() <= t.reached || t.only != 0 && c.Attempt() != t.only
}

func (t *tape) chunk(c journal.Chunk) error {
	if t.passes(c) {
		t.reached = max(t.reached, c.End())
		return nil
	}
	if c.Offset > t.reached {
		t.to.gap(t.reached, c.Offset)
		t.reached = c.Offset
	}
	from, at := t.reached, c.Offset
	t.reached = c.End()
	for _, l := range c.Lines() {
		one := printed{Line: l, attempt: c.Attempt(), offset: at, end: min(at+int64(len(l.Text))+int64(b2i(!l.Open)), c.End())}
		at = one.end
		if one.end <= from || !t.wants(&l) {
			continue
		}
		if t.skip > 0 {
			t.skip -= b2i(!l.Open)
			continue
		}
		t.announce(one.attempt)
		if err := t.to.line(one); err != nil {
			return err
		}
	}
	return nil
}

// announce tells of an attempt of which something was printed, unless it is the first
// of all.
func (t *tape) announce(attempt int) {
	if attempt != t.now && (t.now != 0 || attempt > 1) {
		t.to.attempt(attempt)
	}
	t.now = attempt
}

// end says what was not kept at the end, and that this is it.
func (t *tape) end(upto int64, status string) {
	if upto > t.reached && t.only == 0 { // of one attempt it is not known whether it was its own
		t.to.gap(t.reached, upto)
	}
	t.to.end(max(upto, t.reached), status)
}
