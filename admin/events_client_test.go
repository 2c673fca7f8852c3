package admin_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// sse is one event, as a client has it.
type sse struct {
	kind, id string
	data     map[string]any
}

// sses are the events of a text. A block without an event moves the last id.
func sses(t *testing.T, text string) (events []sse, last string) {
	t.Helper()
	for block := range strings.SplitSeq(text, "\n\n") {
		var e sse
		for line := range strings.SplitSeq(block, "\n") {
			field, value, _ := strings.Cut(line, ": ")
			switch field {
			case "event":
				e.kind = value
			case "id":
				last, e.id = value, value
			case "data":
				if err := json.Unmarshal([]byte(value), &e.data); err != nil {
					t.Errorf("data: %v: %s", err, value)
				}
			}
		}
		if e.kind != "" {
			events = append(events, e)
		}
	}
	return events, last
}

func kinds(events []sse) (list []string) {
	for _, e := range events {
		list = append(list, e.kind)
	}
	return list
}

// wire is an answer that can be read while it is written.
type wire struct {
	mu     sync.Mutex
	header http.Header
	status int
	text   strings.Builder
}

func (w *wire) Header() http.Header { return w.header }
func (w *wire) Flush()              {}
func (w *wire) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status = status
}

func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *wire) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// tuned is a client that listens to h until leave is called, which waits for the
// end of the answer.
type tuned struct {
	*wire
	leave func()
	ended chan struct{}
}

func tune(t *testing.T, h http.Handler, query string, header ...string) *tuned {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/api/v1/events"+query, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	l := &tuned{wire: &wire{header: http.Header{}, status: 200}, ended: make(chan struct{})}
	l.leave = func() {
		cancel()
		<-l.ended
	}
	go func() {
		defer close(l.ended)
		h.ServeHTTP(l.wire, r)
	}()
	return l
}
