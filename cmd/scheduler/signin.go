package main

import (
	"fmt"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/admin/access/oidc"
	"github.com/solocron/solocron/config"
)

// elsewhere is where people sign in, if the configuration names an issuer; else nil.
func elsewhere(o config.OIDC) (access.Elsewhere, error) {
	if o.Issuer == "" {
		return nil, nil
	}
	c := oidc.Config{
		Issuer: o.Issuer, ClientID: o.ClientID, RedirectURL: o.RedirectURL, Scopes: o.Scopes, GroupsClaim: o.GroupsClaim, Roles: o.Roles,
	}
	if !o.ClientSecret.IsZero() {
		c.ClientSecret = o.ClientSecret.Value
	}
	login, err := oidc.New(c)
	if err != nil {
		return nil, configError{fmt.Errorf("admin.oidc: %w", err)}
	}
	return login, nil
}
