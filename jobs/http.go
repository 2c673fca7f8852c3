package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

const (
	// maxRequestBody bounds the rendered body of a request, in bytes.
	maxRequestBody = 1 << 20
	// maxResponseBody is how much of an answer is read, in bytes; what comes
	// after it is cut off by closing the connection.
	maxResponseBody = 1 << 20
	// maxExcerpt is how much of an answer an error quotes, in bytes.
	maxExcerpt = 200
)

// HTTP sends one request and judges the answer by its status. The time limit is
// the job's and covers the whole exchange, the body of the answer included.
//
// In the templates {{.Params.region}} is a parameter of the job, which the
// request carries in the header Solocron-Param-Region as well; in the url it is
// escaped, and cannot change more than the segment of the path or the value of
// the query that it stands in.
type HTTP struct {
	Method       string            `yaml:"method"` // default GET, with a body POST
	URL          string            `yaml:"url"`    // http or https, after its host a template; a password in it is never shown
	Headers      map[string]Secret `yaml:"headers"`
	Body         string            `yaml:"body"`         // a template: {{.Tick.Format "2006-01-02"}}
	ExpectStatus []string          `yaml:"expectStatus"` // like "200" or "200-299", which is the default

	Params []Param `yaml:"-"` // that templates may name; DeclareParams sets it
}

// StatusError is an answer with a status that was not expected.
type StatusError struct {
	Code int    // the HTTP status
	Body string // the beginning of the answer, at most 200 bytes
}

func (e *StatusError) Error() string {
	text := strings.TrimSpace(fmt.Sprintf("status %d %s", e.Code, http.StatusText(e.Code)))
	if e.Body == "" {
		return text
	}
	return text + ": " + e.Body
}

// String names the request without what may be secret in it.
func (h *HTTP) String() string {
	fixed, _, templated := strings.Cut(h.URL, "{{")
	u, err := url.Parse(fixed)
	switch {
	case err != nil:
		return h.method() + " [invalid url]"
	case templated:
		return h.method() + " " + publicURL(u) + "..."
	}
	return h.method() + " " + publicURL(u)
}

// GoString hides the same from %#v.
func (h *HTTP) GoString() string { return h.String() }

// DeclareParams sets the parameters that url and body may name.
func (h *HTTP) DeclareParams(params []Param) error {
	h.Params = params
	return nil
}

// Validate reports everything that is wrong with h.
func (h *HTTP) Validate() error {
	_, err := h.plan()
	return err
}

func (h *HTTP) method() string {
	switch {
	case h.Method != "":
		return strings.ToUpper(h.Method)
	case h.Body != "":
		return http.MethodPost
	}
	return http.MethodGet
}

// Run sends the request. A status that is not expected gives a *StatusError.
// An answer that is complete only after ctx has ended counts as none.
func (h *HTTP) Run(ctx context.Context, run Run) error {
	plan, err := h.plan()
	if err != nil {
		return err
	}
	var hidden redactor
	req, err := h.request(ctx, run, plan, &hidden)
	if err != nil {
		return err
	}
	status, body, err := exchange(req)
	if err == nil && !plan.expect.has(status) {
		const enough = 4 << 10 // before masking, which may shorten it
		text := redact(hidden.replacer(), cut(string(body), enough))
		err = &StatusError{Code: status, Body: oneLine(text, maxExcerpt)}
	}
	if err = stopped(ctx, err); err != nil {
		return fmt.Errorf("%s: %w", h, err)
	}
	return nil
}

// exchange sends req and reads the answer, as far as it is read.
func exchange(req *http.Request) (status int, body []byte, err error) {
	client, shut := newClient(req)
	defer shut()
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, withoutURL(err)
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(io.LimitReader(resp.Body, maxResponseBody))
	if err != nil {
		return 0, nil, fmt.Errorf("status %d, then the body: %w", resp.StatusCode, err)
	}
	return resp.StatusCode, body, nil
}

// withoutURL takes the address, which may hold secrets, out of a client's error.
func withoutURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

// publicURL is u without user, password, query and fragment.
func publicURL(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}
