package admin

import (
	"fmt"
	"io"

	"github.com/solocron/solocron/journal"
)

// tape writes chunks as text, with a remark where something is missing.
type tape struct {
	out     io.Writer
	reached int64 // up to here all was written, or is remarked on
	attempt int
	only    int  // the attempt that is wanted; 0: all
	skip    int  // lines that are left out
	inLine  bool // the last line is not at its end
}

func (t *tape) chunk(c journal.Chunk) error {
	if t.only != 0 && c.Attempt() != t.only {
		t.reached = max(t.reached, c.End())
		return nil
	}
	if c.Offset > t.reached {
		t.missing(c.Offset)
	}
	if attempt := c.Attempt(); attempt != t.attempt {
		if t.attempt != 0 || attempt > 1 {
			t.remark(fmt.Sprintf("attempt %d", attempt))
		}
		t.attempt = attempt
	}
	t.reached = max(t.reached, c.End())
	for _, l := range c.Lines() {
		if t.skip > 0 {
			t.skip -= b2i(!l.Open)
			continue
		}
		text := l.Text
		if t.inLine = l.Open; !l.Open {
			text += "\n"
		}
		if _, err := io.WriteString(t.out, text); err != nil {
			return err
		}
	}
	return nil
}

// missing remarks that nothing was kept up to an offset.
func (t *tape) missing(upto int64) {
	t.remark(fmt.Sprintf("%d bytes were not kept", upto-t.reached))
	t.reached = upto
}

// remark writes what is not output, on a line of its own.
func (t *tape) remark(text string) {
	if t.inLine {
		text = "\n[" + text + "]\n"
	} else {
		text = "[" + text + "]\n"
	}
	t.inLine = false
	_, _ = io.WriteString(t.out, text) // the next write of output says what is wrong
}

// end closes the last line, and remarks what was not kept at the end.
func (t *tape) end(upto int64) {
	switch {
	case upto > t.reached && t.only == 0: // whose it was is not known
		t.missing(upto)
	case t.inLine:
		_, _ = io.WriteString(t.out, "\n")
	}
}
