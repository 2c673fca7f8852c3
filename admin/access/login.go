package access

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
)

const (
	pathLogin     = "/login"
	pathLogout    = "/logout"
	pathElsewhere = "/login/oidc"
	pathCallback  = "/login/oidc/callback"
	maxForm       = 4 << 10 // bytes of a sign-in
)

// Paths returns the paths that Login answers at.
func Paths() []string { return []string{pathLogin, pathLogout, pathElsewhere, pathCallback} }

// Login returns what answers at Paths, for people who use the page: they are not yet
// known, so nothing may stand before it.
//
//	GET  /login                what ways there are to sign in
//	POST /login                with {"token": "..."} or a form: a cookie for the page
//	POST /logout               forgets it
//	GET  /login/oidc           sends the browser elsewhere to sign in
//	GET  /login/oidc/callback  where it comes back to
func (a *Access) Login() http.Handler {
	routes := map[string]func(http.ResponseWriter, *http.Request) *Refusal{
		"GET " + pathLogin:     a.ways,
		"POST " + pathLogin:    a.signIn,
		"POST " + pathLogout:   a.signOut,
		"GET " + pathElsewhere: a.leave,
		"GET " + pathCallback:  a.comeBack,
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		method := r.Method
		if method == http.MethodHead { // package net/http leaves the body out
			method = http.MethodGet
		}
		act, ok := routes[method+" "+r.URL.Path]
		no := a.misplaced(r)
		switch {
		case a.origin.Check(r) != nil:
			no = crossOrigin()
		case ok:
			no = act(w, r)
		case no.Status == http.StatusMethodNotAllowed:
			w.Header().Set("Allow", allowed(r.URL.Path))
		}
		if no != nil {
			no.write(w, r)
		}
	})
}

func allowed(path string) string {
	switch path {
	case pathLogin:
		return "GET, POST"
	case pathLogout:
		return "POST"
	}
	return "GET"
}

// misplaced is the refusal of what is not served.
func (a *Access) misplaced(r *http.Request) *Refusal {
	for _, p := range Paths() {
		if r.URL.Path == p {
			return &Refusal{Status: http.StatusMethodNotAllowed, Type: "method-not-allowed", Title: "Method not allowed", Detail: "Allowed here: " + allowed(p) + "."}
		}
	}
	return notFound("There is nothing here.")
}

func notFound(detail string) *Refusal {
	return &Refusal{Status: http.StatusNotFound, Type: "not-found", Title: "No such page", Detail: detail}
}

// ways says how one may sign in here.
func (a *Access) ways(w http.ResponseWriter, _ *http.Request) *Refusal {
	answer(w, map[string]bool{"token": a.tokens != nil, "oidc": a.cfg.Elsewhere != nil})
	return nil
}

// signIn gives a cookie for a token.
func (a *Access) signIn(w http.ResponseWriter, r *http.Request) *Refusal {
	if a.tokens == nil {
		return notFound("Nobody signs in with a token here.")
	}
	token, form, no := readToken(w, r)
	if no != nil {
		return no
	}
	e, no := a.try(r, token)
	if no != nil {
		return no
	}
	a.admit(w, r, session{Name: e.name, Via: ViaToken, Token: e.mark()})
	a.cfg.Log.Info("signed in", "name", e.name, "role", e.role.String(), "from", a.Address(r).String())
	if form {
		seeThePage(w)
		return nil
	}
	answer(w, map[string]string{"name": e.name, "role": e.role.String()})
	return nil
}

// seeThePage sends the browser to the page. The address is relative to pathLogin as
// the browser sees it: below whatever base path, and whether or not a proxy takes
// that off, which http.Redirect would not know.
func seeThePage(w http.ResponseWriter) {
	w.Header().Set("Location", "./")
	w.WriteHeader(http.StatusSeeOther)
}

// signOut makes the browser forget the cookie. Whoever has copied it keeps it until it
// ends: it is this place that remembers nothing.
func (a *Access) signOut(w http.ResponseWriter, r *http.Request) *Refusal {
	http.SetCookie(w, gone(r, cookieName))
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// readToken reads the token of a sign-in, and whether it came from a form.
func readToken(w http.ResponseWriter, r *http.Request) (token string, form bool, no *Refusal) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return "", false, &Refusal{Status: http.StatusRequestEntityTooLarge, Type: "body-too-large", Title: "Body too large", Detail: "A sign-in has at most 4 KiB."}
		}
		return "", false, unreadable("The body could not be read.")
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch kind {
	case "application/json":
		var body struct {
			Token string `json:"token"`
		}
		if json.Unmarshal(text, &body) != nil || body.Token == "" {
			return "", false, unreadable(`The body must be {"token": "..."}.`)
		}
		return body.Token, false, nil
	case "application/x-www-form-urlencoded":
		values, err := url.ParseQuery(string(text))
		if err != nil || values.Get("token") == "" {
			return "", true, unreadable("The form has no field token.")
		}
		return values.Get("token"), true, nil
	}
	return "", false, &Refusal{
		Status: http.StatusUnsupportedMediaType, Type: "unsupported-media-type", Title: "Unsupported media type",
		Detail: "A sign-in is application/json or application/x-www-form-urlencoded.",
	}
}

func unreadable(detail string) *Refusal {
	return &Refusal{Status: http.StatusBadRequest, Type: "bad-request", Title: "Bad request", Detail: detail}
}

func answer(w http.ResponseWriter, what any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(what) // who does not listen is gone
}
