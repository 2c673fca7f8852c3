package cli

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
	"strings"
	"time"
)

const (
	// DefaultServer is the replica that is asked if none is named.
	DefaultServer = "http://127.0.0.1:8080"
	// DefaultTimeout is how long one request may take.
	DefaultTimeout = 30 * time.Second

	dialLimit = 5 * time.Second
	maxAnswer = 32 << 20 // bytes of an answer that is not a stream
)

// Options say whom a client asks, and as whom.
type Options struct {
	Server    string                               // http://host:port, https://..., unix:///path; "": of the environment, or the usual one
	TokenFile string                               // "": of the environment, or none
	Papers    Papers                               // for a server at https://
	Timeout   time.Duration                        // of one request; 0: DefaultTimeout
	Env       func(name string) string             // the environment; nil: an empty one
	Agent     string                               // the name of this program for the server; may be empty
	Waiting   func(err error, pause time.Duration) // told before a request is sent once more; nil: nobody is
	Verbose   bool                                 // what a server says is wrong comes with what helps to find it in its log
}

// Client speaks to the API of a replica.
type Client struct {
	base    string
	name    string // of the server, for people
	token   string
	agent   string
	timeout time.Duration
	verbose bool
	waiting func(err error, pause time.Duration)
	http    *http.Client
}

// New returns a client. The error has the code Usage or BadConfig.
func New(o Options) (*Client, error) {
	if o.Env == nil {
		o.Env = func(string) string { return "" }
	}
	c := &Client{timeout: cmp.Or(o.Timeout, DefaultTimeout), agent: o.Agent, waiting: o.Waiting, verbose: o.Verbose}
	if c.timeout < 0 {
		return nil, Exit(Usage, fmt.Errorf("--request-timeout %s is negative", o.Timeout))
	}
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment, // which leaves out loopback
		DialContext:         (&net.Dialer{Timeout: dialLimit}).DialContext,
		TLSHandshakeTimeout: dialLimit,
	}
	if err := c.locate(strings.TrimRight(cmp.Or(o.Server, o.Env("SOLOCRON_SERVER"), DefaultServer), "/"), transport); err != nil {
		return nil, Exit(Usage, err)
	}
	if err := o.secure(transport, strings.HasPrefix(c.base, "https://")); err != nil {
		return nil, err
	}
	var err error
	if c.token, err = readToken(o.TokenFile, o.Env); err != nil {
		return nil, Exit(BadConfig, err)
	}
	// A redirect would carry the token elsewhere; the API has none.
	c.http = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return c, nil
}

// locate reads the address of the server.
func (c *Client) locate(server string, transport *http.Transport) error {
	c.base, c.name = server, server
	if path, ok := strings.CutPrefix(server, "unix://"); ok {
		if path == "" {
			return errors.New("--server unix:// has no path: write unix:///run/scheduler.sock")
		}
		c.base = "http://localhost"
		transport.Proxy = nil
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{Timeout: dialLimit}).DialContext(ctx, "unix", path)
		}
		return nil
	}
	u, err := url.Parse(server)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("--server %q is not an address such as %s or unix:///run/scheduler.sock", Clip(server, 80), DefaultServer)
	}
	if u.User != nil {
		return errors.New("--server holds a user: use --token-file")
	}
	return nil
}

// Server is the address that c asks.
func (c *Client) Server() string { return c.name }

// Path joins the parts of a path of the API, each of which may hold anything.
func Path(parts ...string) string {
	escaped := make([]string, len(parts))
	for i, p := range parts {
		escaped[i] = url.PathEscape(p)
	}
	return "/api/v1/" + strings.Join(escaped, "/")
}

// Query adds what is not empty to a path.
func Query(path string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// Call is one request.
type Call struct {
	Method string // "": GET
	Path   string
	Body   any           // []byte: text that is sent as it is; anything else: as JSON
	Key    string        // idempotency key; may be empty
	Again  bool          // it may be sent twice though it has no key
	Longer time.Duration // that the server was asked to wait, beside the time-out
}

// Get reads what is at path into v.
func (c *Client) Get(ctx context.Context, path string, v any) error {
	return c.Do(ctx, Call{Path: path}, v)
}

// Do sends a request, again if it may be and there is hope, and reads the answer
// into v. What the server says is wrong is a *ProblemError; other errors have a code.
func (c *Client) Do(ctx context.Context, call Call, v any) error {
	call.Method = cmp.Or(call.Method, http.MethodGet)
	sent, plain := call.Body.([]byte)
	if call.Body != nil && !plain {
		var err error
		if sent, err = json.Marshal(call.Body); err != nil {
			return err
		}
	}
	for try := 1; ; try++ {
		err := c.once(ctx, call, sent, v)
		pause, again := call.again(err, try)
		if !again || ctx.Err() != nil {
			return err
		}
		if c.waiting != nil {
			c.waiting(err, pause)
		}
		if sleep(ctx, pause) != nil {
			return err
		}
	}
}

func (c *Client) once(ctx context.Context, call Call, sent []byte, v any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout+call.Longer, fmt.Errorf("no answer within %s", c.timeout+call.Longer))
	defer cancel()
	res, err := c.Send(ctx, call.Method, call.Path, sent, call.Key)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return c.cut(ctx, err)
	case len(text) > maxAnswer:
		return fmt.Errorf("%s: an answer of more than %d bytes", c.name, maxAnswer)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s does not answer as Solocron does: %w", c.name, err)
	}
	return nil
}

// Send sends one request and returns its answer if that is a success, whose body the
// caller closes.
func (c *Client) Send(ctx context.Context, method, path string, body []byte, key string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if len(body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range map[string]string{"Idempotency-Key": key, "User-Agent": c.agent} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	res, err := c.http.Do(r)
	if err != nil {
		return nil, c.cut(ctx, err)
	}
	if res.StatusCode >= 200 && res.StatusCode < 300 {
		return res, nil
	}
	defer res.Body.Close()
	return nil, readProblem(res, c.verbose)
}

// cut is a server that cannot be reached, or was lost.
func (c *Client) cut(ctx context.Context, err error) error {
	if cause, ok := errors.AsType[*url.Error](err); ok {
		err = cause.Err
	}
	if why := context.Cause(ctx); why != nil {
		err = why
	}
	if errors.Is(ctx.Err(), context.Canceled) { // by whoever asked
		return Exit(Interrupted, err)
	}
	return Exit(Unreachable, fmt.Errorf("%s: %w%s", c.name, err, remedy(err)))
}
