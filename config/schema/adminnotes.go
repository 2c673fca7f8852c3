package schema

// adminNotes is about the HTTP listeners and about who may use them.
func adminNotes() map[string]note {
	const (
		roles = "Roles by "
		key   = "; at least 32 random bytes, best from a file."
	)
	return map[string]note{
		"Admin.listen":            {is: "host:port of the API and the page. Beyond loopback there must be a way to say who one is.", such: []string{"127.0.0.1:8080"}},
		"Admin.probes":            {is: "host:port of probes and metrics, for which nobody needs a right. Left out: they are on listen too.", such: []string{"0.0.0.0:8081"}},
		"Admin.tls":               {is: "How listen is encrypted, and whose client certificates are taken."},
		"Admin.tokens":            {is: "File of bearer tokens: a line has a name, a role and a hash, as scheduler token hash prints it. It is read again when it changes.", such: []string{"/etc/solocron/tokens"}},
		"Admin.proxy":             {is: "A reverse proxy that signs people in and says in headers who they are."},
		"Admin.oidc":              {is: "An OpenID Connect issuer at which people sign in."},
		"Admin.cookieKey":         {is: "Signs the cookies of the page, the same on all replicas" + key},
		"Admin.previousCookieKey": {is: "A key whose cookies are taken too, while keys are changed" + key},
		"Admin.insecureNoAuth":    {is: "Whoever reaches listen may do everything."},
		"Admin.page":              {is: "Where the web page is, and what it calls this place."},

		"AdminPage.basePath":    {is: "Path before all others of listen, for a proxy that serves more than this. Left out: none.", such: []string{"/cron"}},
		"AdminPage.environment": {is: "The badge that every screen and dialog of the page shows, so that nobody takes production for a trial."},
		"PageEnvironment.name":  {is: "What the badge says. Left out: there is none.", such: []string{"PROD eu-1"}},
		"PageEnvironment.tone":  {is: "How loud the badge is.", words: []string{"neutral", "info", "warning", "danger"}, usual: "neutral"},

		"AdminTLS.cert":     {is: "File of the certificate, in PEM. It is read again when it changes.", such: []string{"/tls/tls.crt"}},
		"AdminTLS.key":      {is: "File of the certificate's private key.", such: []string{"/tls/tls.key"}},
		"AdminTLS.clientCA": {is: "File of the authorities whose client certificates are taken. Left out: none are."},
		"AdminTLS.roles":    {is: roles + "URI or common name of a client certificate."},

		"AdminProxy.header":     {is: "Header that holds the name; the proxy must replace what clients send.", such: []string{"X-Forwarded-User"}},
		"AdminProxy.roleHeader": {is: "Header that holds roles, or groups, with commas. Left out: everybody has role.", such: []string{"X-Forwarded-Groups"}},
		"AdminProxy.role":       {is: "The role of everybody whom the proxy names, without roleHeader. Left out: viewer.", usual: none},
		"AdminProxy.roles":      {is: roles + "group. Left out: roleHeader holds roles."},
		"AdminProxy.cidrs":      {is: "Addresses of the proxy: from elsewhere its headers are not believed.", must: true, most: "256", such: []string{"10.0.0.0/8"}},

		"OIDC.issuer":       {is: "URL of the issuer.", must: true, such: []string{"https://id.example.org"}},
		"OIDC.clientID":     {is: "What the issuer calls this place.", must: true},
		"OIDC.clientSecret": {is: "The secret that the issuer gave this place. Left out: a public client."},
		"OIDC.redirectURL":  {is: "Where browsers come back to.", must: true, such: []string{"https://cron.example.org/login/oidc/callback"}},
		"OIDC.scopes":       {is: "What is asked for beside openid. Left out: profile and email."},
		"OIDC.groupsClaim":  {is: "Claim of the ID token that holds groups. Left out: groups."},
		"OIDC.roles":        {is: roles + "group.", must: true},
	}
}
