package oidc

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/solocron/solocron/admin/access"
)

// Config says which issuer, and as whom it knows us.
type Config struct {
	Issuer       string                 // https, but for an issuer on this machine
	ClientID     string                 //
	ClientSecret func() (string, error) // asked at each sign-in; nil: a public client, which PKCE alone protects
	RedirectURL  string                 // where the issuer sends browsers back to: .../login/oidc/callback
	Scopes       []string               // beside openid; nil: profile and email
	GroupsClaim  string                 // of the ID token; "": groups
	Roles        map[string]access.Role // of groups
	Client       *http.Client           // nil: one that bears little
	Now          func() time.Time       // nil: time.Now
}

// Login is sign-ins at one issuer. It is safe for use by many goroutines.
type Login struct {
	cfg    Config
	client *http.Client

	mu       sync.Mutex
	provider *oidc.Provider // nil: the issuer has not said yet what it is
}

// New returns sign-ins for c. It asks the issuer nothing.
func New(c Config) (*Login, error) {
	for _, u := range []struct{ what, text string }{{"issuer", c.Issuer}, {"redirectURL", c.RedirectURL}} {
		if err := safe(u.text); err != nil {
			return nil, fmt.Errorf("oidc: %s: %w", u.what, err)
		}
	}
	if c.ClientID == "" {
		return nil, errors.New("oidc: clientID: is empty")
	}
	if c.Scopes == nil {
		c.Scopes = []string{"profile", "email"}
	}
	if c.GroupsClaim == "" {
		c.GroupsClaim = "groups"
	}
	if c.Client == nil {
		c.Client = &http.Client{Timeout: 10 * time.Second}
	}
	return &Login{cfg: c, client: bounded(c.Client)}, nil
}

// attempt is what must be known when a browser comes back.
type attempt struct {
	State    string `json:"s"`
	Nonce    string `json:"n"`
	Verifier string `json:"v"` // of PKCE
}

// Begin returns the address at the issuer, with a fresh state, nonce and challenge.
func (l *Login) Begin(ctx context.Context) (to string, pending []byte, err error) {
	p, err := l.discover(ctx)
	if err != nil {
		return "", nil, err
	}
	a := attempt{State: random(), Nonce: random(), Verifier: oauth2.GenerateVerifier()}
	if pending, err = json.Marshal(a); err != nil {
		return "", nil, fmt.Errorf("oidc: %w", err)
	}
	return l.party(p, "").AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), pending, nil
}

// Finish exchanges the code that the browser came back with for an ID token, and
// returns whom that is about.
func (l *Login) Finish(ctx context.Context, pending []byte, query url.Values) (name string, role access.Role, err error) {
	var a attempt
	if err := json.Unmarshal(pending, &a); err != nil {
		return "", access.None, fmt.Errorf("oidc: %w", err)
	}
	if !equal(query.Get("state"), a.State) {
		return "", access.None, errors.New("oidc: the state is not that of the sign-in which this browser began")
	}
	if code := query.Get("error"); code != "" {
		return "", access.None, fmt.Errorf("oidc: the issuer says %.80q", code)
	}
	token, err := l.exchange(ctx, query.Get("code"), a.Verifier)
	if err != nil {
		return "", access.None, err
	}
	if !equal(token.Nonce, a.Nonce) {
		return "", access.None, errors.New("oidc: the ID token is not for the sign-in which this browser began")
	}
	return l.person(token)
}

// exchange gets the ID token for a code, and verifies it.
func (l *Login) exchange(ctx context.Context, code, verifier string) (*oidc.IDToken, error) {
	p, err := l.discover(ctx)
	if err != nil {
		return nil, err
	}
	secret, err := l.secret()
	if err != nil {
		return nil, fmt.Errorf("oidc: clientSecret: %w", err)
	}
	tokens, err := l.party(p, secret).Exchange(oidc.ClientContext(ctx, l.client), code, oauth2.VerifierOption(verifier))
	if err != nil {
		return nil, fmt.Errorf("oidc: code not exchanged: %w", bare(err))
	}
	raw, ok := tokens.Extra("id_token").(string)
	if !ok {
		return nil, errors.New("oidc: the issuer gave no ID token")
	}
	id, err := p.VerifierContext(oidc.ClientContext(ctx, l.client), &oidc.Config{ClientID: l.cfg.ClientID, Now: l.cfg.Now}).Verify(ctx, raw)
	if err != nil {
		return nil, fmt.Errorf("oidc: ID token: %w", err)
	}
	return id, nil
}

// person reads whom a token is about. An address of mail is a name only if the issuer
// has verified it: people may write there whom they want to be.
func (l *Login) person(token *oidc.IDToken) (name string, role access.Role, err error) {
	var who struct {
		Email    string `json:"email"`
		Verified bool   `json:"email_verified"`
	}
	var all map[string]json.RawMessage
	if err := errors.Join(token.Claims(&who), token.Claims(&all)); err != nil {
		return "", access.None, errors.New("oidc: the claims of the ID token cannot be read")
	}
	name = token.Subject
	if who.Verified && who.Email != "" {
		name = who.Email
	}
	return name, access.Highest(groups(all[l.cfg.GroupsClaim]), l.cfg.Roles), nil
}

// groups reads a claim that is a list of texts, or one text.
func groups(claim json.RawMessage) []string {
	var list []string
	if json.Unmarshal(claim, &list) == nil {
		return list
	}
	var one string
	if json.Unmarshal(claim, &one) == nil {
		return []string{one}
	}
	return nil
}

// secret is ours, as it is now.
func (l *Login) secret() (string, error) {
	if l.cfg.ClientSecret == nil {
		return "", nil
	}
	return l.cfg.ClientSecret()
}

// random is a text of 256 random bits.
func random() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails
	return base64.RawURLEncoding.EncodeToString(raw)
}

// equal compares with something that must be there.
func equal(got, want string) bool {
	return want != "" && subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1
}
