package access

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

const (
	cookieName = "solocron"
	hostPrefix = "__Host-" // browsers take such a cookie only from this very host, over TLS
	forSession = "session"
	sessionFor = 12 * time.Hour // a sign-in: a shift
	maxCookies = 4              // of one name that are looked at
)

// session is what the cookie of somebody who signed in holds.
type session struct {
	Name  string `json:"n"`
	Via   string `json:"v"`
	Role  string `json:"r,omitempty"` // of a sign-in elsewhere
	Token string `json:"t,omitempty"` // mark of the token they signed in with
	Until int64  `json:"x"`           // Unix seconds
}

// secure reports whether r came over TLS, to here or to a proxy. Whoever claims that
// it did though it did not only loses a cookie.
func secure(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

// nameOf is the name of a cookie for r.
func nameOf(r *http.Request, name string) string {
	if secure(r) {
		return hostPrefix + name
	}
	return name
}

// cookie is one that only this host gets to see again.
func cookie(r *http.Request, name, value string, life time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: nameOf(r, name), Value: value, Path: "/", MaxAge: int(life / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: secure(r),
	}
}

// gone makes the browser forget a cookie.
func gone(r *http.Request, name string) *http.Cookie {
	c := cookie(r, name, "", 0)
	c.MaxAge = -1
	return c
}

// admit signs whoever sent r in.
func (a *Access) admit(w http.ResponseWriter, r *http.Request, s session) {
	s.Until = a.now().Add(sessionFor).Unix()
	text, err := json.Marshal(s)
	if err != nil {
		return // cannot be: they are texts and a number
	}
	http.SetCookie(w, cookie(r, cookieName, a.seals.seal(forSession, text), sessionFor))
}

// byCookie returns who signed in with what sent r. Stale: there was a cookie, and it
// is not good, or no longer.
func (a *Access) byCookie(r *http.Request) (id Identity, ok, stale bool) {
	all := r.CookiesNamed(nameOf(r, cookieName))
	for _, c := range all[:min(len(all), maxCookies)] {
		if id, ok := a.unseal(c.Value); ok {
			return id, true, false
		}
	}
	return Identity{}, false, len(all) > 0
}

// unseal returns who the cookie belongs to. With a token that was taken out of the
// file, or whose role was changed there, what it may do ends, or changes, at once.
func (a *Access) unseal(value string) (Identity, bool) {
	text, ok := a.seals.open(forSession, value)
	var s session
	if !ok || json.Unmarshal(text, &s) != nil || a.now().Unix() >= s.Until {
		return Identity{}, false
	}
	if s.Via == ViaOIDC && a.cfg.Elsewhere != nil {
		role, err := ParseRole(s.Role)
		return Identity{Name: s.Name, Role: role, Via: ViaOIDC}, err == nil
	}
	if s.Via != ViaToken || a.tokens == nil {
		return Identity{}, false
	}
	for _, e := range a.tokens.current() {
		if e.name == s.Name && e.mark() == s.Token {
			return Identity{Name: e.name, Role: e.role, Via: ViaCookie}, true
		}
	}
	return Identity{}, false
}
