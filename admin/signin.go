package admin

import (
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/solocron/solocron/admin/access"
)

const pathLogin, pathLogout = "/login", "/logout"

// signInRoutes are those by which people who use the page say who they are. Package
// access answers them; here they are described. Where a sign-in elsewhere sends the
// browser to and fro is for browsers only, and is not.
func (a *API) signInRoutes(b *book) {
	doors := http.Handler(http.HandlerFunc(a.noDoors))
	if a.Access != nil {
		doors = a.Access.Login()
	}
	text, truth := &huma.Schema{Type: huma.TypeString}, &huma.Schema{Type: huma.TypeBoolean}
	ways := b.enterRaw(route{
		id: "signInWays", method: http.MethodGet, path: pathLogin, kind: "application/json", more: []int{http.StatusNotFound},
		summary: "Which ways there are to sign in on the page",
		about:   "oidc: at /login/oidc, which sends the browser to where people sign in. Programs send a token with each request instead.",
	}, nil, doors.ServeHTTP)
	ways.Responses["200"].Content["application/json"].Schema = object(map[string]*huma.Schema{"token": truth, "oidc": truth})
	in := b.enterRaw(route{
		id: "signIn", method: http.MethodPost, path: pathLogin, kind: "application/json",
		more: []int{
			http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType, http.StatusTooManyRequests,
		},
		summary: "Get a cookie for a token", about: "The cookie is for the page of this place alone, and for twelve hours. A form is answered with a redirection to the page.",
	}, nil, doors.ServeHTTP)
	body := object(map[string]*huma.Schema{"token": text})
	in.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"application/json": {Schema: body}, "application/x-www-form-urlencoded": {Schema: body},
	}}
	in.Responses["200"].Content["application/json"].Schema = object(map[string]*huma.Schema{"name": text, "role": text})
	in.Responses["303"] = &huma.Response{Description: "To the page, after a form", Headers: map[string]*huma.Param{"Location": {Schema: text}}}
	b.enterRaw(route{
		id: "signOut", method: http.MethodPost, path: pathLogout, status: http.StatusNoContent, kind: noContent, more: []int{http.StatusNotFound},
		summary: "Have the browser forget its cookie",
	}, nil, doors.ServeHTTP)
}

// object is an object with all of these members.
func object(members map[string]*huma.Schema) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeObject, Properties: members}
	for name := range members {
		s.Required = append(s.Required, name)
	}
	slices.Sort(s.Required)
	return s
}

// noDoors answers where nobody signs in.
func (a *API) noDoors(w http.ResponseWriter, r *http.Request) {
	a.fail(w, r, &problemError{
		Type: "not-found", Title: "No such page", Status: http.StatusNotFound,
		Detail: "Nobody signs in here: whoever speaks from this machine may do everything.",
	})
}

// elsewhere reports whether a path is of those by which a browser is sent to and fro.
func elsewhere(path string) bool {
	return path != pathLogin && path != pathLogout && slices.Contains(access.Paths(), path)
}
