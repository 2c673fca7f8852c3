package admin

import (
	"cmp"
	"time"

	"github.com/solocron/solocron/jobs"
)

// Policies is what happens around the runs of a job, in the words of its
// definition. Lengths of time are such as 1m30s.
type Policies struct {
	Timeout          string  `json:"timeout"`
	StartingDeadline string  `json:"startingDeadline"`
	OverlapPolicy    string  `json:"overlapPolicy"`
	QueueLimit       int     `json:"queueLimit,omitempty"`
	Catchup          Catchup `json:"catchup"`
	Retry            *Retry  `json:"retry,omitempty"` // left out: a failure is final
	PauseOnFailure   int     `json:"pauseOnFailure,omitempty"`
	Mode             string  `json:"mode"`
	ConcurrencyGroup string  `json:"concurrencyGroup,omitempty"`
	DependsOn        []Link  `json:"dependsOn,omitempty"`
	Triggers         []Link  `json:"triggers,omitempty"`
	History          Kept    `json:"history"`
	LogBytes         int     `json:"logBytes"`
}

// Catchup says which late ticks run.
type Catchup struct {
	Policy  string `json:"policy"`
	Max     int    `json:"max,omitempty"`
	Spacing string `json:"spacing,omitempty"`
}

// Retry says when a failed attempt is followed by another.
type Retry struct {
	MaxAttempts           int     `json:"maxAttempts"`
	InitialInterval       string  `json:"initialInterval"`
	BackoffCoefficient    float64 `json:"backoffCoefficient"`
	MaxInterval           string  `json:"maxInterval"`
	Jitter                float64 `json:"jitter"`
	NonRetryableExitCodes []int   `json:"nonRetryableExitCodes,omitempty"`
}

// Link is another job that a job depends on, or triggers.
type Link struct {
	Job       string `json:"job"`
	Condition string `json:"condition"`
	Window    string `json:"window,omitempty"`
}

// Kept is how much is remembered of a job.
type Kept struct {
	Succeeded int    `json:"succeeded"`
	Failed    int    `json:"failed"`
	MaxAge    string `json:"maxAge"`
}

// Param is a value that whoever triggers a job may give.
type Param struct {
	Name        string   `json:"name"`
	Type        string   `json:"type"`
	Default     string   `json:"default,omitempty"`
	Description string   `json:"description,omitempty"`
	Required    bool     `json:"required,omitempty"`
	Choices     []string `json:"choices,omitempty"`
}

func policiesOf(j jobs.Job) *Policies {
	keep := j.History.WithDefaults()
	p := &Policies{
		Timeout: "none", StartingDeadline: cmp.Or(j.StartingDeadline, jobs.DefaultStartingDeadline).String(),
		OverlapPolicy: cmp.Or(string(j.Overlap), "skip"), Catchup: catchupOf(j.Catchup), Retry: retryOf(j.Retry),
		PauseOnFailure: j.PauseOnFailure, Mode: "active", ConcurrencyGroup: j.Group,
		History:  Kept{keep.Succeeded, keep.Failed, keep.MaxAge.String()},
		LogBytes: max(0, cmp.Or(j.LogLimit, jobs.DefaultLogLimit)),
	}
	if j.Timeout > 0 {
		p.Timeout = j.Timeout.String()
	}
	if j.Shadow {
		p.Mode = "shadow"
	}
	if j.Overlap == jobs.QueueOverlap {
		p.QueueLimit = max(1, j.QueueLimit)
	}
	for _, d := range j.DependsOn {
		p.DependsOn = append(p.DependsOn, Link{d.Job, condition(d.Condition), cmp.Or(d.Window, defaultWindow).String()})
	}
	for _, t := range j.Triggers {
		p.Triggers = append(p.Triggers, Link{Job: t.Job, Condition: condition(t.Condition)})
	}
	return p
}

// defaultWindow is how long before a tick a dependency may have ended, where the
// job does not say so.
const defaultWindow = 24 * time.Hour

func condition(c jobs.Condition) string { return string(cmp.Or(c, jobs.OnSuccess)) }

func catchupOf(c jobs.Catchup) Catchup {
	out := Catchup{Policy: cmp.Or(string(c.Policy), "latest")}
	if c.Policy == jobs.CatchupAll {
		out.Max, out.Spacing = cmp.Or(c.Max, defaultCatchup), c.Spacing.String()
	}
	return out
}

// defaultCatchup is how many late ticks run one by one, where the job does not say so.
const defaultCatchup = 10

// retryOf shows r with what is meant where it says nothing.
func retryOf(r jobs.Retry) *Retry {
	if r.MaxAttempts <= 1 {
		return nil
	}
	return &Retry{
		MaxAttempts: r.MaxAttempts, InitialInterval: cmp.Or(r.InitialInterval, 10*time.Second).String(),
		BackoffCoefficient: cmp.Or(r.BackoffCoefficient, 2), MaxInterval: cmp.Or(r.MaxInterval, 5*time.Minute).String(),
		Jitter: r.Jitter, NonRetryableExitCodes: r.NonRetryableExitCodes,
	}
}

func paramsOf(j jobs.Job) []Param {
	var list []Param
	for _, p := range j.Params {
		list = append(list, Param{
			Name: p.Name, Type: cmp.Or(string(p.Type), string(jobs.StringParam)), Default: p.Default,
			Description: p.Description, Required: p.Required, Choices: p.Choices,
		})
	}
	return list
}
