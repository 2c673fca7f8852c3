package admin

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/solocron/solocron/config"
)

// Versions is the configurations that a replica knows: at least the one it runs by.
type Versions interface {
	// Known lists their revisions, that of the one that runs first.
	Known() []string
	// Revision returns one of them; false: it is not known.
	Revision(id string) (*config.Config, bool)
}

// running stands for the revision that this replica runs by.
const running = "running"

type diffInput struct {
	A string `query:"a" required:"true" maxLength:"300" doc:"What it was: a revision, the ID of a replica, or running." example:"running"`
	B string `query:"b" maxLength:"300" default:"running" doc:"What it is to be, in the same words."`
}

// Difference is what a change from one configuration to another would change.
type Difference struct {
	A       Side     `json:"a"`
	B       Side     `json:"b"`
	Same    bool     `json:"same"`
	Changes []Change `json:"changes" doc:"The settings first, then the jobs in the order of b, then those that b lacks."`
}

// Side is one of two configurations.
type Side struct {
	Asked    string `json:"asked"`
	Revision string `json:"revision"`
}

// Change is what became of a job, or of the settings.
type Change struct {
	Kind   string        `json:"kind" enum:"changed,added,removed"`
	Job    string        `json:"job,omitempty" doc:"Left out: the settings."`
	Line   int           `json:"line,omitempty" doc:"Of the job in b; in a if it was removed."`
	Fields []FieldChange `json:"fields"`
	Before *time.Time    `json:"before" doc:"Its next run under a; null: none."`
	After  *time.Time    `json:"after" doc:"And under b."`
}

// FieldChange is one field that is not what it was, in short.
type FieldChange struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// versions lists what can be compared.
func (a *API) versions() []string {
	if a.Versions == nil {
		return []string{}
	}
	return append([]string{}, a.Versions.Known()...)
}

// diff answers GET /config/diff.
func (a *API) diff(ctx context.Context, in *diffInput) (*body[Difference], error) {
	before, err := a.pick(ctx, in.A)
	if err != nil {
		return nil, err
	}
	after, err := a.pick(ctx, in.B)
	if err != nil {
		return nil, err
	}
	out := Difference{A: Side{in.A, before.Revision}, B: Side{in.B, after.Revision}}
	out.tell(config.Diff(before, after, a.Now()))
	return answer(out), nil
}

// compare answers POST /config/diff.
func (a *API) compare(ctx context.Context, in *validateInput) (*body[Difference], error) {
	before, err := a.pick(ctx, running)
	if err != nil {
		return nil, err
	}
	after, problems, err := a.checked(ctx, in)
	if err != nil {
		return nil, err
	}
	if after == nil {
		return nil, &problemError{
			Type: "bad-config", Title: "Configuration not valid", Status: http.StatusUnprocessableEntity,
			Detail: fmt.Sprintf("%s has faults: see problems.", echo(in.Name)), More: map[string]any{"problems": problems},
		}
	}
	out := Difference{A: Side{running, before.Revision}, B: Side{in.Name, after.Revision}}
	changes := config.Diff(before, after, a.Now())
	out.tell(slices.DeleteFunc(changes, func(c config.Change) bool { return c.Job == "" }))
	return answer(out), nil
}

// tell lists changes.
func (d *Difference) tell(changes []config.Change) {
	d.Same, d.Changes = len(changes) == 0, make([]Change, len(changes))
	for i := range changes {
		d.Changes[i] = changeOf(&changes[i])
	}
}

func changeOf(c *config.Change) Change {
	out := Change{Kind: c.Kind.String(), Job: c.Job, Line: c.Line, Fields: []FieldChange{}, Before: told(&c.Before), After: told(&c.After)}
	for _, f := range c.Fields {
		out.Fields = append(out.Fields, FieldChange(f))
	}
	return out
}

// pick is the configuration that somebody calls id.
func (a *API) pick(ctx context.Context, id string) (*config.Config, error) {
	known := a.Versions.Known()
	revision := id
	switch {
	case id == running && len(known) > 0:
		revision = known[0]
	case !slices.Contains(known, id):
		revision = a.revisionOf(ctx, id)
	}
	if c, ok := a.Versions.Revision(revision); ok {
		return c, nil
	}
	return nil, unknownRevision(id, revision, known)
}

// revisionOf is the revision of the replica with this ID; id itself if there is none,
// or it does not tell.
func (a *API) revisionOf(ctx context.Context, id string) string {
	if a.Memory == nil || a.Memory.Members == nil {
		return id
	}
	list, err := a.roll(ctx)
	if err != nil {
		return id
	}
	for _, r := range list.Items {
		if r.ID == id && r.Revision != "" {
			return r.Revision
		}
	}
	return id
}

func unknownRevision(id, revision string, known []string) *problemError {
	name := fmt.Sprintf("%q", echo(id))
	if revision != id {
		name = fmt.Sprintf("the revision %s of replica %q", echo(revision), echo(id))
	}
	return &problemError{
		Type: "unknown-revision", Title: "Revision not known here", Status: http.StatusNotFound,
		Detail: fmt.Sprintf("This replica does not have %s. It has: %s.", name, strings.Join(known, ", ")),
		More:   map[string]any{"known": known},
	}
}
