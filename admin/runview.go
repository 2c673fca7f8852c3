package admin

import (
	"cmp"
	"context"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/scheduler"
)

// RunDetails is a run, as the API shows it alone.
type RunDetails struct {
	Run
	Events []RunEvent `json:"events" doc:"What happened to it, in the order of time, as the journal and the lease store tell."`
	Lease  *RunLease  `json:"lease" doc:"The lease that it runs under; null: it does not run, or that is not known."`
	Silent []string   `json:"silent,omitempty" doc:"Replicas that live and did not say what they saw, where they were asked."`
}

// RunLease is the lease of a run that is on.
type RunLease struct {
	Key       string     `json:"key"`
	Token     int64      `json:"token"`
	Holder    string     `json:"holder"`
	Acquired  *time.Time `json:"acquiredAt" doc:"As the token tells; null: it does not."`
	Expires   time.Time  `json:"expiresAt" doc:"On the store's clock, unless it is renewed."`
	Renewed   *time.Time `json:"renewedAt" doc:"The last time, or when it was got; null: its length is not known."`
	Remaining float64    `json:"remainingSeconds"`
}

type runInput struct {
	AboutRun
	Patience
	Witnesses bool `query:"witnesses" doc:"Ask each replica, too, what it saw of the tick."`
}

// getRun answers GET /runs/{run}.
func (a *API) getRun(ctx context.Context, in *runInput) (*body[RunDetails], error) {
	wait, err := in.span()
	if err != nil {
		return nil, err
	}
	row, err := a.findSoon(ctx, in.Run)
	if err != nil {
		return nil, err
	}
	if now := a.await(ctx, runOf(row), wait); now.Status != statusOf(&row) {
		if later, err := a.findSoon(ctx, in.Run); err == nil {
			row = later
		}
	}
	return answer(a.details(ctx, &row, in.Witnesses)), nil
}

// findSoon is find within the time for one question.
func (a *API) findSoon(ctx context.Context, run string) (scheduler.Row, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	return a.find(ctx, run)
}

// details is all that is known of the run of a row. What the store does not tell is
// left out.
func (a *API) details(ctx context.Context, r *scheduler.Row, witnesses bool) RunDetails {
	d := RunDetails{Run: runOf(*r), Events: recorded(r)}
	if r.State == scheduler.RunRunning {
		if d.Lease = a.leaseOfRun(ctx, r); d.Lease.renewedAfter(r.Started) {
			d.Events = append(d.Events, RunEvent{
				At: *d.Lease.Renewed, Kind: eventRenewed, Replica: d.Lease.Holder, Attempt: r.Attempt, Token: r.Token,
				Text: "the lease holds until " + d.Lease.Expires.Format(time.RFC3339Nano),
			})
		}
	}
	// Other runs may be about the same moment, which is all that replicas remember.
	if witnesses && r.Cause == scheduler.BySchedule {
		asking, cancel := context.WithTimeout(ctx, readLimit)
		defer cancel()
		seen, silent := a.ask(asking, r.Job, r.Tick)
		d.Events, d.Silent = append(d.Events, witnessed(seen)...), silent
	}
	d.Events = inOrder(d.Events)
	return d
}

// renewedAfter reports whether l was renewed since the run began, as far as is known: its
// start makes it as long as a renewal does.
func (l *RunLease) renewedAfter(started time.Time) bool {
	return l != nil && l.Renewed != nil && l.Renewed.After(started.Add(time.Second))
}

// leaseOfRun is the lease of a run that is on; nil if it is not known, or another's by
// now.
func (a *API) leaseOfRun(ctx context.Context, r *scheduler.Row) *RunLease {
	key := cmp.Or(r.Key, r.Job)
	for _, x := range a.records(ctx, []string{key}) {
		if x.State != election.StateRunning || x.Token != r.Token || x.Remaining <= 0 {
			continue
		}
		l := &RunLease{
			Key: key, Token: x.Token, Holder: x.Holder, Expires: x.Now.Add(x.Remaining).UTC(), Renewed: a.renewed(&x), Remaining: x.Remaining.Seconds(),
		}
		if at := acquired(&x); !at.IsZero() {
			l.Acquired = &at
		}
		return l
	}
	return nil
}

// renewed is when the lease of a record was renewed last, or got; nil: it is not known
// how long leases are.
func (a *API) renewed(r *election.Record) *time.Time {
	if a.TTL <= 0 || r.Remaining <= 0 {
		return nil
	}
	at := r.Now.Add(r.Remaining - a.TTL).UTC()
	return &at
}
