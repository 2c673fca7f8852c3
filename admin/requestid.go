package admin

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"
)

// requestHeader names a request, in both directions: what people find in an answer is
// in the lines that this replica, and whoever stands before it, has logged.
const requestHeader = "X-Request-Id"

const maxRequestID = 64 // bytes of one from outside

// requestID is the name of r: the one that it came with, if that can stand in a header
// and a log without harm, or a new one.
func requestID(r *http.Request) string {
	if id := r.Header.Get(requestHeader); harmless(id) {
		return id
	}
	return rand.Text()
}

// harmless reports whether id has 1 to 64 of the characters that names are made of.
func harmless(id string) bool {
	const marks = "._-"
	return id != "" && len(id) <= maxRequestID && strings.IndexFunc(id, func(c rune) bool {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		return !letter && !strings.ContainsRune(marks, c)
	}) < 0
}

// logs is where to log what is about the request whose context ctx is.
func (a *API) logs(ctx context.Context) *slog.Logger {
	if id := callerOf(ctx).id; id != "" {
		return a.Log.With("request_id", id)
	}
	return a.Log
}
