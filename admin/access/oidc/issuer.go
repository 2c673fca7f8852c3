package oidc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// maxAnswer is how many bytes of an answer of the issuer are read.
const maxAnswer = 1 << 20

// discover returns what the issuer said of itself, asking it the first time.
func (l *Login) discover(ctx context.Context) (*oidc.Provider, error) {
	l.mu.Lock()
	p := l.provider
	l.mu.Unlock()
	if p != nil {
		return p, nil
	}
	p, err := oidc.NewProvider(oidc.ClientContext(ctx, l.client), l.cfg.Issuer)
	if err != nil {
		return nil, fmt.Errorf("oidc: issuer: %.300s", err.Error()) // it may have answered with a whole page
	}
	for _, u := range []string{p.Endpoint().AuthURL, p.Endpoint().TokenURL} {
		if at, err := url.Parse(u); err != nil || !encrypted(at) {
			return nil, fmt.Errorf("oidc: issuer: names %.100q as an address of its own, which is not https", u)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.provider = p // whoever asked at the same time was told the same
	return p, nil
}

// party is us in the flow, with our secret.
func (l *Login) party(p *oidc.Provider, secret string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: l.cfg.ClientID, ClientSecret: secret, Endpoint: p.Endpoint(), RedirectURL: l.cfg.RedirectURL,
		Scopes: append([]string{oidc.ScopeOpenID}, l.cfg.Scopes...),
	}
}

// bare is err without what the issuer answered: that may hold what we sent.
func bare(err error) error {
	if answered, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		status := 0
		if answered.Response != nil {
			status = answered.Response.StatusCode
		}
		return fmt.Errorf("the issuer answered %d %.80q", status, answered.ErrorCode)
	}
	return err
}

// safe returns why u may not carry secrets.
func safe(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "":
		return errors.New("is not a URL such as https://id.example.org")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("must be without user, query and fragment")
	case !encrypted(u):
		return errors.New("must be https: only on this machine may it be http")
	}
	return nil
}

func encrypted(u *url.URL) bool {
	return u.Host != "" && (u.Scheme == "https" || u.Scheme == "http" && local(u.Hostname()))
}

func local(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// bounded is c with bounds on what it reads.
func bounded(c *http.Client) *http.Client {
	own := *c
	next := c.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	own.Transport = short{next}
	own.CheckRedirect = func(*http.Request, []*http.Request) error {
		return errors.New("the issuer sends us elsewhere, which it should not")
	}
	return &own
}

// short is a transport whose answers end.
type short struct{ next http.RoundTripper }

// RoundTrip does what the next one does, with a bounded body.
func (s short) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := s.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(res.Body, maxAnswer), res.Body}
	return res, nil
}
