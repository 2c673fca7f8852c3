package admin

import (
	"context"
	"time"

	"github.com/solocron/solocron/admin/access"
	webpage "github.com/solocron/solocron/admin/page"
)

// Session is who asks, and where they are: what the page shows on every screen.
type Session struct {
	Name        string              `json:"name" doc:"Of whoever asks, as the audit has it."`
	Role        string              `json:"role" enum:"viewer,operator,admin"`
	Via         string              `json:"via" doc:"How they said who they are: token, cookie, proxy, mtls or oidc; loopback and nothing: not at all."`
	CanSignOut  bool                `json:"canSignOut" doc:"They signed in with this browser."`
	Environment webpage.Environment `json:"environment" doc:"What the page calls this place."`
	Namespace   string              `json:"namespace,omitempty"`
	Version     string              `json:"version,omitempty"`
	ServerTime  time.Time           `json:"serverTime" doc:"Of this replica."`
}

// sessionRoutes is what tells somebody who they are.
func (a *API) sessionRoutes(b *book) {
	enter(b, route{id: "getSession", path: base + "/session", summary: "Who asks, and where"}.reading(), a.session)
}

// environment is what the page calls this place.
func (a *API) environment() webpage.Environment {
	e := a.Page.Environment
	if e.Tone == "" {
		e.Tone = webpage.Neutral
	}
	return e
}

// session answers GET /session.
func (a *API) session(ctx context.Context, _ *struct{}) (*body[Session], error) {
	id := access.From(ctx)
	s := Session{
		Name: id.Name, Role: id.Role.String(), Via: id.Via, CanSignOut: id.Via == access.ViaCookie || id.Via == access.ViaOIDC,
		Environment: a.environment(), Version: a.Version, ServerTime: a.Now().UTC(),
	}
	if l := a.loaded(); l != nil {
		s.Namespace = l.Namespace
	}
	return answer(s), nil
}
