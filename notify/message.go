package notify

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/scheduler"
)

// Kind says what a Message is about.
type Kind string

// The kinds. All but the last two are events that a configuration can ask for.
const (
	Failure  Kind = "failure"
	Recovery Kind = "recovery"
	Missed   Kind = "missed"
	Lost     Kind = "lost"
	Late     Kind = "late"
	Reminder Kind = "reminder" // nothing has become better since the last message
	Test     Kind = "test"     // somebody tries a channel
)

// Message is what people are told. Zero values mean that something is not known.
type Message struct {
	ID         string            `json:"id"` // different for each message, the same for each channel and try
	Kind       Kind              `json:"event"`
	Job        string            `json:"job"`
	Run        string            `json:"run,omitempty"`
	Tick       time.Time         `json:"tick,omitzero"`
	At         time.Time         `json:"at"`             // when what it tells was seen
	Since      time.Time         `json:"since,omitzero"` // when the first bad thing was seen after the last success
	Verdict    scheduler.Verdict `json:"verdict,omitempty"`
	Reason     string            `json:"reason,omitempty"` // of the verdict; of late: start or finish
	Error      string            `json:"error,omitempty"`  // at most 1000 bytes
	Failures   int               `json:"failures,omitempty"`
	Suppressed int               `json:"suppressed,omitempty"` // like this one that nobody was told of
	Replica    string            `json:"replica,omitempty"`
	Owner      string            `json:"owner,omitempty"`
	Runbook    string            `json:"runbook,omitempty"`
	Link       string            `json:"link,omitempty"`
	Labels     map[string]string `json:"labels,omitempty"`
}

// Title is m in one line.
func (m *Message) Title() string {
	switch m.Kind {
	case Failure:
		if m.Failures > 1 {
			return fmt.Sprintf("%s failed, %d times in a row", m.Job, m.Failures)
		}
		return m.Job + " failed"
	case Recovery:
		return m.Job + " works again"
	case Missed:
		return m.Job + " was not run: it was too late"
	case Lost:
		return m.Job + " lost its replica or its lease in mid-run"
	case Late:
		if m.Reason == string(FinishSide) {
			return m.Job + " has not finished in time"
		}
		return m.Job + " has not started in time"
	case Reminder:
		return m.Job + " is still in trouble"
	case Test:
		return "test of a channel of solocron"
	}
	return m.Job + " " + string(m.Kind)
}

// Text is all that m says, a line for each thing, without its title.
func (m *Message) Text() string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	moment := func(name string, t time.Time) {
		if !t.IsZero() {
			line(name, t.UTC().Format(time.RFC3339))
		}
	}
	line("error", m.Error)
	line("run", m.Run)
	moment("tick", m.Tick)
	line("verdict", joined(string(m.Verdict), m.Reason))
	moment("since", m.Since)
	if m.Kind != Failure && m.Failures > 0 {
		line("failed runs in a row", fmt.Sprint(m.Failures))
	}
	if m.Suppressed > 0 {
		line("the same, not told", fmt.Sprint(m.Suppressed))
	}
	line("replica", m.Replica)
	line("owner", m.Owner)
	for _, k := range slices.Sorted(maps.Keys(m.Labels)) {
		line("label "+k, m.Labels[k])
	}
	line("runbook", m.Runbook)
	line("see", m.Link)
	return strings.TrimSuffix(b.String(), "\n")
}

func joined(verdict, reason string) string {
	if verdict == "" || reason == "" {
		return verdict
	}
	return verdict + " (" + reason + ")"
}

// view is m as a template sees it.
func (m *Message) view() config.NotifyOf {
	return config.NotifyOf{
		Event: string(m.Kind), Job: m.Job, Run: m.Run, Tick: m.Tick.UTC(), At: m.At.UTC(), Since: m.Since.UTC(),
		Verdict: string(m.Verdict), Reason: m.Reason, Error: m.Error, Failures: m.Failures, Suppressed: m.Suppressed,
		Replica: m.Replica, Owner: m.Owner, Runbook: m.Runbook, Link: m.Link, Labels: m.Labels,
	}
}
