package admin

import (
	"net"
	"net/http"
	"net/netip"
	"path"
	"strings"

	"github.com/solocron/solocron/admin/access"
)

// front is the way of a request on the listener of the API: nothing is done for whom
// it is not known that they may ask.
func (a *API) front() http.Handler {
	known, doors := a.whoever(a.book.mux), http.NotFoundHandler()
	if a.Access != nil {
		known, doors = a.Access.Wrap(a.book.mux, a.turnAway), a.Access.Login()
	}
	screens := http.Handler(a.screens) // nobody needs a right for them: they say nothing of this cluster
	if a.Access == nil {
		screens = a.whoever(a.screens)
	}
	return a.safe(a.screens.Based(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !canonical(r.URL.EscapedPath()): // ServeMux would redirect, which no client of an API wants
			a.fail(w, r, noSuchRoute(r.URL.EscapedPath()))
		case a.screens.Serves(r.URL.Path):
			if r.Method != http.MethodGet && r.Method != http.MethodHead {
				a.fail(w, r, methodNotAllowed("GET, HEAD"))
				return
			}
			screens.ServeHTTP(w, r)
		case a.Access != nil && a.book.open[r.URL.Path]:
			a.book.mux.ServeHTTP(w, r)
		case a.Access != nil && elsewhere(r.URL.Path):
			doors.ServeHTTP(w, r)
		default:
			known.ServeHTTP(w, r)
		}
	})))
}

// whoever lets only those requests through to next that a person or program on
// this machine can have meant: addressed to a loopback name, so that a page
// whose name was rebound to 127.0.0.1 reads nothing, and not sent by another
// site's page when they change something. They may do everything.
func (a *API) whoever(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !loopback(r.Host):
			a.fail(w, r, &problemError{
				Type: "host-not-allowed", Title: "Host not allowed", Status: http.StatusForbidden,
				Detail: "There is no authentication, so this listener answers only to localhost and loopback addresses.",
			})
		case origin.Check(r) != nil:
			a.fail(w, r, &problemError{
				Type: "cross-origin", Title: "Cross-origin request", Status: http.StatusForbidden,
				Detail: "A page of another site may not change anything here.",
			})
		default:
			next.ServeHTTP(w, r.WithContext(access.With(r.Context(), anybody())))
		}
	})
}

// loopback reports whether host, with or without a port, names this machine.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// canonical reports whether p has no empty, "." or ".." segments.
func canonical(p string) bool {
	if p == "/" {
		return true
	}
	return strings.HasPrefix(p, "/") && path.Clean(p) == strings.TrimSuffix(p, "/")
}
