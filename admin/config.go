package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/solocron/solocron/admin/access"
)

// Loaded is the configuration that a replica runs by, without anything that may be
// a secret.
type Loaded struct {
	Revision  string    `json:"revision,omitempty"`
	Namespace string    `json:"namespace,omitempty"`
	Jobs      int       `json:"jobs"`
	File      string    `json:"file,omitempty"`
	At        time.Time `json:"at,omitzero"` // when it was loaded
	Warnings  []string  `json:"warnings,omitempty"`
}

// Problem is one thing wrong with a configuration.
type Problem struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line"`              // from 1; 0: it has no place in the file
	Col     int    `json:"col"`               // in characters, from 1
	Path    string `json:"path,omitempty"`    // such as jobs[nightly-report].http.url
	Message string `json:"message"`           //
	Warning bool   `json:"warning,omitempty"` // it is allowed, and hardly meant
}

// Validate checks the text of a configuration. Name stands for its file in problems.
type Validate func(name string, text []byte) []Problem

// Schema returns the JSON Schema of the configuration.
type Schema func() ([]byte, error)

// Config is what is known of the configurations of the cluster.
type Config struct {
	Loaded    *Loaded        `json:"loaded"`    // by this replica; null: it does not tell
	Revisions map[string]int `json:"revisions"` // replicas of each
	Replicas  []Revised      `json:"replicas"`
	Drift     bool           `json:"drift"`
	Problems  []string       `json:"problems"`
	Stale     bool           `json:"stale,omitempty"`
}

// Revised is the revision of a replica.
type Revised struct {
	Replica  string `json:"replica"`
	Revision string `json:"revision"` // empty: it does not tell
	Version  string `json:"version,omitempty"`
}

// maxChecks is how many configurations are checked at the same time.
const maxChecks = 2

// configRoutes are those about configurations.
func (a *API) configRoutes(b *book) {
	enter(b, route{id: "getConfig", path: base + "/config", summary: "Which configuration each replica has"}.reading(), a.config)
	if a.Validate == nil {
		return
	}
	enter(b, route{
		id: "validateConfig", method: http.MethodPost, path: base + "/config/validate", role: access.Viewer,
		summary: "Check the text of a configuration", limit: maxText, empty: true, more: []int{http.StatusServiceUnavailable},
	}, a.validate)
}

// config answers GET /config.
func (a *API) config(ctx context.Context, _ *struct{}) (*body[Config], error) {
	out := Config{Loaded: a.Loaded, Revisions: map[string]int{}, Replicas: []Revised{}, Problems: []string{}}
	if a.Loaded != nil {
		out.Problems = append(out.Problems, a.Loaded.Warnings...)
	}
	if a.Memory == nil || a.Memory.Members == nil {
		return answer(out), nil
	}
	list, err := a.roll(ctx)
	out.Revisions, out.Drift, out.Stale = list.Revisions, list.Drift, list.Stale || err != nil // what is not known is left out
	if out.Revisions == nil {
		out.Revisions = map[string]int{}
	}
	for _, r := range list.Items {
		out.Replicas = append(out.Replicas, Revised{r.ID, r.Revision, r.Version})
		if a.Loaded != nil && r.Revision != "" && r.Revision != a.Loaded.Revision {
			out.Problems = append(out.Problems, "replica "+r.ID+" has revision "+r.Revision+"; this one has "+a.Loaded.Revision)
		}
	}
	return answer(out), nil
}

type validateInput struct {
	Name    string `query:"name" maxLength:"200" default:"config.yaml" doc:"What problems call the file."`
	RawBody []byte `contentType:"application/yaml"`
}

// Checked is what is wrong with a configuration.
type Checked struct {
	Valid    bool      `json:"valid"`
	Problems []Problem `json:"problems"`
}

// validate answers POST /config/validate. Nothing of the text is kept.
func (a *API) validate(ctx context.Context, in *validateInput) (*body[Checked], error) {
	select {
	case a.checks <- struct{}{}:
		defer func() { <-a.checks }()
	case <-ctx.Done():
		return nil, refusal("the configuration", ctx.Err())
	case <-time.After(readLimit):
		return nil, unavailable("too-many-checks", "Too many checks", "Other configurations are being checked.", readLimit)
	}
	out := Checked{Valid: true, Problems: []Problem{}}
	for _, p := range a.Validate(in.Name, in.RawBody) {
		out.Problems = append(out.Problems, p)
		out.Valid = out.Valid && p.Warning
	}
	return answer(out), nil
}
