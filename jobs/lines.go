package jobs

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
)

// maxLine is the longest line in bytes that is passed on; the rest of a longer
// one is dropped and counted.
const maxLine = 16 << 10

// maxLastLine bounds the line of stderr that an error quotes.
const maxLastLine = 200

// output passes the lines of a process's two streams to a Link, one at a time,
// and remembers the last line of stderr.
type output struct {
	to   Link              // may be nil
	mask *strings.Replacer // may be nil

	mu   sync.Mutex
	last string
}

func (o *output) line(stream, text string) {
	text = redact(o.mask, strings.ToValidUTF8(text, "\uFFFD"))
	o.mu.Lock()
	defer o.mu.Unlock()
	if stream == "stderr" && strings.TrimSpace(text) != "" {
		o.last = oneLine(text, maxLastLine)
	}
	if o.to != nil {
		o.to.Output(stream, text)
	}
}

func (o *output) lastLine() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.last
}

// pump reads r to its end and passes on its lines. Its memory does not grow
// with what comes. The end of r is an error like any other: what matters is
// how the process exits.
func (o *output) pump(stream string, r io.Reader) {
	split := lineSplitter{emit: func(text string) { o.line(stream, text) }}
	_, _ = io.CopyBuffer(&split, struct{ io.Reader }{r}, make([]byte, 32<<10))
	split.close()
}

// lineSplitter is a writer that calls emit for each line, without its end.
type lineSplitter struct {
	emit    func(text string)
	buf     []byte // the line so far, at most maxLine
	dropped int    // bytes of the line beyond maxLine
}

// Write takes the next piece. It cannot fail.
func (s *lineSplitter) Write(p []byte) (int, error) {
	n := len(p)
	for {
		piece, rest, found := bytes.Cut(p, []byte{'\n'})
		s.add(piece)
		if !found {
			return n, nil
		}
		s.flush()
		p = rest
	}
}

func (s *lineSplitter) add(piece []byte) {
	room := min(len(piece), maxLine-len(s.buf))
	s.buf = append(s.buf, piece[:room]...)
	s.dropped += len(piece) - room
}

func (s *lineSplitter) flush() {
	text := string(s.buf)
	if s.dropped > 0 {
		text = fmt.Sprintf("%s [line cut: %d more bytes]", strings.ToValidUTF8(text, ""), s.dropped)
	}
	s.buf, s.dropped = s.buf[:0], 0
	s.emit(strings.TrimSuffix(text, "\r"))
}

// close passes on a last line that has no end.
func (s *lineSplitter) close() {
	if len(s.buf) > 0 {
		s.flush()
	}
}
