package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	maxRedirects     = 5
	dialTimeout      = 10 * time.Second
	handshakeTimeout = 10 * time.Second
	maxHeaderBytes   = 64 << 10
)

// request builds the request of a run. The job's headers are read now and are
// stronger than ours, save the run's identity.
func (h *HTTP) request(ctx context.Context, run Run, plan httpPlan, hidden *redactor) (*http.Request, error) {
	body, err := plan.body.render(run)
	if err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	address, err := plan.address.render(run)
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, h.method(), address, reader)
	if err != nil {
		return nil, errors.New("url: cannot make a request of it")
	}
	req.Header.Set("User-Agent", "solocron")
	if body != "" {
		req.Header.Set("Content-Type", contentType(body))
	}
	for name, value := range run.headers() {
		req.Header.Set(name, value)
	}
	return req, h.setHeaders(req, hidden)
}

func (h *HTTP) setHeaders(req *http.Request, hidden *redactor) error {
	for _, name := range slices.Sorted(maps.Keys(h.Headers)) {
		secret := h.Headers[name]
		value, err := secret.Value()
		if err != nil {
			return fmt.Errorf("header %s: %w", name, err)
		}
		if strings.ContainsAny(value, "\r\n\x00") {
			return fmt.Errorf("header %s: the value holds a line end or NUL", name)
		}
		hidden.add(secret, value)
		if strings.EqualFold(name, "Host") {
			req.Host = value
			continue
		}
		req.Header.Set(name, value)
	}
	return nil
}

func contentType(body string) string {
	if json.Valid([]byte(body)) {
		return "application/json"
	}
	return "text/plain; charset=utf-8"
}

// newClient makes a client for one exchange that begins with first, and a
// function that frees what it holds. Jobs run too seldom to keep connections.
func newClient(first *http.Request) (client *http.Client, shut func()) {
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSHandshakeTimeout:    handshakeTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableKeepAlives:      true,
		ForceAttemptHTTP2:      true,
	}
	client = &http.Client{Transport: transport, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		return checkRedirect(first, req, len(via))
	}}
	return client, transport.CloseIdleConnections
}

// checkRedirect decides on following a redirect from first to next. The job's
// headers were meant for the host in its URL: another host does not get them.
func checkRedirect(first, next *http.Request, hops int) error {
	switch {
	case hops > maxRedirects:
		return fmt.Errorf("more than %d redirects", maxRedirects)
	case next.URL.Scheme != "http" && next.URL.Scheme != "https":
		return errors.New("redirect to something that is not http or https")
	case first.URL.Scheme == "https" && next.URL.Scheme == "http":
		return errors.New("redirect from https to http")
	}
	next.Header.Del("Referer")
	if next.URL.Host != first.URL.Host {
		for name := range next.Header {
			if !keptAcrossHosts(name) {
				next.Header.Del(name)
			}
		}
	}
	return nil
}

func keptAcrossHosts(name string) bool {
	identity := strings.HasPrefix(name, "Solocron-") && !strings.HasPrefix(name, paramHeader)
	return identity || name == "User-Agent" || name == "Content-Type"
}
