package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/template"
	"time"
)

const (
	maxNotifyTemplate = 64 << 10  // bytes of a template
	maxNotifyBody     = 256 << 10 // bytes of what one makes
)

// NotifyView is what the template of a webhook sees. Texts come from jobs: {{json .Error}}
// puts one into JSON so that it cannot end its quotes.
type NotifyView struct {
	ID     string     // of the delivery: the same each time it is tried
	Title  string     // one line
	Text   string     // all there is to say, several lines
	Events []NotifyOf // one; more if they are told together, because there are so many

	NotifyOf // the first of Events
}

// NotifyOf is one message as a template sees it. Times are UTC; zero if unknown.
type NotifyOf struct {
	Event      string // failure, recovery, missed, lost, late, reminder, test
	Job        string
	Run        string
	Tick       time.Time
	At         time.Time
	Since      time.Time // when it became bad
	Verdict    string
	Reason     string
	Error      string
	Failures   int // failed runs in a row
	Suppressed int // like this one that nobody was told of
	Replica    string
	Owner      string
	Runbook    string
	Link       string
	Labels     map[string]string
}

// ParseNotifyBody parses the template of a webhook and tries it once, so that a
// name that is unknown is found when the file is read.
func ParseNotifyBody(text string) (*template.Template, error) {
	if len(text) > maxNotifyTemplate {
		return nil, fmt.Errorf("is longer than %d KiB", maxNotifyTemplate>>10)
	}
	t, err := template.New("").Option("missingkey=zero").Funcs(template.FuncMap{"json": notifyJSON}).Parse(text)
	if err == nil {
		sample := NotifyOf{Event: "failure", Job: "job", Run: "job.20260101T000000Z", Labels: map[string]string{}}
		_, err = RenderNotifyBody(t, &NotifyView{ID: "id", Title: "title", Text: "text", Events: []NotifyOf{sample}, NotifyOf: sample})
	}
	if err != nil {
		return nil, fmt.Errorf("%s; known are .Event, .Title, .Text, .Job, .Run, .Error and others, see docs/notifications.md", strings.TrimPrefix(err.Error(), "template: :"))
	}
	return t, nil
}

// RenderNotifyBody fills v into t. It fails if the result is above 256 KiB.
func RenderNotifyBody(t *template.Template, v *NotifyView) ([]byte, error) {
	var out boundedBuffer
	if err := t.Execute(&out, v); err != nil {
		return nil, err
	}
	return []byte(out.String()), nil
}

func notifyJSON(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

var errBodyTooLong = errors.New("the result is longer than 256 KiB")

// boundedBuffer takes maxNotifyBody bytes: a template can loop for ever.
type boundedBuffer struct{ strings.Builder }

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxNotifyBody {
		return 0, errBodyTooLong
	}
	return b.Builder.Write(p)
}
