package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/template"
	"time"
)

// runView is what a template in the settings sees of a Run.
type runView struct {
	ID      string
	Job     string
	Tick    time.Time // UTC
	Attempt int
	Token   int64
	Params  map[string]string
}

// view shows r with what people may have typed escaped.
func (r Run) view(escape func(string) string) runView {
	v := runView{ID: r.ID, Job: r.Job, Tick: r.Tick.UTC(), Attempt: r.Attempt, Token: r.Token, Params: r.Params}
	if escape == nil {
		return v
	}
	v.ID, v.Params = escape(r.ID), make(map[string]string, len(r.Params))
	for name, value := range r.Params {
		v.Params[name] = escape(value)
	}
	return v
}

var errTemplateTooLong = errors.New("the result is too long")

// runTemplate is a text in which {{.Tick.Format "2006-01-02"}}, {{.ID}},
// {{.Job}}, {{.Attempt}}, {{.Token}} and {{.Params.name}} stand for those of the run.
type runTemplate struct {
	parsed *template.Template
	limit  int                 // of the result, in bytes
	escape func(string) string // of the id and the parameters; nil: none
	params bool                // a parameter is named
}

// parseTemplate reads text, in which params may be named, and tries it once with
// their defaults, so that an unknown name is found when the configuration is loaded.
func parseTemplate(text string, limit int, params []Param, escape func(string) string) (runTemplate, error) {
	parsed, err := template.New("").Option("missingkey=error").Funcs(template.FuncMap{"json": jsonText}).Parse(text)
	if err != nil {
		return runTemplate{}, templateFault(err)
	}
	t := runTemplate{parsed: parsed, limit: limit, escape: escape}
	if t.params, err = checkNames(parsed, params); err != nil {
		return runTemplate{}, err
	}
	sample := Run{ID: "job.20260101T000000Z", Job: "job", Attempt: 1, Token: 1, Tick: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	sample.Params = Job{Policies: Policies{Params: params}}.DefaultParams()
	_, err = t.render(sample)
	return t, err
}

// render fills in run.
func (t runTemplate) render(run Run) (string, error) {
	out := limitedBuilder{limit: t.limit}
	if err := t.parsed.Execute(&out, run.view(t.escape)); err != nil {
		return "", templateFault(err)
	}
	return out.String(), nil
}

// jsonText is v as JSON, for a body in which a value must not end its quotes.
func jsonText(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

// templateFault takes the nameless template's name out of the message.
func templateFault(err error) error {
	if errors.Is(err, errTemplateTooLong) {
		return errTemplateTooLong
	}
	return fmt.Errorf("%s; known are .Tick, .ID, .Job, .Attempt, .Token, .Params, and {{\"{{\"}} gives two braces",
		strings.TrimPrefix(strings.TrimPrefix(err.Error(), "template: "), ":"))
}

type limitedBuilder struct {
	strings.Builder
	limit int
}

func (b *limitedBuilder) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.limit {
		return 0, errTemplateTooLong
	}
	return b.Builder.Write(p)
}
