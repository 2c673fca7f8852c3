package admin

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// settings are those of huma. Its own documents and hooks are off: they load scripts
// from elsewhere, add members to answers, and know no problem documents of ours.
func settings() huma.Config {
	c := huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info:    &huma.Info{Title: "Solocron", Version: "1", Description: description},
			Components: &huma.Components{
				Schemas:         huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer),
				SecuritySchemes: securitySchemes(),
			},
		},
		Formats:       map[string]huma.Format{"application/json": {Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: unmarshal}, problemType: huma.DefaultJSONFormat},
		DefaultFormat: "application/json",
		Transformers:  []huma.Transformer{refuse},
	}
	return c
}

// unmarshal reads one JSON value. A body of spaces says as little as none.
func unmarshal(text []byte, v any) error {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}")
	}
	return json.Unmarshal(text, v)
}

// within is a context of huma: embedded by its own name its method Context would be hidden.
type within = huma.Context

// answering is a context of huma in whose answer the status can be replaced.
type answering struct {
	within
	status int // 0: as huma says
}

// SetStatus sends the status.
func (c *answering) SetStatus(code int) {
	if c.status != 0 {
		code = c.status
	}
	c.within.SetStatus(code)
}

// Unwrap returns the context within, for the adapter.
func (c *answering) Unwrap() huma.Context { return c.within }

// refuse is a transformer that says what huma refuses in the way that everything else
// is refused.
func refuse(ctx huma.Context, _ string, v any) (any, error) {
	m, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	p := invalid(m, ctx.Operation().MaxBodyBytes-1)
	if c, ok := ctx.(*answering); ok {
		c.status = p.Status
	}
	return p.to(ctx.Context()).document(), nil
}

// admit lets those through who have the role that r needs.
func (b *book) admit(r route) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		if err := b.api.mayEnter(ctx.Context(), r); err != nil {
			req, w := humago.Unwrap(ctx)
			b.api.fail(w, req, err)
			return
		}
		if r.method == http.MethodPost && r.limit == 0 {
			// Curl calls a body a form unless it is told otherwise. Pages of others are kept out before.
			req, _ := humago.Unwrap(ctx)
			req.Header.Set("Content-Type", "application/json")
		}
		next(&answering{within: ctx})
	}
}
