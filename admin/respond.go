package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
)

// response is the success of a handler: a value sent as JSON.
type response struct {
	status   int // 0: 200
	location string
	body     any
}

// handler does the work of a route. What it returns becomes HTTP in answer.
type handler func(*http.Request) (response, error)

// answer is the one place where results and errors become HTTP. A panic in h
// is an error of this request only.
func (a *API) answer(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		res, err := a.call(h, r)
		if err != nil {
			a.fail(w, r, err)
			return
		}
		body, err := json.Marshal(res.body)
		if err != nil {
			a.fail(w, r, fmt.Errorf("answer: %w", err))
			return
		}
		if res.location != "" {
			w.Header().Set("Location", res.location)
		}
		if res.status == 0 {
			res.status = http.StatusOK
		}
		send(w, res.status, "application/json", body)
	})
}

func (a *API) call(h handler, r *http.Request) (res response, err error) {
	defer func() {
		if p := recover(); p != nil {
			a.Log.Error("request panicked", "method", r.Method, "path", r.URL.Path,
				"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = errors.New("panic")
		}
	}()
	return h(r)
}

// fail sends err as a problem. What is not a problemError is this program's fault:
// it is logged whole and not shown.
func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) {
	p, ok := errors.AsType[*problemError](err)
	if !ok {
		a.Log.Error("request failed", "method", r.Method, "path", r.URL.Path, "err", err)
		p = &problemError{
			Type: "internal", Title: "Internal error", Status: http.StatusInternalServerError,
			Detail: "The log of this replica says more.",
		}
	}
	maps.Copy(w.Header(), p.header)
	doc := p.document(r.URL.EscapedPath())
	body, err := json.Marshal(doc)
	if err != nil { // only an extension member of ours can do this
		a.Log.Error("problem document", "err", err)
		body = []byte(`{"title":"Internal error","status":500}`)
	}
	send(w, p.Status, "application/problem+json", body)
}

func send(w http.ResponseWriter, status int, kind string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // a client that is gone cannot be told
}
