package notify

import (
	"context"
	"fmt"
	"strings"

	"github.com/solocron/solocron/config"
)

// Delivery is what a channel sends at once: one message, or several together because
// there are more than its rate allows.
type Delivery struct {
	ID       string // the same each time it is tried; for several, that of the first
	Messages []Message
	Try      int // 1 for the first time
}

// Sender hands a delivery to whoever passes it on to people. An error means that it
// is tried again later, unless it is a *RefusedError; one that is a *BusyError says
// when.
type Sender interface {
	Send(ctx context.Context, d *Delivery) error
}

const maxListedMessages = 100 // of those that are sent together

// Title is d in one line.
func (d *Delivery) Title() string {
	if len(d.Messages) == 1 {
		return d.Messages[0].Title()
	}
	jobs := map[string]bool{}
	for i := range d.Messages {
		jobs[d.Messages[i].Job] = true
	}
	if len(jobs) == 1 {
		return fmt.Sprintf("%d messages about %s", len(d.Messages), d.Messages[0].Job)
	}
	return fmt.Sprintf("%d messages about %d jobs", len(d.Messages), len(jobs))
}

// Text is all there is to say, several lines; of several messages a line each.
func (d *Delivery) Text() string {
	if len(d.Messages) == 1 {
		return d.Messages[0].Text()
	}
	var b strings.Builder
	for i := range d.Messages {
		if i == maxListedMessages {
			fmt.Fprintf(&b, "and %d more\n", len(d.Messages)-i)
			break
		}
		m := &d.Messages[i]
		b.WriteString("- " + m.Title())
		if line, _, _ := strings.Cut(m.Error, "\n"); line != "" {
			b.WriteString(": " + short(line, 160))
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// view is d as a template sees it.
func (d *Delivery) view() *config.NotifyView {
	v := &config.NotifyView{ID: d.ID, Title: d.Title(), Text: d.Text()}
	for i := range d.Messages {
		v.Events = append(v.Events, d.Messages[i].view())
	}
	if len(v.Events) > 0 {
		v.NotifyOf = v.Events[0]
	}
	return v
}
