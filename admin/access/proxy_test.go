package access_test

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"net/http"
	"net/netip"
	"net/url"
	"testing"

	"github.com/solocron/solocron/admin/access"
)

// sso is a proxy at 10.1.0.0/16 that names groups.
func sso() *access.Proxy {
	return &access.Proxy{
		Header: "X-Forwarded-User", RoleHeader: "X-Forwarded-Groups",
		Roles: map[string]access.Role{"dev": access.Viewer, "sre": access.Admin},
		CIDRs: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fd00:1::/64")},
	}
}

func TestWhatAProxySaysIsBelievedOnlyFromItsAddresses(t *testing.T) {
	t.Parallel()
	a, _ := made(t, access.Config{Proxy: sso()})
	says := []string{"X-Forwarded-User", "ada@example.org", "X-Forwarded-Groups", "all, sre", "X-Forwarded-For", "10.1.0.1"}
	want := access.Identity{Name: "ada@example.org", Role: access.Admin, Via: access.ViaProxy}
	for _, from := range []string{"10.1.0.1", "10.1.255.255", "::ffff:10.1.0.1", "fd00:1::5"} {
		if got := known(t, a, request(from, says...)); got != want {
			t.Errorf("from %s: got %+v, want %+v", from, got, want)
		}
	}
	for _, from := range []string{"10.2.0.1", "127.0.0.1", "::1", "fd00:2::1", "203.0.113.1"} {
		if got := refused(a, request(from, says...)); got != http.StatusUnauthorized {
			t.Errorf("from %s, which is no proxy: got %d, want 401", from, got)
		}
	}
	r := request("10.1.0.1", says...)
	r.RemoteAddr = "@" // as of a Unix socket
	if got := refused(a, r); got != http.StatusUnauthorized {
		t.Errorf("from nowhere: got %d, want 401", got)
	}
}

func TestTheHeadersOfAProxyAreReadClosely(t *testing.T) {
	t.Parallel()
	roles, groups, plain := sso(), sso(), sso()
	roles.Roles = nil
	plain.RoleHeader, plain.Role = "", access.Viewer
	for name, c := range map[string]struct {
		proxy   *access.Proxy
		headers []string
		want    access.Role
		status  int
	}{
		"a group without a role":  {groups, []string{"X-Forwarded-User", "ada", "X-Forwarded-Groups", "all"}, access.None, 0},
		"a role is not a group":   {groups, []string{"X-Forwarded-User", "ada", "X-Forwarded-Groups", "admin"}, access.None, 0},
		"no groups":               {groups, []string{"X-Forwarded-User", "ada"}, access.None, 0},
		"groups twice":            {groups, []string{"X-Forwarded-User", "ada", "X-Forwarded-Groups", "dev", "X-Forwarded-Groups", "sre"}, access.None, 0},
		"the highest role":        {roles, []string{"X-Forwarded-User", "ada", "X-Forwarded-Groups", "viewer,operator"}, access.Operator, 0},
		"an unknown role":         {roles, []string{"X-Forwarded-User", "ada", "X-Forwarded-Groups", "root"}, access.None, 0},
		"one role for all":        {plain, []string{"X-Forwarded-User", "ada", "X-Forwarded-Groups", "sre"}, access.Viewer, 0},
		"nobody":                  {plain, nil, access.None, 401},
		"an empty name":           {plain, []string{"X-Forwarded-User", ""}, access.None, 401},
		"two names":               {plain, []string{"X-Forwarded-User", "eve", "X-Forwarded-User", "ada"}, access.None, 401},
		"a name that is no name":  {plain, []string{"X-Forwarded-User", "a\x1b[2Jb"}, access.None, 401},
		"a header of another one": {plain, []string{"X-User", "ada"}, access.None, 401},
	} {
		a, _ := made(t, access.Config{Proxy: c.proxy})
		id, no := a.Identify(request("10.1.0.1", c.headers...))
		if status := statusOf(no); status != c.status || id.Role != c.want {
			t.Errorf("%s: got %+v, %d, want %s, %d", name, id, status, c.want, c.status)
		}
	}
}

func statusOf(no *access.Refusal) int {
	if no == nil {
		return 0
	}
	return no.Status
}

func TestATokenCountsWhereTheProxyNamesNobodyAndElseTheProxy(t *testing.T) {
	t.Parallel()
	a, _ := made(t, access.Config{Tokens: written(t, everybody(t)), Proxy: sso()})
	if got := known(t, a, bearing("10.1.0.1", operating)); got.Name != "ci" {
		t.Errorf("through the proxy: got %+v, want ci", got)
	}
	r := bearing("10.1.0.1", "the proxy's own, for somebody else")
	r.Header.Set("X-Forwarded-User", "ada")
	if got := known(t, a, r); got.Name != "ada" || got.Via != access.ViaProxy {
		t.Errorf("named by the proxy: got %+v, want ada", got)
	}
}

// shown is r with a client certificate; unless verified, nobody has looked at it.
func shown(r *http.Request, verified bool, cn string, uris ...string) *http.Request {
	leaf := &x509.Certificate{Subject: pkix.Name{CommonName: cn}}
	for _, u := range uris {
		at, _ := url.Parse(u)
		leaf.URIs = append(leaf.URIs, at)
	}
	r.TLS = &tls.ConnectionState{PeerCertificates: []*x509.Certificate{leaf}}
	if verified {
		r.TLS.VerifiedChains = [][]*x509.Certificate{{leaf}}
	}
	return r
}

func TestAClientCertificateCountsByItsURIOrCommonName(t *testing.T) {
	t.Parallel()
	const spiffe = "spiffe://example.org/ci"
	a, _ := made(t, access.Config{Certificates: map[string]access.Role{"ada": access.Viewer, spiffe: access.Operator}})
	r := func() *http.Request { return request("203.0.113.1") }
	for name, c := range map[string]struct {
		r    *http.Request
		want access.Identity
	}{
		"a common name":      {shown(r(), true, "ada"), access.Identity{Name: "ada", Role: access.Viewer, Via: access.ViaMTLS}},
		"a URI first":        {shown(r(), true, "ada", "spiffe://example.org/x", spiffe), access.Identity{Name: spiffe, Role: access.Operator, Via: access.ViaMTLS}},
		"known, but no role": {shown(r(), true, "eve"), access.Identity{Name: "eve", Role: access.None, Via: access.ViaMTLS}},
	} {
		if got := known(t, a, c.r); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
	for name, r := range map[string]*http.Request{"none": r(), "not verified": shown(r(), false, "ada"), "of no name": shown(r(), true, "")} {
		if got := refused(a, r); got != http.StatusUnauthorized {
			t.Errorf("%s: got %d, want 401", name, got)
		}
	}
	b, _ := made(t, access.Config{Tokens: written(t, everybody(t))})
	if got := refused(b, shown(r(), true, "ada")); got != http.StatusUnauthorized {
		t.Errorf("a certificate where none counts: got %d, want 401", got)
	}
}
