package jobs

import (
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
}

func (r Run) view() runView {
	return runView{ID: r.ID, Job: r.Job, Tick: r.Tick.UTC(), Attempt: r.Attempt, Token: r.Token}
}

var errTemplateTooLong = errors.New("the result is too long")

// runTemplate is a text in which {{.Tick.Format "2006-01-02"}}, {{.ID}},
// {{.Job}}, {{.Attempt}} and {{.Token}} stand for those of the run.
type runTemplate struct {
	parsed *template.Template
	limit  int // of the result, in bytes
}

// parseTemplate reads text and tries it once, so that an unknown name is found
// when the configuration is loaded.
func parseTemplate(text string, limit int) (runTemplate, error) {
	parsed, err := template.New("").Option("missingkey=error").Parse(text)
	if err != nil {
		return runTemplate{}, templateFault(err)
	}
	t := runTemplate{parsed: parsed, limit: limit}
	sample := Run{ID: "job.20260101T000000Z", Job: "job", Attempt: 1, Token: 1, Tick: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	_, err = t.render(sample)
	return t, err
}

// render fills in run.
func (t runTemplate) render(run Run) (string, error) {
	out := limitedBuilder{limit: t.limit}
	if err := t.parsed.Execute(&out, run.view()); err != nil {
		return "", templateFault(err)
	}
	return out.String(), nil
}

// templateFault takes the nameless template's name out of the message.
func templateFault(err error) error {
	if errors.Is(err, errTemplateTooLong) {
		return errTemplateTooLong
	}
	return fmt.Errorf("%s; known are .Tick, .ID, .Job, .Attempt, .Token, and {{\"{{\"}} gives two braces",
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
