package admin

import (
	_ "embed"
	"net/http"
	"sync"
)

//go:embed docs.html
var docsPage []byte

// documentRoutes are what describes the API, for everybody: it says nothing of this
// cluster.
func (a *API) documentRoutes(b *book) {
	openapi := b.huma.OpenAPI()
	text := sync.OnceValues(func() ([]byte, error) { return indented(openapi) })
	yaml := sync.OnceValues(openapi.YAML)
	serve := func(id, path, summary, kind string, text func() ([]byte, error), refusals ...int) {
		b.enterRaw(route{id: id, method: http.MethodGet, path: base + path, summary: summary, kind: kind, more: refusals}, nil,
			func(w http.ResponseWriter, r *http.Request) {
				body, err := text()
				if err != nil {
					a.fail(w, r, err)
					return
				}
				w.Header().Set("Content-Security-Policy", docsPolicy)
				send(w, http.StatusOK, kind+"; charset=utf-8", body)
			})
	}
	serve("openapiJSON", "/openapi.json", "This description, as JSON", "application/openapi+json", text)
	serve("openapiYAML", "/openapi.yaml", "This description, as YAML", "application/openapi+yaml", yaml)
	serve("docs", "/docs", "This description, for people", "text/html", func() ([]byte, error) { return docsPage, nil })
	if a.Schema != nil {
		serve("configSchema", "/schema.json", "The JSON Schema of the configuration", "application/schema+json", a.Schema)
	}
}

// docsPolicy lets the page use nothing but itself and what this listener serves.
const docsPolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
