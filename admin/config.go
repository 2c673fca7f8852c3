package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/config"
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

// Reload is how it went to read the configuration again, the last time.
type Reload struct {
	At       time.Time `json:"at"`
	OK       bool      `json:"ok" doc:"false: what was there before is kept whole."`
	Revision string    `json:"revision,omitempty" doc:"Of what was read."`
	Problems []Problem `json:"problems" doc:"Why it was not taken, or what in it needs a restart."`
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

// Validate checks the text of a configuration, and returns what it says, nil if it
// cannot be used. Name stands for its file in problems.
type Validate func(name string, text []byte) (*config.Config, []Problem)

// Schema returns the JSON Schema of the configuration.
type Schema func() ([]byte, error)

// Config is what is known of the configurations of the cluster.
type Config struct {
	Loaded    *Loaded        `json:"loaded"`     // by this replica; null: it does not tell
	Reload    *Reload        `json:"lastReload"` // of this replica; null: there was none
	Known     []string       `json:"known"`      // revisions that this replica can compare, the one that runs first
	Revisions map[string]int `json:"revisions"`  // replicas of each
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
	if a.Versions != nil {
		enter(b, route{
			id: "diffConfigs", path: base + "/config/diff", summary: "What a change from one configuration to another would change",
			about: "A replica knows the configuration that it runs by and the one before it. Nothing that may be a secret is shown.",
		}.reading(http.StatusNotFound), a.diff)
	}
	if a.Validate == nil {
		return
	}
	enter(b, route{
		id: "validateConfig", method: http.MethodPost, path: base + "/config/validate", role: access.Viewer,
		summary: "Check the text of a configuration", limit: maxText, empty: true, more: []int{http.StatusServiceUnavailable},
	}, a.validate)
	if a.Versions == nil {
		return
	}
	enter(b, route{
		id: "compareConfig", method: http.MethodPost, path: base + "/config/diff", role: access.Viewer,
		summary: "What this text would change, as the configuration of this replica",
		about:   "Of the jobs: what settings would be depends on the environment of each replica. Nothing of the text is kept.",
		limit:   maxText, empty: true, more: []int{http.StatusServiceUnavailable},
	}, a.compare)
}

// loaded is what this replica runs by, as far as it tells.
func (a *API) loaded() *Loaded {
	if a.Current == nil {
		return nil
	}
	return a.Current()
}

func (a *API) lastReload() *Reload {
	if a.Reloaded == nil {
		return nil
	}
	r := a.Reloaded()
	if r != nil && r.Problems == nil {
		r = &Reload{At: r.At, OK: r.OK, Revision: r.Revision, Problems: []Problem{}}
	}
	return r
}

// config answers GET /config.
func (a *API) config(ctx context.Context, _ *struct{}) (*body[Config], error) {
	own := a.loaded()
	out := Config{Loaded: own, Reload: a.lastReload(), Known: a.versions(), Revisions: map[string]int{}, Replicas: []Revised{}, Problems: []string{}}
	if own != nil {
		out.Problems = append(out.Problems, own.Warnings...)
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
		if own != nil && r.Revision != "" && r.Revision != own.Revision {
			out.Problems = append(out.Problems, "replica "+r.ID+" has revision "+r.Revision+"; this one has "+own.Revision)
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
	_, problems, err := a.checked(ctx, in)
	if err != nil {
		return nil, err
	}
	out := Checked{Valid: true, Problems: []Problem{}}
	for _, p := range problems {
		out.Problems = append(out.Problems, p)
		out.Valid = out.Valid && p.Warning
	}
	return answer(out), nil
}

// checked checks a text, when it is its turn.
func (a *API) checked(ctx context.Context, in *validateInput) (*config.Config, []Problem, error) {
	select {
	case a.checks <- struct{}{}:
		defer func() { <-a.checks }()
	case <-ctx.Done():
		return nil, nil, refusal("the configuration", ctx.Err())
	case <-time.After(readLimit):
		return nil, nil, unavailable("too-many-checks", "Too many checks", "Other configurations are being checked.", readLimit)
	}
	cfg, problems := a.Validate(in.Name, in.RawBody)
	return cfg, problems, nil
}
