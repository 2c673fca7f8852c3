package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

const everyWay = `admin:
  listen: 0.0.0.0:8443
  probes: ':8081'
  tls: { cert: /tls/crt, key: /tls/key, clientCA: /tls/ca, roles: { ci: operator, 'spiffe://example.org/x': admin } }
  tokens: /etc/solocron/tokens
  proxy: { header: X-Forwarded-User, roleHeader: X-Forwarded-Groups, roles: { SRE: admin }, cidrs: [10.0.0.0/8, 'fd00::/8'] }
  oidc:
    issuer: https://id.example.org
    clientID: solocron
    clientSecret: { env: OIDC_SECRET }
    redirectURL: https://cron.example.org/login/oidc/callback
    scopes: [email, groups]
    roles: { Dev: viewer }
  cookieKey: { file: /run/secrets/cookie }
  previousCookieKey: 0123456789abcdef0123456789abcdef
`

func TestEveryWayToSayWhoOneIsCanBeWritten(t *testing.T) {
	t.Parallel()
	got := good(t, everyWay+oneJob).Admin
	want := config.Admin{
		Listen: "0.0.0.0:8443", Probes: ":8081", Tokens: "/etc/solocron/tokens",
		TLS: config.AdminTLS{
			Cert: "/tls/crt", Key: "/tls/key", ClientCA: "/tls/ca",
			Roles: map[string]access.Role{"ci": access.Operator, "spiffe://example.org/x": access.Admin},
		},
		Proxy: config.AdminProxy{
			Header: "X-Forwarded-User", RoleHeader: "X-Forwarded-Groups",
			Roles: map[string]access.Role{"SRE": access.Admin}, CIDRs: []string{"10.0.0.0/8", "fd00::/8"},
		},
		OIDC: config.OIDC{
			Issuer: "https://id.example.org", ClientID: "solocron", ClientSecret: jobs.Secret{Env: "OIDC_SECRET"},
			RedirectURL: "https://cron.example.org/login/oidc/callback", Scopes: []string{"email", "groups"},
			Roles: map[string]access.Role{"Dev": access.Viewer},
		},
		CookieKey: jobs.Secret{File: "/run/secrets/cookie"}, PreviousCookieKey: jobs.Secret{Literal: "0123456789abcdef0123456789abcdef"},
	}
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("got  %s\nwant %s", g, w)
	}
	if strings.Contains(fmt.Sprintf("%v %+v %#v", got, got, got), "0123456789abcdef") {
		t.Error("the key shows")
	}
	if !got.Authenticates() || got.Exposed() != nil || got.Local() {
		t.Errorf("got %t, %v, %t, want ways in and an address for all", got.Authenticates(), got.Exposed(), got.Local())
	}
}

func TestSettingsOfTheListenerComeFromTheEnvironmentToo(t *testing.T) {
	t.Parallel()
	cfg, err := loaded(t, everyWay+oneJob, config.Overrides{Env: environment(
		"SCHEDULER_ADMIN_TLS_CLIENT_CA=/other/ca", "SCHEDULER_ADMIN_OIDC_CLIENT_ID=other",
		"SCHEDULER_ADMIN_OIDC_REDIRECT_URL=https://other.example.org/login/oidc/callback", "SCHEDULER_ADMIN_PROXY_CIDRS=10.1.0.0/16,10.2.0.0/16",
		"SCHEDULER_ADMIN_COOKIE_KEY=hunter2hunter2hunter2hunter2hunter2",
	)})
	if err != nil {
		t.Fatal(err)
	}
	a := cfg.Admin
	got := []any{a.TLS.ClientCA, a.OIDC.ClientID, a.OIDC.RedirectURL, a.Proxy.CIDRs, a.CookieKey.Literal}
	want := []any{"/other/ca", "other", "https://other.example.org/login/oidc/callback", []string{"10.1.0.0/16", "10.2.0.0/16"}, "hunter2hunter2hunter2hunter2hunter2"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestWithoutARoleHeaderAProxyMakesViewers(t *testing.T) {
	t.Parallel()
	const proxy = "admin: {listen: ':80', proxy: {header: X-User, cidrs: [10.0.0.1/32]%s}}\n" + oneJob
	for more, want := range map[string]access.Role{
		"": access.Viewer, ", role: operator": access.Operator, ", role: none": access.None, ", roleHeader: X-Role": access.None,
	} {
		if got := good(t, fmt.Sprintf(proxy, more)).Admin.Proxy.Role; got != want {
			t.Errorf("%q: got %s, want %s", more, got, want)
		}
	}
}

func TestWhatMakesNoSenseOfTheListenerIsNamedWithItsPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ admin, want string }{
		"no authentication":     {"{listen: '0.0.0.0:80'}", "c.yaml:1:17 admin.listen must be a loopback address such as 127.0.0.1:8080 while nobody has to say who they are: set admin.tokens to"},
		"the exact fix":         {"{listen: '0.0.0.0:80'}", "(--insecure-no-auth)"},
		"no address":            {"{listen: 80}", "c.yaml:1:17 admin.listen must be host:port"},
		"probes again":          {"{listen: '127.0.0.1:80', probes: '127.0.0.1:80'}", "c.yaml:1:41 admin.probes is admin.listen again"},
		"no probes":             {"{probes: here}", "c.yaml:1:17 admin.probes must be host:port"},
		"open and closed":       {"{tokens: /t, insecureNoAuth: true}", "c.yaml:1:37 admin.insecureNoAuth stands beside"},
		"a certificate, no key": {"{tls: {cert: /c}}", "c.yaml:1:21 admin.tls.cert needs key"},
		"a key alone":           {"{tls: {key: /c}}", "c.yaml:1:20 admin.tls.key needs cert"},
		"clients without TLS":   {"{tls: {clientCA: /c, roles: {a: admin}}}", "c.yaml:1:25 admin.tls.clientCA needs cert and key"},
		"clients of no role":    {"{tls: {cert: /c, key: /k, clientCA: /c}}", "c.yaml:1:44 admin.tls.clientCA needs roles"},
		"roles of no client":    {"{tls: {cert: /c, key: /k, roles: {a: admin}}}", "c.yaml:1:41 admin.tls.roles needs clientCA"},
		"a role that is none":   {"{tls: {cert: /c, key: /k, clientCA: /c, roles: {a: root}}}", `c.yaml:1:59 admin.tls.roles.a "root" is not one of none, viewer, operator, admin`},
		"a proxy of no header":  {"{proxy: {cidrs: [10.0.0.0/8]}}", "c.yaml:1:16 admin.proxy lacks header"},
		"a proxy anywhere":      {"{proxy: {header: X-User}}", "c.yaml:1:16 admin.proxy needs 1 to 256 cidrs"},
		"the whole world":       {"{proxy: {header: X-User, cidrs: ['0.0.0.0/0']}}", `c.yaml:1:41 admin.proxy.cidrs[0] "0.0.0.0/0" holds so many addresses`},
		"not a range":           {"{proxy: {header: X-User, cidrs: [10.0.0.1]}}", `c.yaml:1:41 admin.proxy.cidrs[0] "10.0.0.1" is no range`},
		"a crooked range":       {"{proxy: {header: X-User, cidrs: [10.0.0.1/8]}}", "is no range of addresses"},
		"a bent header":         {"{proxy: {header: 'X User', cidrs: [10.0.0.0/8]}}", `c.yaml:1:25 admin.proxy.header "X User" is no name of a header`},
		"a header in use":       {"{proxy: {header: Cookie, cidrs: [10.0.0.0/8]}}", "is a header with a meaning of its own"},
		"groups of no header":   {"{proxy: {header: X-User, roles: {a: admin}, cidrs: [10.0.0.0/8]}}", "admin.proxy.roles needs roleHeader"},
		"two roles":             {"{proxy: {header: X-User, roleHeader: X-Role, role: admin, cidrs: [10.0.0.0/8]}}", "admin.proxy.role has no effect"},
		"an issuer in part":     {"{oidc: {issuer: 'https://id'}}", "c.yaml:1:15 admin.oidc lacks clientID"},
		"no roles":              {"{oidc: {issuer: 'https://id', clientID: x, redirectURL: 'https://x/login/oidc/callback'}}", "c.yaml:1:15 admin.oidc lacks roles"},
		"a plain issuer":        {"{oidc: {issuer: 'http://id.example.org'}}", "c.yaml:1:24 admin.oidc.issuer must be https"},
		"another way back":      {"{oidc: {redirectURL: 'https://x/callback'}}", "admin.oidc.redirectURL must end in /login/oidc/callback"},
		"a short key":           {"{cookieKey: hunter2}", "c.yaml:1:20 admin.cookieKey has 7 bytes"},
		"a key of before":       {"{previousCookieKey: 0123456789abcdef0123456789abcdef}", "admin.previousCookieKey needs cookieKey"},
		"a setting too many":    {"{token: x}", "admin.token is unknown: did you mean tokens?"},
	} {
		_, err := config.Parse("c.yaml", []byte("admin: "+c.admin+"\n"+oneJob), kinds())
		if got := fmt.Sprint(err); !strings.Contains(got, c.want) || strings.Contains(got, "hunter2") {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestASlipInAWayInDoesNotAlsoBlameTheAddress(t *testing.T) {
	t.Parallel()
	_, err := config.Parse("c.yaml", []byte("admin: {listen: ':80', proxy: {header: [x]}}\n"+oneJob), kinds())
	if got := fmt.Sprint(err); err == nil || strings.Contains(got, "admin.listen") {
		t.Errorf("got %s, want the slip alone", got)
	}
}
