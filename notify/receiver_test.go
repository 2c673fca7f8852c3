package notify_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/notify"
)

// got is one request that a receiver has taken.
type got struct {
	path, query, body string
	header            http.Header
}

// receiver is an HTTP server of messages on loopback.
type receiver struct {
	URL string

	mu     sync.Mutex
	all    []got
	answer func(w http.ResponseWriter, r *http.Request) bool // true: it has answered; nil: 200
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := new(receiver)
	s := httptest.NewServer(r)
	t.Cleanup(s.Close)
	r.URL = s.URL
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(io.LimitReader(req.Body, 1<<20))
	if err != nil {
		http.Error(w, "body", http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.answer != nil && r.answer(w, req) {
		return
	}
	r.all = append(r.all, got{req.URL.Path, req.URL.RawQuery, string(body), req.Header.Clone()})
}

func (r *receiver) taken() []got {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]got(nil), r.all...)
}

// answers has r answer with a status, after add.
func (r *receiver) answers(status int, add func(http.ResponseWriter, *http.Request)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = func(w http.ResponseWriter, req *http.Request) bool {
		add(w, req)
		w.WriteHeader(status)
		return true
	}
}

func failure() *notify.Delivery {
	return &notify.Delivery{ID: "0123", Try: 1, Messages: []notify.Message{{
		ID: "0123", Kind: notify.Failure, Job: "nightly-report", Run: "nightly-report.20261129T120000Z", Tick: noon(), At: noon(),
		Since: noon(), Verdict: "failed", Error: "exit status 1: <!channel> `rm` & \"quoted\"", Failures: 2, Replica: "pod-1", Runbook: "https://wiki/nightly",
	}}}
}

func sender(t *testing.T, c config.Channel) notify.Sender {
	t.Helper()
	s, err := notify.NewSender(&c, notify.Means{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func send(t *testing.T, c config.Channel, d *notify.Delivery) error {
	t.Helper()
	return sender(t, c).Send(t.Context(), d)
}

func literal(s string) jobs.Secret { return jobs.Secret{Literal: s} }

// closedPort is an address where nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
