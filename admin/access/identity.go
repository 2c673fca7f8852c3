package access

import "context"

// Identity is who asks, as far as it is known.
type Identity struct {
	Name string // for the audit
	Role Role
	Via  string // how they said who they are: one of the words below
}

// The ways in which somebody says who they are.
const (
	ViaToken    = "token"
	ViaCookie   = "cookie" // a sign-in with a token
	ViaProxy    = "proxy"
	ViaMTLS     = "mtls"
	ViaOIDC     = "oidc"
	ViaLoopback = "loopback" // not at all: they are on this machine
	ViaNothing  = "nothing"  // not at all, and that was asked for
)

type identityKey struct{}

// With returns ctx with who asks in it.
func With(ctx context.Context, id Identity) context.Context {
	return context.WithValue(ctx, identityKey{}, id)
}

// From returns who asks: what With put into ctx, else nobody, with the role None.
func From(ctx context.Context) Identity {
	id, _ := ctx.Value(identityKey{}).(Identity)
	return id
}

// maxName is how many bytes the name of somebody may have.
const maxName = 200

// fit reports whether s can be somebody's name: it goes into logs and onto terminals.
func fit(s string) bool {
	if s == "" || len(s) > maxName {
		return false
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return s[0] != ' ' && s[len(s)-1] != ' '
}
