package admin

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/solocron/solocron/admin/access"
)

// caller is where a request came from, and what its handler may need of it.
type caller struct {
	id   string // of the request
	from string // address
	path string
	wire *http.ResponseController
}

type callerKey struct{}

// callerOf is the caller of the request whose context ctx is.
func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

// named puts the caller of r into its context.
func (a *API) named(w http.ResponseWriter, r *http.Request) *http.Request {
	c := caller{id: requestID(r), from: sender(r), path: r.URL.EscapedPath(), wire: http.NewResponseController(w)}
	w.Header().Set(requestHeader, c.id)
	if a.Access != nil {
		if addr := a.Access.Address(r); addr.IsValid() { // what a trusted proxy says
			c.from = addr.String()
		}
	}
	return r.WithContext(context.WithValue(r.Context(), callerKey{}, c))
}

// sender is the address that r came from.
func sender(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

// anybody is who asks where nobody has to say who they are.
func anybody() access.Identity {
	return access.Identity{Name: "api", Role: access.Admin, Via: access.ViaLoopback}
}

// requester is the name of whoever asks.
func requester(ctx context.Context) string { return access.From(ctx).Name }

// mayEnter returns why the caller may not do what r is for; nil if they may.
func (a *API) mayEnter(ctx context.Context, r route) error {
	switch {
	case access.From(ctx).Role < r.role:
		return forbidden(r, access.From(ctx).Role)
	case r.changes() && a.leaving():
		return stopping()
	}
	return nil
}

func forbidden(r route, has access.Role) *problemError {
	return &problemError{
		Type: "forbidden", Title: "Not allowed", Status: http.StatusForbidden,
		Detail: "This needs the role " + r.role.String() + "; yours is " + has.String() + ".",
		More:   map[string]any{"needs": r.role.String(), "has": has.String()},
	}
}

func stopping() *problemError {
	return unavailable("draining", "Replica is shutting down", "This replica takes no new work; another one will.", time.Second)
}

// received lifts the bound on the time in which a request is to arrive: when it passes
// the context of the request ends, although all is there.
func received(ctx context.Context) {
	if wire := callerOf(ctx).wire; wire != nil {
		_ = wire.SetReadDeadline(time.Time{}) // what cannot be moved holds as it is
	}
}

// patient moves the time-out of the server, which is for answers that are short, for
// one that takes so long.
func patient(ctx context.Context, d time.Duration) {
	if wire := callerOf(ctx).wire; wire != nil {
		_ = wire.SetWriteDeadline(time.Now().Add(d + writeLimit))
	}
}
