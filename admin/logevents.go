package admin

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// LogLine is the event line of a log: a line of output, or a part of one.
type LogLine struct {
	Offset  int64     `json:"offset"` // of its first byte; its ID is where it ends
	At      time.Time `json:"at"`
	Stream  string    `json:"stream"`
	Attempt int       `json:"attempt"`
	Text    string    `json:"text"`
	Open    bool      `json:"open,omitempty"` // the line goes on with the next event, unless that is a gap
}

// LogGap is the event gap: nothing was kept between two offsets.
type LogGap struct {
	Offset int64 `json:"offset"`
	Bytes  int64 `json:"bytes"`
}

// LogEnd is the event end: the run is as its status says, and all that it printed was
// told.
type LogEnd struct {
	Offset int64  `json:"offset"`
	Status string `json:"status"`
}

// eventPaper writes output as server-sent events, whose IDs are offsets.
type eventPaper struct {
	pen *pen
	at  int64 // up to here the client knows all
}

func (p *eventPaper) begin(truncated bool) {
	if truncated {
		p.pen.out.Header().Set(headerCut, "true")
	}
	p.pen.begin()
}

func (p *eventPaper) attempt(int) {} // lines say theirs

func (p *eventPaper) line(l printed) error {
	p.say("line", l.end, LogLine{l.offset, l.At.UTC(), l.Stream, l.attempt, l.Text, l.Open})
	if p.pen.said.Len() < maxPiece {
		return nil
	}
	return p.pen.flush()
}

// maxPiece is how many bytes of events are collected before they are sent.
const maxPiece = 64 << 10

func (p *eventPaper) gap(from, upto int64) { p.say("gap", upto, LogGap{from, upto - from}) }

func (p *eventPaper) end(upto int64, status string) {
	p.say("end", upto, LogEnd{upto, status})
	_ = p.pen.flush() // a client that is gone cannot be told
}

func (p *eventPaper) bye(why farewell) {
	p.pen.event("bye", "", []byte(`{"reason":"`+string(why)+`"}`))
	p.pen.hurry()
	_ = p.pen.flush()
}

// say says one event, after which the client knows all up to an offset.
func (p *eventPaper) say(kind string, upto int64, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		return // cannot be: they are texts and numbers
	}
	p.at = upto
	p.pen.event(kind, strconv.FormatInt(upto, 10), text)
}

func (p *eventPaper) flush() error {
	if p.pen.empty() {
		if p.pen.quiet() < heartbeat {
			return p.pen.failed
		}
		p.pen.comment("alive", strconv.FormatInt(p.at, 10))
	}
	return p.pen.flush()
}

// newPaper is what the output for a client is written on.
func newPaper(w http.ResponseWriter, x *excerpt) paper {
	if x.events {
		return &eventPaper{pen: newPen(w), at: x.offset}
	}
	return &textPaper{out: w, stamps: x.timestamps, next: x.offset}
}
