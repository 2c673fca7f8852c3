package admin

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// The kinds of events of a run.
const (
	eventRequested    = "requested" // somebody, or another run, asked for it
	eventDue          = "due"       // by the schedule
	eventWon          = "won"       // a replica got the lease for an attempt
	eventStarted      = "started"
	eventRenewed      = "renewed" // the lease, the last time
	eventAttemptEnded = "attempt-ended"
	eventEnded        = "ended"   // or it was decided that there is no run
	eventYielded      = "yielded" // a replica left it to another, as it says
	eventWaiting      = "waiting" // a replica could not decide yet, as it says
)

// RunEvent is one thing that happened to a run.
type RunEvent struct {
	At      time.Time         `json:"at,omitzero" doc:"Left out: that is not known."`
	Kind    string            `json:"kind" enum:"requested,due,won,started,renewed,attempt-ended,ended,yielded,waiting"`
	Replica string            `json:"replica,omitempty" doc:"That did it, or says so."`
	Attempt int               `json:"attempt,omitempty"`
	Token   int64             `json:"token,omitempty"`
	Verdict scheduler.Verdict `json:"verdict,omitempty"`
	Why     scheduler.Reason  `json:"why,omitempty"`
	By      string            `json:"by,omitempty" doc:"Who asked; who had it instead; whose run was lost."`
	Count   int               `json:"count,omitempty" doc:"Of several in a row."`
	Last    time.Time         `json:"last,omitzero" doc:"Of several in a row."`
	Text    string            `json:"text" doc:"The same for people."`
}

// recorded is what the row of a run tells, in the order of time.
func recorded(r *scheduler.Row) []RunEvent {
	events := []RunEvent{wantedEvent(r)}
	for i, t := range r.Tries {
		attempt := max(1, firstAttempt(r)) + i
		events = append(events, begun(attempt, t.Replica, t.Token, t.Started, 0)...)
		events = append(events, RunEvent{
			At: t.Started.Add(t.Took).UTC(), Kind: eventAttemptEnded, Replica: t.Replica, Attempt: attempt, Token: t.Token, Verdict: t.Verdict,
			Text: words(t.Verdict, "") + colon(t.Error) + "; another attempt follows",
		})
	}
	if r.State != scheduler.RunRetrying && !r.Started.IsZero() {
		events = append(events, begun(r.Attempt, r.Replica, r.Token, r.Started, r.Delay)...)
	}
	if r.State == scheduler.RunEnded {
		events = append(events, RunEvent{
			At: r.Ended.UTC(), Kind: eventEnded, Replica: r.Replica, Attempt: r.Attempt, Token: r.Token, Verdict: r.Verdict, Why: r.Reason,
			By: endedBy(r), Text: verdictLine(r),
		})
	}
	return events
}

// firstAttempt is the number of the first of the attempts that r lists.
func firstAttempt(r *scheduler.Row) int {
	first := r.Attempt - len(r.Tries)
	if r.State == scheduler.RunRetrying {
		first++ // the present one is among the tries
	}
	return first
}

// wantedEvent is why there is a run at all.
func wantedEvent(r *scheduler.Row) RunEvent {
	if r.Cause == scheduler.BySchedule || r.Cause == "" {
		return RunEvent{At: r.Tick.UTC(), Kind: eventDue, Text: "due by the schedule"}
	}
	e := RunEvent{Kind: eventRequested, By: r.By, Text: "asked for (" + string(r.Cause) + ")"}
	switch {
	case r.Attempt == 1 && !r.Started.IsZero(): // the delay is from the request on
		e.At = r.Started.Add(-r.Delay).UTC()
	case r.Cause == scheduler.ByHand && r.Started.IsZero():
		e.At = r.Tick.UTC() // or the moment that it was to be about
	}
	if r.By != "" {
		e.Text += " by " + r.By
	}
	e.Text += colon(r.Note)
	return e
}

// endedBy is who had to do with the end of a run, where that is not who asked for it.
func endedBy(r *scheduler.Row) string {
	if r.Cause == scheduler.BySchedule {
		return r.By
	}
	return ""
}

// maxClaim is how long before its start an attempt can have got its lease.
const maxClaim = time.Hour

// begun is how an attempt began. A token is the store's clock in microseconds when the
// lease was granted, unless that had not grown: then it lies after the start.
func begun(attempt int, replica string, token int64, at time.Time, delay time.Duration) []RunEvent {
	started := RunEvent{At: at.UTC(), Kind: eventStarted, Replica: replica, Attempt: attempt, Token: token, Text: begins(attempt, replica, token, delay)}
	got := time.UnixMicro(token).UTC()
	if got.After(at) || at.Sub(got) > maxClaim {
		return []RunEvent{started}
	}
	return []RunEvent{{At: got, Kind: eventWon, Replica: replica, Attempt: attempt, Token: token, Text: replica + " got the lease"}, started}
}

// witnessed is what replicas say of a tick that its row does not.
func witnessed(seen map[string][]journal.Sighting) []RunEvent {
	var events []RunEvent
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		for _, s := range seen[id] {
			e := RunEvent{At: s.At.UTC(), Replica: id, By: s.By}
			switch s.Phase {
			case scheduler.Yielded:
				e.Kind, e.Text = eventYielded, id+" left it to "+cmp.Or(s.By, "another")+colon(s.Note)
			case scheduler.Waiting:
				e.Kind, e.Text = eventWaiting, id+" waits"+colon(s.Note)
			default:
				continue
			}
			if s.Count > 1 {
				e.Count, e.Last = s.Count, s.Last.UTC()
			}
			events = append(events, e)
		}
	}
	return events
}

// inOrder sorts events by time; those of no known time stay first.
func inOrder(events []RunEvent) []RunEvent {
	slices.SortStableFunc(events, func(x, y RunEvent) int { return x.At.Compare(y.At) })
	return events
}
