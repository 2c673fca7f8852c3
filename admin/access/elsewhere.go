package access

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

const (
	maxAsking   = 8                // sign-ins elsewhere at once: each may wait for an issuer
	askingFor   = 15 * time.Second // what an issuer gets to answer
	pendingName = "solocron-login"
	forPending  = "pending"
	pendingFor  = 10 * time.Minute // until somebody has typed their password
	maxPending  = 2048             // bytes
	maxQuery    = 8 << 10          // bytes
	// The page is two levels up from pathCallback, below whatever base path.
	landingPage  = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=../../"><title>Signed in</title><a href="../../">Signed in: go on</a>`
	landingRules = "default-src 'none'; frame-ancestors 'none'"
)

// Elsewhere is where people sign in who have no token of ours; package oidc is one.
type Elsewhere interface {
	// Begin returns where to send a browser, and what Finish must be handed when it
	// comes back. The browser keeps that meanwhile and could read it.
	Begin(ctx context.Context) (to string, pending []byte, err error)
	// Finish returns who has signed in, with the query that the browser came back
	// with. The error holds nothing secret.
	Finish(ctx context.Context, pending []byte, query url.Values) (name string, role Role, err error)
}

// pending is what the cookie of a sign-in holds that is under way.
type pending struct {
	Data  []byte `json:"d"`
	Until int64  `json:"x"` // Unix seconds
}

// leave sends a browser elsewhere.
func (a *Access) leave(w http.ResponseWriter, r *http.Request) *Refusal {
	return a.ask(r, func(ctx context.Context) *Refusal {
		to, data, err := a.cfg.Elsewhere.Begin(ctx)
		if err != nil || len(data) > maxPending {
			a.cfg.Log.Error("sign-in elsewhere not begun", "err", err, "pending", len(data))
			return silent()
		}
		text, err := json.Marshal(pending{data, a.now().Add(pendingFor).Unix()})
		if err != nil {
			return silent() // cannot be: they are bytes and a number
		}
		c := cookie(r, pendingName, a.seals.seal(forPending, text), pendingFor)
		c.SameSite = http.SameSiteLaxMode // it must come along when the other place sends the browser back
		http.SetCookie(w, c)
		http.Redirect(w, r, to, http.StatusFound)
		return nil
	})
}

// comeBack signs in whoever comes back from elsewhere.
func (a *Access) comeBack(w http.ResponseWriter, r *http.Request) *Refusal {
	return a.ask(r, func(ctx context.Context) *Refusal {
		data, ok := a.begun(r)
		if !ok || len(r.URL.RawQuery) > maxQuery {
			return failed("No sign-in was begun by this browser within the last 10 minutes: begin at " + pathElsewhere + ".")
		}
		http.SetCookie(w, gone(r, pendingName)) // it is good for one attempt
		name, role, err := a.cfg.Elsewhere.Finish(ctx, data, r.URL.Query())
		if err != nil || !fit(name) {
			a.cfg.Log.Warn("sign-in elsewhere not taken", "from", a.Address(r).String(), "err", err)
			return failed("What the other place says of you was not taken; the log of this replica says why.")
		}
		if role == None {
			a.cfg.Log.Warn("signed in elsewhere without a role here", "name", name, "from", a.Address(r).String())
			return &Refusal{Status: http.StatusForbidden, Type: "no-role", Title: "No role", Detail: "You are known as " + name + ", but none of your groups has a role here."}
		}
		a.admit(w, r, session{Name: name, Via: ViaOIDC, Role: role.String()})
		a.cfg.Log.Info("signed in", "name", name, "role", role.String(), "via", ViaOIDC, "from", a.Address(r).String())
		land(w)
		return nil
	})
}

// land goes on by a page and not by a redirect: to a redirect that began on another
// site, browsers do not send a strict cookie.
func land(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", landingRules)
	w.Header().Set("Referrer-Policy", "no-referrer")
	_, _ = w.Write([]byte(landingPage)) // who does not listen is gone
}

// begun returns what was kept when whoever sent r left for elsewhere.
func (a *Access) begun(r *http.Request) ([]byte, bool) {
	all := r.CookiesNamed(nameOf(r, pendingName))
	for _, c := range all[:min(len(all), maxCookies)] {
		text, ok := a.seals.open(forPending, c.Value)
		var p pending
		if ok && json.Unmarshal(text, &p) == nil && a.now().Unix() < p.Until {
			return p.Data, true
		}
	}
	return nil, false
}

// ask does what may take as long as another place takes, unless too many already do.
func (a *Access) ask(r *http.Request, do func(context.Context) *Refusal) *Refusal {
	if a.cfg.Elsewhere == nil {
		return notFound("Nobody signs in elsewhere here.")
	}
	select {
	case a.asking <- struct{}{}:
		defer func() { <-a.asking }()
	default:
		return &Refusal{
			Status: http.StatusTooManyRequests, Type: "too-many-sign-ins", Title: "Too many sign-ins",
			Detail: "Too many people are signing in right now.", Retry: 5 * time.Second,
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), askingFor)
	defer cancel()
	return do(ctx)
}

func failed(detail string) *Refusal {
	r := unauthenticated(detail)
	r.Type, r.Title = "sign-in-failed", "Sign-in failed"
	return r
}

func silent() *Refusal {
	return &Refusal{
		Status: http.StatusServiceUnavailable, Type: "issuer-unavailable", Title: "No answer from elsewhere",
		Detail: "The place where people sign in gives no answer that can be used; the log of this replica says why.", Retry: 10 * time.Second,
	}
}
