package admin

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
)

// problemOf is err as the answer to the request whose context ctx is. What is not a
// problemError is this program's fault: it is logged whole and not shown.
func (a *API) problemOf(ctx context.Context, err error) *problemError {
	c := callerOf(ctx)
	p, ok := errors.AsType[*problemError](err)
	if !ok {
		if !errors.Is(err, errPanicked) { // that is in the log
			a.logs(ctx).Error("request failed", "path", c.path, "err", err)
		}
		p = &problemError{
			Type: "internal", Title: "Internal error", Status: http.StatusInternalServerError,
			Detail: "The log of this replica says more.",
		}
	}
	return p.to(ctx)
}

// to is p as the answer to the request whose context ctx is.
func (p *problemError) to(ctx context.Context) *problemError {
	c, said := callerOf(ctx), *p
	said.path, said.request = c.path, c.id
	return &said
}

// fail sends err as a problem.
func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := a.problemOf(r.Context(), err)
	if p.path == "" {
		p.path = r.URL.EscapedPath()
	}
	maps.Copy(w.Header(), p.header)
	body, err := json.Marshal(p)
	if err != nil { // only an extension member of ours can do this
		a.logs(r.Context()).Error("problem document", "err", err)
		body = []byte(`{"title":"Internal error","status":500}`)
	}
	send(w, p.Status, problemType, body)
}

func send(w http.ResponseWriter, status int, kind string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that is gone cannot be told
	_, _ = w.Write([]byte{'\n'})
}

// body is an answer with a JSON document.
type body[T any] struct{ Body T }

func answer[T any](v T) *body[T] { return &body[T]{v} }
