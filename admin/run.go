package admin

import (
	"time"

	"github.com/solocron/solocron/scheduler"
)

// Run is a run, or a tick or request that was not run, as the API shows it. What
// is not known, or does not apply, is left out.
type Run struct {
	ID           string             `json:"id"`
	Job          string             `json:"job"`
	Tick         time.Time          `json:"tick,omitzero"` // or the moment of the request
	Cause        scheduler.Cause    `json:"cause,omitempty"`
	By           string             `json:"by,omitempty"`     // who asked; whose run it was, of a lost one
	Reason       string             `json:"reason,omitempty"` // why they asked, in their words
	Params       map[string]string  `json:"params,omitempty"`
	State        scheduler.RowState `json:"state"`
	NotBefore    time.Time          `json:"notBefore,omitzero"` // queued or retrying: when it may begin
	Attempt      int                `json:"attempt,omitempty"`
	Attempts     []Attempt          `json:"attempts,omitempty"` // before the present one
	Replica      string             `json:"replica,omitempty"`
	Token        int64              `json:"token,omitempty"`
	StartDelay   string             `json:"startDelay,omitempty"` // such as 12ms
	Started      time.Time          `json:"started,omitzero"`
	Ended        time.Time          `json:"ended,omitzero"`
	Verdict      scheduler.Verdict  `json:"verdict,omitempty"`
	Why          scheduler.Reason   `json:"why,omitempty"`
	Error        string             `json:"error,omitempty"`
	OlderToo     bool               `json:"olderToo,omitempty"`     // still older ticks share the verdict
	Acknowledged bool               `json:"acknowledged,omitempty"` // a dead letter that somebody has acknowledged
}

// Attempt is an attempt of a run that failed and was followed by another.
type Attempt struct {
	Replica string            `json:"replica"`
	Token   int64             `json:"token"`
	Started time.Time         `json:"started"`
	Took    string            `json:"took"`
	Verdict scheduler.Verdict `json:"verdict"`
	Error   string            `json:"error,omitempty"`
}

// Runs is a list of runs.
type Runs struct {
	Items []Run `json:"items"`
}

// runOf shows a row.
func runOf(r scheduler.Row) Run {
	out := Run{
		ID: r.ID, Job: r.Job, Tick: r.Tick.UTC(), Cause: r.Cause, By: r.By, Reason: r.Note, Params: r.Params,
		State: r.State, Attempt: r.Attempt, Replica: r.Replica, Token: r.Token, Started: r.Started.UTC(), Ended: r.Ended.UTC(),
		Verdict: r.Verdict, Why: r.Reason, Error: r.Error, OlderToo: r.More, Acknowledged: r.Acked,
	}
	if !r.Started.IsZero() {
		out.StartDelay = r.Delay.Round(time.Millisecond).String()
	}
	for _, t := range r.Tries {
		out.Attempts = append(out.Attempts, Attempt{
			Replica: t.Replica, Token: t.Token, Started: t.Started.UTC(), Took: t.Took.Round(time.Millisecond).String(),
			Verdict: t.Verdict, Error: t.Error,
		})
	}
	return out
}

func runsOf(rows []scheduler.Row) Runs {
	list := Runs{Items: make([]Run, len(rows))}
	for i := range rows {
		list.Items[i] = runOf(rows[i])
	}
	return list
}

// rowOf is the run that a request asks for, in the state that it is in.
func rowOf(q scheduler.Request, state scheduler.RowState) scheduler.Row {
	return scheduler.Row{
		ID: q.Run, Job: q.Job, Tick: q.Tick, Cause: q.Cause, By: q.By, Note: q.Note, Params: q.Params,
		State: state, Attempt: q.Attempt, Token: q.Token,
	}
}

// queuedRun shows a request that nobody has begun.
func queuedRun(q scheduler.Request) Run {
	r := runOf(rowOf(q, scheduler.RunQueued))
	r.NotBefore = q.NotBefore.UTC()
	return r
}
