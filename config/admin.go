package config

import (
	"errors"
	"net"
	"net/netip"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/jobs"
)

// Admin says where the HTTP API listens, and how those who use it say who they are.
// After loading, a listener beyond loopback has such a way, or InsecureNoAuth.
type Admin struct {
	Listen string `yaml:"listen"` // of the API and the page
	Probes string `yaml:"probes"` // of probes and metrics, which nobody needs a right for; "": they are on Listen too

	TLS               AdminTLS    `yaml:"tls"`
	Tokens            string      `yaml:"tokens"` // file of bearer tokens, one a line; "": there are none
	Proxy             AdminProxy  `yaml:"proxy"`
	OIDC              OIDC        `yaml:"oidc"`
	CookieKey         jobs.Secret `yaml:"cookieKey"`         // signs the cookies of the page; the same on all replicas
	PreviousCookieKey jobs.Secret `yaml:"previousCookieKey"` // is believed too, while keys are changed
	InsecureNoAuth    bool        `yaml:"insecureNoAuth"`    // everybody who reaches Listen may do everything

	Page AdminPage `yaml:"page"`
}

// AdminPage says where the web page is, and what it calls this place.
type AdminPage struct {
	BasePath    string          `yaml:"basePath"` // before all paths of Listen, such as /cron; "": none
	Environment PageEnvironment `yaml:"environment"`
}

// PageEnvironment is the badge that every screen and dialog of the page shows.
type PageEnvironment struct {
	Name string `yaml:"name"` // such as PROD eu-1; "": there is no badge
	Tone string `yaml:"tone"` // how loud it is: neutral, info, warning or danger; left out: neutral
}

// AdminTLS says how to encrypt Listen, with files that are read again when they change.
type AdminTLS struct {
	Cert     string                 `yaml:"cert"`     // file of the certificate; "": no TLS
	Key      string                 `yaml:"key"`      // file of its key
	ClientCA string                 `yaml:"clientCA"` // file of the authorities whose client certificates are taken; "": none are
	Roles    map[string]access.Role `yaml:"roles"`    // of client certificates, by URI or common name
}

// AdminProxy is a reverse proxy that signs people in and says in headers who they are.
type AdminProxy struct {
	Header     string                 `yaml:"header"`     // that holds the name; "": no proxy is believed
	RoleHeader string                 `yaml:"roleHeader"` // that holds roles, or groups; "": everybody has Role
	Role       access.Role            `yaml:"role"`       // left out, without RoleHeader: viewer
	Roles      map[string]access.Role `yaml:"roles"`      // of groups; empty: RoleHeader holds roles
	CIDRs      []string               `yaml:"cidrs"`      // the proxy's addresses
}

// OIDC is an OpenID Connect issuer at which people sign in.
type OIDC struct {
	Issuer       string                 `yaml:"issuer"` // URL; "": nobody signs in there
	ClientID     string                 `yaml:"clientID"`
	ClientSecret jobs.Secret            `yaml:"clientSecret"` // left out: a public client
	RedirectURL  string                 `yaml:"redirectURL"`  // of this place, as browsers reach it: .../login/oidc/callback
	Scopes       []string               `yaml:"scopes"`       // beside openid; left out: profile and email
	GroupsClaim  string                 `yaml:"groupsClaim"`  // of the ID token; left out: groups
	Roles        map[string]access.Role `yaml:"roles"`        // of groups
}

// Authenticates reports whether there is a way to say who one is.
func (a Admin) Authenticates() bool {
	return a.Tokens != "" || a.Proxy.Header != "" || a.OIDC.Issuer != "" || len(a.TLS.Roles) > 0
}

// errExposed says how to put right what Exposed finds.
var errExposed = errors.New("must be a loopback address such as 127.0.0.1:8080 while nobody has to say who they are: " +
	"set admin.tokens to a file of tokens (`scheduler token hash` makes its lines), " +
	"or set admin.insecureNoAuth: true (--insecure-no-auth) to let everybody who reaches it do everything")

// Exposed returns an error, with the remedy, if whoever reaches the listener from
// another machine could do everything and nobody has said that this is meant.
func (a Admin) Exposed() error {
	if a.Listen == "" || a.Local() || a.Authenticates() || a.InsecureNoAuth {
		return nil
	}
	return errExposed
}

// Local reports whether Listen is reached from this machine alone.
func (a Admin) Local() bool { return onLoopback(a.Listen) }

// onLoopback reports whether addr, host:port, is reached from this machine alone.
func onLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
