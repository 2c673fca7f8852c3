package admin

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Origin is what a configuration says of a job to people.
type Origin struct {
	Source      Source
	Description string
	Runbook     string // where to read what to do when it fails
}

// Source is where a job is defined.
type Source struct {
	File string `json:"file" doc:"As the replica was told it."`
	Line int    `json:"line" doc:"Where the job begins, from 1."`
}

// About returns what the configuration says of a job; false: it is not in it.
type About func(job string) (Origin, bool)

// source is where a job is defined; nil if that is not known.
func (a *API) source(job string) *Source {
	if a.About == nil {
		return nil
	}
	if o, known := a.About(job); known {
		return &o.Source
	}
	return nil
}

// described fills in what the configuration says of a job.
func (a *API) described(j *Job) {
	if a.About == nil {
		return
	}
	if o, known := a.About(j.Job); known {
		j.Source, j.Description, j.Runbook = &o.Source, o.Description, o.Runbook
	}
}

// String is such as jobs.yaml:12.
func (s *Source) String() string { return fmt.Sprintf("%s:%d", s.File, s.Line) }

// Unless is a request that wants to hear only what it has not heard before.
type Unless struct {
	Seen string `header:"If-None-Match" maxLength:"1000" doc:"ETags of what the client has: then the answer is 304, without a body."`
}

// tagged is an answer with a document that is told apart from any other by its tag.
type tagged[T any] struct {
	Status int
	ETag   string `header:"ETag" doc:"Of this very document."`
	Body   T
}

// unless answers with v, or that nothing is new to the client.
func unless[T any](in Unless, v T) (*tagged[T], error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("tag: %w", err)
	}
	sum := sha256.Sum256(text)
	out := &tagged[T]{Status: http.StatusOK, ETag: `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`, Body: v}
	if seen(in.Seen, out.ETag) {
		out.Status = http.StatusNotModified
	}
	return out, nil
}

// seen reports whether a list of tags, such as a client sends, covers one.
func seen(list, tag string) bool {
	for t := range strings.SplitSeq(list, ",") {
		if t = strings.TrimSpace(t); t == "*" || strings.TrimPrefix(t, "W/") == tag { // a proxy that packs an answer weakens its tag
			return true
		}
	}
	return false
}

// suspended is the answer where a job cannot be resumed over this API.
func (a *API) suspended(job string) *problemError {
	where := "in its definition"
	s := a.source(job)
	if s != nil {
		where += ", " + s.String()
	}
	p := conflict("job-suspended", "Job is suspended", fmt.Sprintf("%s is suspended %s: that is where it is resumed.", echo(job), where))
	if s != nil {
		p.More = map[string]any{"source": s}
	}
	return p
}
