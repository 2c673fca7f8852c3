package admin

import (
	"fmt"
	"time"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// witness is what a replica says that the row does not.
func (e *evidence) witness(id string, s journal.Sighting) string {
	switch s.Phase {
	case scheduler.Yielded:
		text := id + " lost it: it is decided already"
		if s.By != "" {
			text = id + " lost it to " + s.By
		}
		return text + colon(s.Note)
	case scheduler.Waiting:
		text := id + " waits" + colon(s.Note)
		if s.By != "" {
			text += " (" + s.By + ")"
		}
		if s.Count > 1 {
			text += fmt.Sprintf(", %d times until %s", s.Count, e.stamp(s.Last))
		}
		return text
	case scheduler.Started:
		if e.row == nil {
			return fmt.Sprintf("%s begins attempt %d", id, s.Attempt)
		}
	case scheduler.Ended:
		if e.row == nil {
			return id + " says: " + words(s.Verdict, s.Reason) + colon(s.Note)
		}
	}
	return ""
}

// present is how things stand, if that is not the end of the story.
func (e *evidence) present() string {
	switch {
	case e.row != nil && e.row.State == scheduler.RunRunning:
		return "it runs on " + e.row.Replica
	case e.row != nil && e.row.State == scheduler.RunRetrying:
		return fmt.Sprintf("attempt %d is requested", e.row.Attempt+1)
	case e.row != nil:
		return ""
	case e.now.Before(e.tick):
		return e.prospect()
	case !e.told.Before(e.tick):
		return "history no longer holds it: it keeps the last runs of a job, and nothing from before its definition came into force"
	case !e.moment.Known.Before(e.tick) && e.told.IsZero():
		return "nothing is known of it: the job, or its definition, is newer"
	case !e.moment.Known.Before(e.tick):
		return "it is decided, and not recorded yet"
	}
	return "nothing is recorded of it yet: it waits for its turn, or came due while no replica was there"
}

// prospect is what will keep a tick from running, as things are.
func (e *evidence) prospect() string {
	switch {
	case e.suspended:
		return "the job is suspended in its definition: it will not run"
	case e.gate.Closes(e.tick):
		text := "the job is paused by " + e.gate.By
		if !e.gate.Until.IsZero() {
			text += " until " + e.gate.Until.In(e.zone).Format(time.RFC3339)
		}
		return text + colon(e.gate.Reason) + ": it will be skipped"
	}
	return ""
}
