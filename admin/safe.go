package admin

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
)

// maxText is how many bytes of any body are read.
const maxText = 4 << 20

// watched is a writer of an answer that knows whether it has begun.
type watched struct {
	http.ResponseWriter
	begun bool
}

// WriteHeader begins the answer.
func (w *watched) WriteHeader(status int) {
	w.begun = true
	w.ResponseWriter.WriteHeader(status)
}

// Write writes a part of the answer.
func (w *watched) Write(text []byte) (int, error) {
	w.begun = true
	return w.ResponseWriter.Write(text)
}

// Unwrap returns the writer within, for http.ResponseController.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// safe bounds what is read of a request, and makes a panic an error of it alone. An
// answer that has begun is broken off, so that nobody takes it for whole.
func (a *API) safe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(out, r.Body, maxText+1)
		w := &watched{ResponseWriter: out}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		r = a.named(w, r)
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p) // it was meant
			}
			a.logs(r.Context()).Error("request panicked", "method", r.Method, "path", r.URL.Path,
				"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if w.begun {
				panic(http.ErrAbortHandler)
			}
			a.fail(w, r, errPanicked)
		}()
		next.ServeHTTP(w, r)
	})
}

// errPanicked is what is known of a panic outside the log.
var errPanicked = errors.New("panic")
