package admin

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxEcho is how many bytes of a client's input an answer repeats.
const maxEcho = 120

// problemError is an answer that is not a success, as RFC 9457 has it. It is an
// error, so that a handler can return it.
type problemError struct {
	Type   string // one word for programs: job-not-found
	Title  string
	Status int
	Detail string         // this occurrence, for people
	More   map[string]any // further members

	header  http.Header
	path    string // what it is about
	request string // the request that it answers
}

func (p *problemError) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Type, p.Detail) }

// GetStatus is p's status, for huma.
func (p *problemError) GetStatus() int { return p.Status }

// GetHeaders are the headers that go with p, for huma.
func (p *problemError) GetHeaders() http.Header { return p.header }

// ContentType is that of a problem document, for huma.
func (p *problemError) ContentType(string) string { return problemType }

// MarshalJSON is p as it is sent.
func (p *problemError) MarshalJSON() ([]byte, error) { return json.Marshal(p.document()) }

const problemType = "application/problem+json"

// document is p as it is sent.
func (p *problemError) document() map[string]any {
	doc := map[string]any{
		"type":     "urn:solocron:problem:" + p.Type,
		"title":    p.Title,
		"status":   p.Status,
		"instance": echo(p.path),
	}
	if p.request != "" {
		doc["requestId"] = p.request
	}
	if p.Detail != "" {
		doc["detail"] = p.Detail
	}
	maps.Copy(doc, p.More)
	return doc
}

func noSuchRoute(path string) *problemError {
	return &problemError{
		Type: "not-found", Title: "No such page", Status: http.StatusNotFound,
		Detail: fmt.Sprintf("There is nothing at %s; GET /api/v1/jobs lists the jobs.", echo(path)),
	}
}

func methodNotAllowed(allowed string) *problemError {
	return &problemError{
		Type: "method-not-allowed", Title: "Method not allowed", Status: http.StatusMethodNotAllowed,
		Detail: "Allowed here: " + allowed + ". Jobs are defined in the YAML file, not over HTTP.",
		header: http.Header{"Allow": {allowed}},
	}
}

func badRequest(detail string) *problemError {
	return &problemError{Type: "bad-request", Title: "Bad request", Status: http.StatusBadRequest, Detail: detail}
}

func noSuchJob(name string) *problemError {
	return &problemError{
		Type: "job-not-found", Title: "No such job", Status: http.StatusNotFound,
		Detail: fmt.Sprintf("There is no job %q; GET /api/v1/jobs lists the jobs.", echo(name)),
	}
}

// unavailable says that it may work again after some seconds.
func unavailable(kind, title, detail string, retry time.Duration) *problemError {
	return &problemError{
		Type: kind, Title: title, Status: http.StatusServiceUnavailable, Detail: detail,
		header: http.Header{"Retry-After": {strconv.Itoa(int(retry.Seconds()))}},
	}
}

// echo is a client's input, made fit to be repeated.
func echo(s string) string {
	cut := s
	if len(cut) > maxEcho {
		cut = cut[:maxEcho] + "…"
	}
	return strings.ToValidUTF8(cut, "�")
}
