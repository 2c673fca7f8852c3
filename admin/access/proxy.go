package access

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

// Proxy is a reverse proxy that says in headers who asks. Only those connected
// directly from CIDRs are believed.
type Proxy struct {
	Header     string          // that holds the name
	RoleHeader string          // that holds roles, or groups, with commas; "": everybody has Role
	Role       Role            // without RoleHeader
	Roles      map[string]Role // of groups; empty: the header holds roles
	CIDRs      []netip.Prefix
}

// check returns why p cannot be.
func (p *Proxy) check() error {
	switch {
	case p.Header == "":
		return errors.New("proxy: there is no header that holds the name")
	case len(p.CIDRs) == 0:
		return errors.New("proxy: there is no address of a proxy that may be believed")
	}
	return nil
}

// speaks reports whether r comes from such a proxy.
func (p *Proxy) speaks(r *http.Request) bool {
	return p != nil && p.trusts(peer(r))
}

func (p *Proxy) trusts(a netip.Addr) bool {
	for _, c := range p.CIDRs {
		if c.Contains(a) {
			return true
		}
	}
	return false
}

// identify returns who r says it is from; no identity and no refusal if the proxy
// names nobody, or is none.
func (p *Proxy) identify(r *http.Request) (Identity, *Refusal) {
	if !p.speaks(r) {
		return Identity{}, nil
	}
	names := r.Header.Values(p.Header)
	switch {
	case len(names) == 0, len(names) == 1 && names[0] == "":
		return Identity{}, nil
	case len(names) > 1: // one of them may be the client's
		return Identity{}, unauthenticated(fmt.Sprintf("The header %s comes more than once: the proxy must replace what a client sends.", p.Header))
	case !fit(names[0]):
		return Identity{}, unauthenticated(fmt.Sprintf("The header %s holds no name: 1 to %d printable characters of ASCII.", p.Header, maxName))
	}
	return Identity{Name: names[0], Role: p.role(r), Via: ViaProxy}, nil
}

// role is the most that the proxy says of whoever sent r.
func (p *Proxy) role(r *http.Request) Role {
	if p.RoleHeader == "" {
		return p.Role
	}
	values := r.Header.Values(p.RoleHeader)
	if len(values) != 1 {
		return None
	}
	groups := strings.Split(values[0], ",")
	for i := range groups {
		groups[i] = strings.TrimSpace(groups[i])
	}
	roles := p.Roles
	if len(roles) == 0 {
		roles = map[string]Role{Viewer.String(): Viewer, Operator.String(): Operator, Admin.String(): Admin}
	}
	return Highest(groups, roles)
}
