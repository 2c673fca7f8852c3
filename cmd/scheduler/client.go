package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

const (
	defaultServer = "http://127.0.0.1:8080"
	serverVar     = "SOLOCRON_SERVER" // in the environment
	callLimit     = 30 * time.Second  // for a whole answer that is not a stream
	headerLimit   = 20 * time.Second  // until an answer begins
	maxAnswer     = 32 << 20          // bytes of an answer that is not a stream
)

// client speaks to the API of a replica.
type client struct {
	base string
	http *http.Client
}

// newClient returns a client of the server, or of the one that the environment
// names, or of the usual one.
func newClient(server string) (*client, error) {
	base := strings.TrimRight(cmp.Or(server, os.Getenv(serverVar), defaultServer), "/")
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, usagef("--server %q is not an address such as %s", clip(base), defaultServer)
	}
	return &client{base: base, http: &http.Client{
		Transport: &http.Transport{ // no proxy: the server answers to names of its own machine only
			DialContext:           (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			ResponseHeaderTimeout: headerLimit,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// path joins the parts of a path, each of which may hold anything.
func path(parts ...string) string {
	escaped := make([]string, len(parts))
	for i, p := range parts {
		escaped[i] = url.PathEscape(p)
	}
	return "/api/v1/" + strings.Join(escaped, "/")
}

// get reads what is at path into v.
func (c *client) get(ctx context.Context, path string, v any) error {
	return c.call(ctx, http.MethodGet, path, nil, "", v)
}

// post sends body to path, with an idempotency key if there is one, and reads the
// answer into v.
func (c *client) post(ctx context.Context, path string, body any, key string, v any) error {
	return c.call(ctx, http.MethodPost, path, body, key, v)
}

func (c *client) call(ctx context.Context, method, path string, body any, key string, v any) error {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	var sent []byte
	if body != nil {
		var err error
		if sent, err = json.Marshal(body); err != nil {
			return err
		}
	}
	res, err := c.send(ctx, method, path, sent, key)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", c.base, err)
	case len(text) > maxAnswer:
		return fmt.Errorf("%s: an answer of more than %d bytes", c.base, maxAnswer)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s does not answer as Solocron does: %w", c.base, err)
	}
	return nil
}

// send sends one request and returns its answer if that is a success; otherwise the
// error is a *problem where the server said what is wrong.
func (c *client) send(ctx context.Context, method, path string, body []byte, key string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if len(body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	res, err := c.http.Do(r)
	if err != nil {
		if cause, ok := errors.AsType[*url.Error](err); ok {
			err = cause.Err
		}
		return nil, fmt.Errorf("%s: %w; is it the address of a replica? See --server", c.base, err)
	}
	if res.StatusCode >= 200 && res.StatusCode < 300 {
		return res, nil
	}
	defer res.Body.Close()
	return nil, readProblem(res)
}
