package access

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// Config is how people and programs say who they are. What is left out is no way in.
type Config struct {
	Tokens       string           // file of bearer tokens; "": there are none
	Keys         [][]byte         // sign cookies: the first does, all are believed; none: one is made up, and a sign-in holds on this replica until it ends
	Proxy        *Proxy           // nil: no header is believed
	Certificates map[string]Role  // of client certificates, by URI or common name
	Elsewhere    Elsewhere        // nil: nobody signs in elsewhere
	Open         bool             // everybody may do everything; excludes all of the above
	Log          *slog.Logger     // nil: slog.Default
	Now          func() time.Time // nil: time.Now
}

// Access tells callers apart. It is safe for use by many goroutines.
type Access struct {
	cfg    Config
	tokens *tokenFile // nil: there are none
	seals  sealer
	limits limiter
	origin *http.CrossOriginProtection
	asking chan struct{} // a place for each sign-in elsewhere that is under way
}

// New returns an Access for what c says. It fails if the file of tokens is not good,
// if a key is too short, or if there is no way in at all.
func New(c Config) (*Access, error) {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("access: %w", err)
	}
	a := &Access{cfg: c, origin: http.NewCrossOriginProtection(), asking: make(chan struct{}, maxAsking)}
	var err error
	if a.seals, err = newSealer(c.Keys); err != nil {
		return nil, fmt.Errorf("access: %w", err)
	}
	if c.Tokens == "" {
		return a, nil
	}
	if a.tokens, err = openTokens(c.Tokens, c.Log, c.Now); err != nil {
		return nil, fmt.Errorf("access: %w", err)
	}
	return a, nil
}

// check returns why c cannot be.
func (c Config) check() error {
	ways := c.Tokens != "" || c.Proxy != nil || len(c.Certificates) > 0 || c.Elsewhere != nil
	switch {
	case c.Open && ways:
		return errors.New("everybody may do everything, and yet there are ways to say who one is: keep one of them")
	case !c.Open && !ways:
		return errors.New("there is no way to say who one is")
	case c.Proxy != nil:
		return c.Proxy.check()
	}
	return nil
}

func (a *Access) now() time.Time { return a.cfg.Now() }

// Identify returns who sent r, or why it is refused. What a trusted proxy says counts
// before what a client sent along, a token before a cookie, and a certificate last.
// Somebody may be known and yet have the role None.
func (a *Access) Identify(r *http.Request) (Identity, *Refusal) {
	if a.cfg.Open {
		return Identity{Name: "anybody", Role: Admin, Via: ViaNothing}, nil
	}
	if id, no := a.cfg.Proxy.identify(r); no != nil || id.Name != "" {
		return id, no
	}
	if token, ok := bearer(r); ok {
		e, no := a.try(r, token)
		return Identity{Name: e.name, Role: e.role, Via: ViaToken}.unless(no)
	}
	id, ok, stale := a.byCookie(r)
	if ok {
		return id, nil
	}
	if id, ok := byCertificate(r, a.cfg.Certificates); ok {
		return id, nil
	}
	if stale {
		return Identity{}, unauthenticated("The sign-in has ended, or is not of this place: sign in again.")
	}
	return Identity{}, unauthenticated(a.advice())
}

// unless is the identity, or nobody with a refusal.
func (id Identity) unless(no *Refusal) (Identity, *Refusal) {
	if no != nil {
		return Identity{}, no
	}
	return id, nil
}

// advice says how one may say who one is.
func (a *Access) advice() string {
	var ways []string
	if a.tokens != nil {
		ways = append(ways, "send Authorization: Bearer TOKEN, or sign in with a token at /login")
	}
	if a.cfg.Elsewhere != nil {
		ways = append(ways, "sign in at "+pathElsewhere)
	}
	if a.cfg.Proxy != nil {
		ways = append(ways, "come through the proxy that signs people in")
	}
	if len(a.cfg.Certificates) > 0 {
		ways = append(ways, "present a client certificate")
	}
	return "Nobody is let in unknown: " + strings.Join(ways, "; or ") + "."
}

// bearer returns the token of r. Other schemes are a proxy's affair.
func bearer(r *http.Request) (string, bool) {
	for _, v := range r.Header.Values("Authorization") {
		if scheme, token, ok := strings.Cut(v, " "); ok && strings.EqualFold(scheme, "Bearer") {
			return strings.TrimSpace(token), true
		}
	}
	return "", false
}

// try returns the entry of a token that came with r, unless its source is locked out
// or now will be.
func (a *Access) try(r *http.Request, token string) (entry, *Refusal) {
	if a.tokens == nil {
		return entry{}, unauthenticated(a.advice())
	}
	source, now := a.source(r), a.now()
	if wait := a.limits.wait(source, now); wait > 0 {
		return entry{}, lockedOut(wait)
	}
	if len(token) <= maxToken {
		if e, ok := find(a.tokens.current(), token); ok {
			return e, nil
		}
	}
	wait, tell := a.limits.note(source, now)
	switch {
	case wait == 0:
		return entry{}, badToken()
	case tell:
		a.cfg.Log.Warn("locked out after bad tokens", "from", source.String(), "for", wait.String())
	}
	return entry{}, lockedOut(wait)
}

// Wrap hands requests to next with the identity of whoever sent them in their context,
// and the others to refuse: 401 if it is not known who that is, 403 if another site's
// page would change something, 429 if too many bad tokens came from there. Next must
// still look whether the role suffices.
func (a *Access) Wrap(next http.Handler, refuse func(http.ResponseWriter, *http.Request, *Refusal)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.origin.Check(r) != nil {
			refuse(w, r, crossOrigin())
			return
		}
		id, no := a.Identify(r)
		if no != nil {
			refuse(w, r, no)
			return
		}
		next.ServeHTTP(w, r.WithContext(With(r.Context(), id)))
	})
}
