package admin

import (
	"encoding/hex"
	"time"

	"github.com/solocron/solocron/internal/traceid"
	"github.com/solocron/solocron/scheduler"
)

// Run is a run, or a tick or request that was not run, as the API shows it. What
// is not known, or does not apply, is left out.
type Run struct {
	ID           string             `json:"id"`
	TraceID      string             `json:"traceId,omitempty"` // of the trace about its tick, if any was taken: 32 hexadecimal digits
	Job          string             `json:"job"`
	Tick         time.Time          `json:"tick,omitzero"` // or the moment of the request
	Cause        scheduler.Cause    `json:"cause,omitempty"`
	By           string             `json:"by,omitempty"`     // who asked; whose run it was, of a lost one
	Reason       string             `json:"reason,omitempty"` // why they asked, in their words
	Params       map[string]string  `json:"params,omitempty"`
	Status       string             `json:"status"` // one word: queued, running, retrying, or the verdict
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
	Seconds      float64            `json:"seconds,omitempty"`      // that the last attempt took
	DryRun       bool               `json:"dryRun,omitempty"`       // nothing was done: it says what would be
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

// Runs is a list of runs, or a part of one.
type Runs struct {
	Items         []Run  `json:"items"`
	NextPageToken string `json:"nextPageToken,omitempty"` // empty at the end, and where there are no pages
	Stale         bool   `json:"stale,omitempty"`         // the store gives no answer: this is its last one
}

// statusOf is how a run stands, in one word.
func statusOf(r *scheduler.Row) string {
	if r.State == scheduler.RunEnded {
		return string(r.Verdict)
	}
	return string(r.State)
}

// tookOf is how long the last attempt of a run took; 0: it has not begun or ended.
func tookOf(r *scheduler.Row) time.Duration {
	if r.State != scheduler.RunEnded || r.Started.IsZero() {
		return 0
	}
	return max(0, r.Ended.Sub(r.Started))
}

// traceOf is the ID of the trace about what a run is about; empty: it is about nothing
// yet.
func traceOf(r *scheduler.Row) string {
	if r.Tick.IsZero() {
		return ""
	}
	id := traceid.Of(r.Job, r.Tick)
	return hex.EncodeToString(id[:])
}

// runOf shows a row.
func runOf(r scheduler.Row) Run {
	out := Run{
		ID: r.ID, TraceID: traceOf(&r), Job: r.Job, Tick: r.Tick.UTC(), Cause: r.Cause, By: r.By, Reason: r.Note, Params: r.Params,
		Status: statusOf(&r), State: r.State, Seconds: tookOf(&r).Seconds(),
		Attempt: r.Attempt, Replica: r.Replica, Token: r.Token, Started: r.Started.UTC(), Ended: r.Ended.UTC(),
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
