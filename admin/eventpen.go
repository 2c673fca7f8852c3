package admin

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"
)

const (
	pieceLimit = 10 * time.Second // for one piece to reach the client
	hurryLimit = time.Second      // for the last one
)

// pen writes server-sent events. What is said goes out with flush.
type pen struct {
	out     http.ResponseWriter
	control *http.ResponseController
	said    bytes.Buffer
	sent    time.Time // when something was last sent
	failed  error     // why nothing more can be sent

	mu      sync.Mutex // guards the deadline of writing, and hurrying
	hurries bool
}

func newPen(w http.ResponseWriter) *pen {
	return &pen{out: w, control: http.NewResponseController(w), sent: time.Now()}
}

// event says one event. Without an ID the client keeps the one it has.
func (p *pen) event(kind, id string, data []byte) {
	p.said.WriteString("event: " + kind + "\n")
	if id != "" {
		p.said.WriteString("id: " + id + "\n")
	}
	p.said.WriteString("data: ")
	p.said.Write(data) // JSON of one line
	p.said.WriteString("\n\n")
}

// comment says nothing, and that the client is at id.
func (p *pen) comment(text, id string) { p.said.WriteString(": " + text + "\nid: " + id + "\n\n") }

func (p *pen) empty() bool { return p.said.Len() == 0 }

// quiet is for how long nothing was sent.
func (p *pen) quiet() time.Duration { return time.Since(p.sent) }

// begin sends the header of the answer, before all that was said.
func (p *pen) begin() {
	h := p.out.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // proxies that collect answers would hold events back
	h.Set("X-Content-Type-Options", "nosniff")
	p.out.WriteHeader(http.StatusOK)
	rest := bytes.Clone(p.said.Bytes())
	p.said.Reset()
	p.said.WriteString("retry: " + strconv.FormatInt(streamRetry.Milliseconds(), 10) + "\n\n")
	p.said.Write(rest)
}

// flush sends what was said. The time-outs of the server are for answers that are
// short, so they are moved with each piece. After an error nothing more is sent:
// the client has a part of what was.
func (p *pen) flush() error {
	if p.failed == nil {
		p.failed = errors.Join(supported(p.control.SetReadDeadline(time.Time{})), p.extend())
	}
	if p.failed == nil {
		_, err := p.out.Write(p.said.Bytes())
		p.failed = errors.Join(err, supported(p.control.Flush()))
	}
	p.said.Reset()
	p.sent = time.Now()
	return p.failed
}

func (p *pen) extend() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	limit := pieceLimit
	if p.hurries {
		limit = hurryLimit
	}
	return supported(p.control.SetWriteDeadline(time.Now().Add(limit)))
}

// hurry has what is being sent, and all that follows, reach the client soon or not
// at all: nobody waits any longer for one that does not read.
func (p *pen) hurry() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hurries = true
	_ = p.control.SetWriteDeadline(time.Now().Add(hurryLimit)) // not supported: nothing is sent over a connection
}
