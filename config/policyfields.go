package config

import (
	"slices"
	"time"

	"github.com/solocron/solocron/jobs"
)

// policyFields is what YAML may say about the policies of a job, and in defaults.
// It begins with what holds where nobody says otherwise, so that a zero has been
// written; but for retry.maxInterval, which depends on initialInterval.
type policyFields struct {
	OverlapPolicy  string        `yaml:"overlapPolicy"`
	Catchup        catchup       `yaml:"catchup"`
	Retry          retry         `yaml:"retry"`
	PauseOnFailure int           `yaml:"pauseOnFailure"` // 0: never
	History        historyFields `yaml:"history"`
	Logs           logs          `yaml:"logs"`
	OnHolderLost   string        `yaml:"onHolderLost"`
	OnInterrupt    string        `yaml:"onInterrupt"`
	OnStoreDown    string        `yaml:"onStoreDown"`
	OnOverrun      string        `yaml:"onOverrun"`
	Idempotent     bool          `yaml:"idempotent"`
}

// linkFields is what YAML may say about one job only.
type linkFields struct {
	QueueLimit       int          `yaml:"queueLimit"`
	Mode             string       `yaml:"mode"`
	ConcurrencyGroup string       `yaml:"concurrencyGroup"`
	Params           []param      `yaml:"params"`
	DependsOn        []dependency `yaml:"dependsOn"`
	Triggers         []trigger    `yaml:"triggers"`
}

type catchup struct {
	Policy  string        `yaml:"policy"`
	Max     int           `yaml:"max"`
	Spacing time.Duration `yaml:"spacing"` // 0: none
}

type retry struct {
	MaxAttempts           int           `yaml:"maxAttempts"`
	InitialInterval       time.Duration `yaml:"initialInterval"`
	BackoffCoefficient    float64       `yaml:"backoffCoefficient"`
	MaxInterval           time.Duration `yaml:"maxInterval"`
	Jitter                float64       `yaml:"jitter"` // 0: none
	NonRetryableExitCodes []int         `yaml:"nonRetryableExitCodes"`
}

type historyFields struct {
	Succeeded int           `yaml:"succeeded"`
	Failed    int           `yaml:"failed"`
	MaxAge    time.Duration `yaml:"maxAge"`
}

type logs struct {
	MaxBytes size `yaml:"maxBytes"` // 0: none
}

type param struct {
	Name        string   `yaml:"name"`
	Type        string   `yaml:"type"`
	Default     string   `yaml:"default"`
	Description string   `yaml:"description"`
	Required    bool     `yaml:"required"`
	Choices     []string `yaml:"choices"`
}

type dependency struct {
	Job       string        `yaml:"job"`
	Condition string        `yaml:"condition"`
	Window    time.Duration `yaml:"window"`
}

type trigger struct {
	Job       string `yaml:"job"`
	Condition string `yaml:"condition"`
}

// shortForm is a map of which one field may stand for the whole.
type shortForm interface{ short() string }

func (*catchup) short() string    { return "policy" }
func (*dependency) short() string { return "job" }
func (*trigger) short() string    { return "job" }

// builtinPolicies returns what holds where nobody says otherwise.
func builtinPolicies() policyFields {
	h := jobs.History{}.WithDefaults()
	return policyFields{
		OverlapPolicy: "skip",
		Catchup:       catchup{Policy: "latest", Max: 10},
		Retry: retry{
			MaxAttempts: 1, InitialInterval: 10 * time.Second, BackoffCoefficient: 2, Jitter: 0.2,
		},
		History: historyFields{Succeeded: h.Succeeded, Failed: h.Failed, MaxAge: h.MaxAge},
		Logs:    logs{MaxBytes: jobs.DefaultLogLimit},

		OnHolderLost: "skip", OnInterrupt: "rerun", OnStoreDown: "wait", OnOverrun: "report",
	}
}

// policies returns f in the words of package jobs. What is unknown stays as it is
// written, for CheckPolicies to find.
func (f *policyFields) policies() jobs.Policies {
	p := jobs.Policies{
		Overlap:        overlap(f.OverlapPolicy),
		Catchup:        jobs.Catchup{Policy: jobs.CatchupPolicy(f.Catchup.Policy)},
		Retry:          jobs.Retry(f.Retry),
		PauseOnFailure: f.PauseOnFailure,
		History:        jobs.History(f.History),
		LogLimit:       int(f.Logs.MaxBytes),
		OnHolderLost:   unless(f.OnHolderLost, "skip", jobs.SkipOnHolderLost),
		OnInterrupt:    unless(f.OnInterrupt, "rerun", jobs.RerunOnInterrupt),
		OnStoreDown:    unless(f.OnStoreDown, "wait", jobs.WaitOnStoreDown),
		OnOverrun:      unless(f.OnOverrun, "report", jobs.ReportOverrun),
		Idempotent:     f.Idempotent,
	}
	switch p.Catchup.Policy {
	case "latest":
		p.Catchup.Policy = jobs.CatchupLatest
	case jobs.CatchupAll:
		p.Catchup.Max, p.Catchup.Spacing = f.Catchup.Max, f.Catchup.Spacing
	}
	if f.Logs.MaxBytes == 0 {
		p.LogLimit = -1
	}
	return p
}

// unless reads a policy whose usual value, called word in YAML, is a constant of
// its own in package jobs.
func unless[P ~string](s, word string, usual P) P {
	if s == word {
		return usual
	}
	return P(s)
}

// overlap reads an overlap policy: our word, or that of Kubernetes or Temporal.
func overlap(word string) jobs.Overlap {
	switch word {
	case "skip", "Skip", "forbid", "Forbid":
		return jobs.SkipOverlap
	case "queue", "Queue", "buffer_one":
		return jobs.QueueOverlap
	case "replace", "Replace":
		return jobs.ReplaceOverlap
	case "allow", "Allow":
		return jobs.AllowOverlap
	}
	return jobs.Overlap(word)
}

// params returns the declared parameters, values in canonical notation as far
// as they have one.
func (f *linkFields) params() []jobs.Param {
	if len(f.Params) == 0 {
		return nil
	}
	list := make([]jobs.Param, len(f.Params))
	for i, w := range f.Params {
		p := jobs.Param{
			Name: w.Name, Type: jobs.ParamType(w.Type), Default: w.Default, Description: w.Description,
			Required: w.Required, Choices: slices.Clone(w.Choices),
		}
		if p.Type == "" {
			p.Type = jobs.StringParam
		}
		if w.Default != "" {
			p.Default = canonical(p, w.Default)
		}
		for k, choice := range p.Choices {
			p.Choices[k] = canonical(p, choice)
		}
		list[i] = p
	}
	return list
}

func canonical(p jobs.Param, text string) string {
	if c, err := p.Canonical(text); err == nil {
		return c
	}
	return text
}

func (f *linkFields) dependsOn() []jobs.Dependency {
	var list []jobs.Dependency
	for _, d := range f.DependsOn {
		list = append(list, jobs.Dependency{Job: d.Job, Condition: condition(d.Condition), Window: d.Window})
	}
	return list
}

func (f *linkFields) triggers() []jobs.Trigger {
	var list []jobs.Trigger
	for _, t := range f.Triggers {
		list = append(list, jobs.Trigger{Job: t.Job, Condition: condition(t.Condition)})
	}
	return list
}

func condition(word string) jobs.Condition {
	if word == "" {
		return jobs.OnSuccess
	}
	return jobs.Condition(word)
}
