package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/solocron/solocron/admin/access"
)

const (
	minCookieKey = 32  // bytes
	maxCIDRs     = 256 // of proxies
	minCIDRBits  = 4   // that a CIDR fixes: less is half the world
	callbackPath = "/login/oidc/callback"
)

// checkAdmin reports what makes no sense of the HTTP listeners and of how people say
// who they are. Files are not looked for: they are where the program runs.
func (l *loader) checkAdmin() {
	a := &l.config.Admin
	l.checkListeners(a)
	l.checkAdminTLS(&a.TLS)
	if l.below("admin.proxy") {
		l.checkProxy(&a.Proxy)
	}
	if l.below("admin.oidc") {
		l.checkOIDC(&a.OIDC)
	}
	l.checkCookieKeys(a)
	l.checkPage(&a.Page)
	if a.InsecureNoAuth && a.Authenticates() {
		l.blame("admin.insecureNoAuth", "stands beside ways to say who one is, such as tokens: keep one of them")
	}
}

func (l *loader) checkListeners(a *Admin) {
	msg := badHostPort(a.Listen)
	if msg == "" && l.sure("admin.tokens", "admin.proxy", "admin.oidc", "admin.tls", "admin.insecureNoAuth") {
		if err := a.Exposed(); err != nil {
			msg = err.Error()
		}
	}
	if msg != "" {
		l.blame("admin.listen", msg)
	}
	if a.Probes == "" {
		return
	}
	msg = badHostPort(a.Probes)
	if _, port, err := net.SplitHostPort(a.Probes); err == nil && port != "0" && a.Probes == a.Listen {
		msg = "is admin.listen again: take it out to have probes and metrics there too, or name another port"
	}
	if msg != "" {
		l.blame("admin.probes", msg)
	}
}

// sure reports whether what stands below keys could be read: who has slipped there
// need not be told what would follow if it were left out.
func (l *loader) sure(keys ...string) bool {
	for _, key := range keys {
		for set := range l.origins {
			if (set == key || strings.HasPrefix(set, key+".")) && l.faulty(set) {
				return false
			}
		}
	}
	return true
}

// badHostPort reports what is not host:port; an empty host is every address.
func badHostPort(s string) string {
	host, port, err := net.SplitHostPort(s)
	if err != nil || badPort(port, 0) || len(host) > maxHost || strings.ContainsAny(host, " /@") {
		return "must be host:port such as 127.0.0.1:8080"
	}
	return ""
}

func (l *loader) checkAdminTLS(t *AdminTLS) {
	switch {
	case t.Cert != "" && t.Key == "":
		l.blame("admin.tls.cert", "needs key: the file of the certificate's private key")
	case t.Key != "" && t.Cert == "":
		l.blame("admin.tls.key", "needs cert: the file of the certificate")
	case t.ClientCA != "" && t.Cert == "":
		l.blame("admin.tls.clientCA", "needs cert and key: clients show certificates only over TLS")
	case t.ClientCA != "" && len(t.Roles) == 0:
		l.blame("admin.tls.clientCA", "needs roles: a map of URI or common name to viewer, operator or admin, such as { ci: operator }")
	case t.ClientCA == "" && len(t.Roles) > 0:
		l.blame("admin.tls.roles", "needs clientCA: the file of the authorities that sign these certificates")
	}
}

func (l *loader) checkProxy(p *AdminProxy) {
	if p.Header == "" {
		l.blame("admin.proxy", "lacks header: the one that the proxy puts the name into, such as X-Forwarded-User")
	}
	for _, h := range []struct{ key, name string }{{"admin.proxy.header", p.Header}, {"admin.proxy.roleHeader", p.RoleHeader}} {
		if msg := badHeader(h.name); msg != "" {
			l.blame(h.key, msg)
		}
	}
	switch {
	case p.RoleHeader != "" && l.set("admin.proxy.role"):
		l.blame("admin.proxy.role", "has no effect beside roleHeader, which says what role each has")
	case p.RoleHeader == "" && len(p.Roles) > 0:
		l.blame("admin.proxy.roles", "needs roleHeader: the header that holds these groups")
	case p.RoleHeader == "" && !l.set("admin.proxy.role"):
		p.Role = access.Viewer
	}
	if n := len(p.CIDRs); n == 0 || n > maxCIDRs {
		l.blame(l.either("admin.proxy.cidrs", "admin.proxy"), fmt.Sprintf("needs 1 to %d cidrs: the addresses of the proxy, such as [10.0.0.0/8]; only from there is the header believed", maxCIDRs))
	}
	for i, c := range p.CIDRs[:min(len(p.CIDRs), maxCIDRs)] {
		if msg := badCIDR(c); msg != "" {
			l.blame(l.either(itemKey("admin.proxy.cidrs", i), "admin.proxy.cidrs"), msg)
		}
	}
}

func badHeader(s string) string {
	if s == "" {
		return ""
	}
	for i := range len(s) {
		if c := s[i]; !edge(c) && c != '-' && (c < 'A' || c > 'Z') || len(s) > maxName {
			return quote(s) + " is no name of a header, such as X-Forwarded-User"
		}
	}
	switch strings.ToLower(s) {
	case "authorization", "cookie", "host", "x-forwarded-for", "x-forwarded-proto":
		return quote(s) + " is a header with a meaning of its own: have the proxy use another, such as X-Forwarded-User"
	}
	return ""
}

func badCIDR(s string) string {
	p, err := netip.ParsePrefix(s)
	switch {
	case err != nil || p != p.Masked():
		return quote(s) + " is no range of addresses such as 10.0.0.0/8 or 192.0.2.7/32"
	case p.Bits() < minCIDRBits:
		return quote(s) + " holds so many addresses that anybody could say who they are: name those of the proxy"
	}
	return ""
}

func (l *loader) checkOIDC(o *OIDC) {
	for _, f := range []struct {
		name  string
		value string
		want  string
	}{
		{"issuer", o.Issuer, "the URL of the issuer, such as https://id.example.org"},
		{"clientID", o.ClientID, "the name by which the issuer knows this place"},
		{"redirectURL", o.RedirectURL, "the URL where browsers come back to, which ends in " + callbackPath},
	} {
		if f.value == "" && !l.faulty("admin.oidc."+f.name) {
			l.blame(l.either("admin.oidc."+f.name, "admin.oidc"), "lacks "+f.name+": "+f.want)
		}
	}
	if msg := badSecureURL(o.Issuer); msg != "" {
		l.blame("admin.oidc.issuer", msg)
	}
	msg := badSecureURL(o.RedirectURL)
	if msg == "" && o.RedirectURL != "" && !strings.HasSuffix(o.RedirectURL, callbackPath) {
		msg = "must end in " + callbackPath + ", which is where this place takes browsers back"
	}
	if msg != "" {
		l.blame("admin.oidc.redirectURL", msg)
	}
	if len(o.Roles) == 0 && !l.faulty("admin.oidc.roles") {
		l.blame(l.either("admin.oidc.roles", "admin.oidc"), "lacks roles: a map of group to viewer, operator or admin; without it nobody who signs in may do anything")
	}
	for i, s := range o.Scopes {
		if msg := badWordOf(s); msg != "" || s == "" {
			l.blame(l.either(itemKey("admin.oidc.scopes", i), "admin.oidc.scopes"), "must be words without spaces, such as groups")
		}
	}
}

// badSecureURL reports what is no URL that secrets may be sent to.
func badSecureURL(s string) string {
	if s == "" {
		return ""
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "must be a URL such as https://id.example.org, without user, query and fragment"
	case u.Scheme == "https", u.Scheme == "http" && onLoopback(net.JoinHostPort(u.Hostname(), "0")):
		return ""
	}
	return "must be https: passwords and tokens go there; http is for this machine alone"
}

func (l *loader) checkCookieKeys(a *Admin) {
	for _, k := range []struct{ key, text string }{
		{"admin.cookieKey", a.CookieKey.Literal}, {"admin.previousCookieKey", a.PreviousCookieKey.Literal},
	} {
		if k.text != "" && len(k.text) < minCookieKey {
			l.blame(k.key, fmt.Sprintf("has %d bytes: it must have at least %d, random ones; `openssl rand -base64 48` makes such a key", len(k.text), minCookieKey))
		}
	}
	if a.CookieKey.IsZero() && !a.PreviousCookieKey.IsZero() {
		l.blame("admin.previousCookieKey", "needs cookieKey: the key that signs")
	}
}
