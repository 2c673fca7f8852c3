package admin

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	headerCut  = "Log-Truncated"
	headerNext = "Log-Next"
	stampForm  = "2006-01-02T15:04:05.000Z07:00" // of lines, which have whole milliseconds
)

// textPaper writes output as text, with a remark in brackets where something is
// missing.
type textPaper struct {
	out    http.ResponseWriter
	stamps bool
	inLine bool  // the last line is not at its end
	next   int64 // offset at which a client can go on
}

func (p *textPaper) begin(truncated bool) {
	h := p.out.Header()
	if truncated {
		h.Set(headerCut, "true")
	}
	h.Set("Trailer", headerNext)
	h.Set("Content-Type", kindText+"; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	p.out.WriteHeader(http.StatusOK)
}

func (p *textPaper) attempt(n int) { p.remark(fmt.Sprintf("attempt %d", n)) }

func (p *textPaper) line(l printed) error {
	text := l.Text
	if p.stamps && !p.inLine {
		text = l.At.UTC().Format(stampForm) + " " + text
	}
	if p.inLine = l.Open; !l.Open {
		text += "\n"
	}
	p.next = l.end
	_, err := io.WriteString(p.out, text)
	return err
}

func (p *textPaper) gap(from, upto int64) {
	p.remark(fmt.Sprintf("%d bytes were not kept", upto-from))
	p.next = upto
}

// remark writes what is not output, on a line of its own.
func (p *textPaper) remark(text string) {
	if p.inLine {
		text = "\n[" + text + "]\n"
	} else {
		text = "[" + text + "]\n"
	}
	p.inLine = false
	_, _ = io.WriteString(p.out, text) // the next write of output says what is wrong
}

func (p *textPaper) bye(why farewell) {
	switch why {
	case byeDraining:
		p.remark("this replica shuts down: ask another one for the rest")
	case byeStore:
		p.remark("the output could not be read any further: the store gave no answer")
	case byeTime: // an hour is enough, or the client has left
	}
	p.trail()
}

func (p *textPaper) end(upto int64, _ string) {
	if p.inLine {
		_, _ = io.WriteString(p.out, "\n")
	}
	p.next = max(p.next, upto)
	p.trail()
}

func (p *textPaper) trail() { p.out.Header().Set(headerNext, strconv.FormatInt(p.next, 10)) }

// flush sends what was written at once. The time-outs of the server are for answers that
// are short, so they are moved with each piece.
func (p *textPaper) flush() error {
	control := http.NewResponseController(p.out)
	return errors.Join(
		supported(control.SetReadDeadline(time.Time{})), supported(control.SetWriteDeadline(time.Now().Add(writeLimit))), supported(control.Flush()))
}

// supported forgives a writer, such as one of a test, that cannot do it.
func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
