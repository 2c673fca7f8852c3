package admin

import (
	"net"
	"net/http"
	"net/netip"
	"path"
	"strings"
)

// protect lets only those requests through to next that a person or program on
// this machine can have meant: addressed to a loopback name, so that a page
// whose name was rebound to 127.0.0.1 reads nothing, not sent by another
// site's page when they change something, and with a body of bounded size.
func (a *API) protect(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
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
		case !canonical(r.URL.EscapedPath()): // ServeMux would redirect, which no client of an API wants
			a.fail(w, r, noSuchRoute(r.URL.EscapedPath()))
		default:
			next.ServeHTTP(w, r)
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
