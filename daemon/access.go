package daemon

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

// newAccess makes of the settings who may use the API; nil if that is whoever is on
// this machine. Elsewhere is where people sign in if the settings name an issuer.
func newAccess(a config.Admin, elsewhere access.Elsewhere, log *slog.Logger) (*access.Access, error) {
	if err := a.Exposed(); err != nil {
		return nil, fmt.Errorf("admin.listen %s: %w", a.Listen, err)
	}
	c := access.Config{Tokens: a.Tokens, Certificates: a.TLS.Roles, Open: a.InsecureNoAuth, Log: log}
	switch {
	case a.InsecureNoAuth && a.Authenticates():
		return nil, errors.New("admin.insecureNoAuth: stands beside ways to say who one is")
	case a.InsecureNoAuth:
		log.Warn("NO AUTHENTICATION: everybody who reaches the API may do everything; take insecureNoAuth out for more than a trial", "listen", a.Listen)
		return access.New(c)
	case !a.Authenticates():
		return nil, nil
	}
	var err error
	if c.Keys, err = cookieKeys(a, log); err != nil {
		return nil, err
	}
	if c.Proxy, err = proxy(a.Proxy); err != nil {
		return nil, err
	}
	if a.OIDC.Issuer != "" {
		if elsewhere == nil {
			return nil, errors.New("admin.oidc: this program was built without it")
		}
		c.Elsewhere = elsewhere
	}
	if a.TLS.Cert == "" && a.Proxy.Header == "" && !a.Local() {
		log.Warn("the API is not encrypted: tokens can be read on the way unless something before it encrypts; see admin.tls", "listen", a.Listen)
	}
	return access.New(c)
}

// cookieKeys reads the keys, the one that signs first.
func cookieKeys(a config.Admin, log *slog.Logger) ([][]byte, error) {
	var keys [][]byte
	for _, k := range []struct {
		name string
		text jobs.Secret
	}{{"cookieKey", a.CookieKey}, {"previousCookieKey", a.PreviousCookieKey}} {
		if k.text.IsZero() {
			continue
		}
		key, err := k.text.Value()
		if err != nil {
			return nil, fmt.Errorf("admin.%s: %w", k.name, err)
		}
		keys = append(keys, []byte(key))
	}
	if len(keys) == 0 && (a.Tokens != "" || a.OIDC.Issuer != "") {
		log.Warn("there is no key for cookies: who signs in on the page is signed in on this replica alone, until it ends; set admin.cookieKey")
	}
	return keys, nil
}

// proxy is the proxy of the settings; nil if they have none.
func proxy(p config.AdminProxy) (*access.Proxy, error) {
	if p.Header == "" {
		return nil, nil
	}
	own := &access.Proxy{Header: p.Header, RoleHeader: p.RoleHeader, Role: p.Role, Roles: p.Roles}
	for _, text := range p.CIDRs {
		c, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("admin.proxy.cidrs: %w", err)
		}
		own.CIDRs = append(own.CIDRs, c)
	}
	return own, nil
}
