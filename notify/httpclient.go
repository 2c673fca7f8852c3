package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

const (
	httpTimeout   = 10 * time.Second // a whole exchange
	dialTimeout   = 5 * time.Second
	maxRedirects  = 3
	maxAnswer     = 4 << 10 // bytes of an answer that are read
	maxAnswerHead = 64 << 10
	maxExcerpt    = 200 // bytes of an answer in an error
	maxBusy       = time.Hour
	hiddenFrom    = 6 // bytes from which a secret is looked for in an answer
)

// Dial makes connections; net.Dialer's DialContext is one.
type Dial func(ctx context.Context, network, addr string) (net.Conn, error)

// poster sends HTTP requests to receivers.
type poster struct{ client *http.Client }

// newPoster makes a poster that connects with dial, or as usual if that is nil. It
// keeps no connections: messages are rare.
func newPoster(dial Dial) *poster {
	if dial == nil {
		dial = (&net.Dialer{Timeout: dialTimeout}).DialContext
	}
	return &poster{&http.Client{
		Timeout: httpTimeout,
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dial, TLSHandshakeTimeout: dialTimeout,
			MaxResponseHeaderBytes: maxAnswerHead, DisableKeepAlives: true, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(next *http.Request, via []*http.Request) error { return checkRedirect(via[0], next, len(via)) },
	}}
}

var errElsewhere = errors.New("the receiver redirects to another place, which is not followed")

// checkRedirect follows a receiver only within its host, and only with the same
// request: a message and its signature are for nobody else.
func checkRedirect(first, next *http.Request, hops int) error {
	switch {
	case hops > maxRedirects:
		return fmt.Errorf("more than %d redirects", maxRedirects)
	case next.URL.Host != first.URL.Host, next.URL.Scheme != first.URL.Scheme, next.Method != first.Method:
		return errElsewhere
	}
	next.Header.Del("Referer")
	return nil
}

// post is a request that is to be sent.
type post struct {
	address jobs.Secret
	suffix  string // of the path
	query   url.Values
	header  http.Header
	secrets map[string]jobs.Secret // headers, stronger than header
	body    []byte
}

// send sends p. No error holds the address or another secret.
func (c *poster) send(ctx context.Context, p *post) error {
	mask, req, err := p.request(ctx)
	if err != nil {
		return err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		if wrapped, ok := errors.AsType[*url.Error](err); ok {
			err = wrapped.Err // without the address
		}
		return fmt.Errorf("%s: %w", req.URL.Hostname(), err)
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer)) // the status counts
	return judge(resp, mask.Replace(string(answer)))
}

// request makes the request, and what hides secrets that an answer repeats.
func (p *post) request(ctx context.Context) (*strings.Replacer, *http.Request, error) {
	address, err := p.address.Value()
	if err != nil {
		return nil, nil, fmt.Errorf("url: %w", err)
	}
	if err := config.BadNotifyURL(address); err != nil {
		return nil, nil, fmt.Errorf("url %w", err)
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, nil, errors.New("url cannot be read") // the error would repeat it
	}
	if p.suffix != "" {
		u = u.JoinPath(p.suffix)
	}
	if len(p.query) > 0 {
		query := u.Query()
		maps.Copy(query, p.query)
		u.RawQuery = query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(p.body))
	if err != nil {
		return nil, nil, errors.New("url makes no request")
	}
	maps.Copy(req.Header, p.header)
	req.Header.Set("User-Agent", "solocron")
	hidden := append([]string{address, "[url]"}, parts(address)...)
	for name, secret := range p.secrets {
		value, err := secret.Value()
		if err != nil {
			return nil, nil, fmt.Errorf("header %s: %w", name, err)
		}
		if strings.ContainsAny(value, "\r\n\x00") {
			return nil, nil, fmt.Errorf("header %s: the value holds a line end", name)
		}
		req.Header.Set(name, value)
		if len(value) >= hiddenFrom {
			hidden = append(hidden, value, "["+name+"]")
		}
	}
	return strings.NewReplacer(hidden...), req, nil
}

// parts is what an answer may repeat of an address, each with what stands for it:
// servers write the path of a request on their pages about errors.
func parts(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	var all []string
	for word := range strings.FieldsFuncSeq(u.Path+" "+u.EscapedPath()+" "+u.RawQuery, func(r rune) bool { return strings.ContainsRune("/&= ", r) }) {
		if len(word) >= hiddenFrom {
			all = append(all, word, "[url]")
		}
	}
	return all
}

// judge says what an answer means.
func judge(resp *http.Response, body string) error {
	const hundred, success = 100, 2
	if resp.StatusCode/hundred == success {
		return nil
	}
	text := strings.TrimSpace(fmt.Sprintf("status %d %s", resp.StatusCode, http.StatusText(resp.StatusCode)))
	if line := strings.Join(strings.Fields(short(body, maxExcerpt)), " "); line != "" {
		text += ": " + line
	}
	err := errors.New(text)
	switch resp.StatusCode {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusGone:
		return &RefusedError{err}
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		seconds, bad := strconv.Atoi(resp.Header.Get("Retry-After"))
		if bad == nil && seconds > 0 {
			return &BusyError{err, min(time.Duration(min(seconds, int(maxBusy/time.Second)))*time.Second, maxBusy)}
		}
	}
	return err
}
