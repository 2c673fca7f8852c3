package admin

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// Revoker takes leases away. See election.Overseer.
type Revoker interface {
	// Revoke takes the lease of key away if it has the token. The error matches
	// election.ErrNotApplied if nothing has happened.
	Revoke(ctx context.Context, key string, token int64, by, reason string) (election.Record, error)
}

// Lease is what the store knows of the lease of a job.
type Lease struct {
	Job              string     `json:"job"`
	State            string     `json:"state" enum:"free,claimed,running,done,revoked,quarantine"`
	Held             bool       `json:"held"`
	Holder           string     `json:"holder,omitempty"` // now or last
	Run              string     `json:"run,omitempty"`    // of the holder, now or last; left out: a request's, and it is not known which
	Token            int64      `json:"token"`
	Acquired         time.Time  `json:"acquired,omitzero"` // as the token tells, which is made of the store's clock
	Expires          *time.Time `json:"expires"`           // on the store's clock; null: it is not held
	Renewed          *time.Time `json:"renewed"`           // the last time, or when it was got; null: it is not held, or the length of leases is not known
	TTLSeconds       float64    `json:"ttlSeconds"`        // of a lease, from a renewal on; 0: it is not known
	Remaining        string     `json:"remaining"`         // until it, or the closed time after it, ends
	RemainingSeconds float64    `json:"remainingSeconds"`
	Attempt          int        `json:"attempt,omitempty"`
	Decided          time.Time  `json:"decided,omitzero"`   // the last tick decided
	Completed        time.Time  `json:"completed,omitzero"` // the last tick that succeeded
	Crashes          int64      `json:"crashes"`            // runs found abandoned
	Late             int64      `json:"late"`               // releases after the lease was lost
	Gate             Gate       `json:"gate"`
}

// Leases is a part of the list of leases.
type Leases struct {
	Items         []Lease   `json:"items"`
	ServerTime    time.Time `json:"serverTime,omitzero"` // of the store, when it answered
	NextPageToken string    `json:"nextPageToken"`
	Stale         bool      `json:"stale,omitempty"`
}

// leaseRoutes are those about leases.
func (a *API) leaseRoutes(b *book) {
	if a.Ledger == nil {
		return
	}
	enter(b, route{id: "listLeases", path: base + "/leases", summary: "Who may run which job now"}.reading(http.StatusServiceUnavailable), a.leases)
	if a.Revoker == nil {
		return
	}
	enter(b, route{
		id: "releaseLease", method: http.MethodPost, path: base + "/leases/{job}/release", role: access.Admin,
		summary: "Take a lease away from whoever has it", more: []int{http.StatusNotFound, http.StatusConflict},
	}, a.release)
}

type leasesInput struct {
	Held      bool   `query:"held" doc:"Only those that are held."`
	PageSize  int    `query:"pageSize" minimum:"1" maximum:"500" default:"100"`
	PageToken string `query:"pageToken" doc:"What nextPageToken said."`
}

// leases answers GET /leases, by the name of the job.
func (a *API) leases(ctx context.Context, in *leasesInput) (*body[Leases], error) {
	list := &jobsInput{Sort: "name", PageSize: in.PageSize, PageToken: in.PageToken}
	var after rank
	if err := readToken(in.PageToken, &after); err != nil {
		return nil, err
	}
	after.Sort = list.Sort
	if in.Held {
		list.PageSize = len(a.Engine.Jobs()) + 1 // which are is known only of all
	}
	part, next := page(a.Engine.Jobs(), list, after, rankOf)
	names := make([]string, len(part))
	for i := range part {
		names[i] = part[i].Job
	}
	out := Leases{Items: []Lease{}, NextPageToken: next}
	if len(names) == 0 {
		return answer(out), nil
	}
	records, stale, known := a.past.leases(names, a.records(ctx, names))
	if !known {
		return nil, silent(errNoRecords)
	}
	out.Stale = stale
	on := a.onLeases(ctx)
	for i := range records {
		if l := a.lease(names[i], &records[i], on); l.Held || !in.Held {
			if len(out.Items) == in.PageSize {
				out.NextPageToken = token(rank{Sort: list.Sort, Name: out.Items[in.PageSize-1].Job})
				break
			}
			out.Items = append(out.Items, l)
		}
		out.ServerTime = records[i].Now.UTC()
	}
	return answer(out), nil
}

var errNoRecords = errors.New("the lease store was asked in vain")

// lease shows a record, with what else is known of its holder: on is the runs that are
// on, by their tokens.
func (a *API) lease(job string, r *election.Record, on map[heldBy]string) Lease {
	l := leaseOf(job, r)
	l.TTLSeconds = a.TTL.Seconds()
	if !l.Held {
		return l
	}
	l.Renewed = a.renewed(r)
	if run := on[heldBy{job, r.Token}]; run != "" {
		l.Run = run
	}
	return l
}

// heldBy is what a lease is held by.
type heldBy struct {
	job   string
	token int64
}

// onLeases is the runs that are on, by what their leases are held by; nil if that is
// not known. The record of a lease names a tick, and not a request.
func (a *API) onLeases(ctx context.Context) map[heldBy]string {
	if a.Memory == nil || a.Memory.Journal == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	rows, err := a.Memory.Journal.Open(ctx)
	if err != nil {
		return nil
	}
	on := make(map[heldBy]string, len(rows))
	for i := range rows {
		if r := &rows[i]; r.State == scheduler.RunRunning {
			on[heldBy{r.Job, r.Token}] = r.ID
		}
	}
	return on
}

func leaseOf(job string, r *election.Record) Lease {
	l := Lease{
		Job: job, State: string(r.State), Held: (r.State == election.StateClaimed || r.State == election.StateRunning) && r.Remaining > 0,
		Holder: r.Holder, Token: r.Token, Remaining: r.Remaining.Round(time.Millisecond).String(), RemainingSeconds: r.Remaining.Seconds(),
		Attempt: r.Attempt, Decided: r.Decided.UTC(), Completed: r.Completed.UTC(), Crashes: r.Crashes, Late: r.Late, Gate: gateOf(r.Gate),
	}
	if r.State == election.StateFree {
		l.State = "free"
	}
	if !r.Tick.IsZero() {
		l.Run = tickID(job, r.Tick)
	}
	if l.Held {
		l.Acquired = acquired(r)
		at := r.Now.Add(r.Remaining).UTC()
		l.Expires = &at
	}
	return l
}

// acquired is about when a lease was granted: its token is the store's clock in
// microseconds, unless that did not grow; zero: the token does not tell.
func acquired(r *election.Record) time.Time {
	at := time.UnixMicro(r.Token).UTC()
	if at.After(r.Now) || r.Now.Sub(at) > 366*24*time.Hour {
		return time.Time{}
	}
	return at
}

type releaseInput struct {
	AboutJob
	Body Release
}

// Release is the body of a wish to take a lease away.
type Release struct {
	Reason     string `json:"reason" minLength:"1" maxLength:"500" doc:"Why, for those who look later."`
	ConfirmJob string `json:"confirmJob" doc:"The name of the job once more."`
	Token      int64  `json:"token" minimum:"1" doc:"Of the lease as it was seen: another one is not taken away."`
}

// release answers POST /leases/{job}/release with the record as it is then. The holder
// is told by its next renewal; nobody else is let in until its lease has surely ended.
func (a *API) release(ctx context.Context, in *releaseInput) (*body[Lease], error) {
	if _, err := a.Engine.Job(in.Job); err != nil {
		return nil, refusal(in.Job, err)
	}
	o, err := (&Why{Reason: in.Body.Reason}).order(ctx)
	if err != nil {
		return nil, err
	}
	if in.Body.ConfirmJob != in.Job {
		return nil, notValid("body.confirmJob", "is the name of the job in the path", in.Body.ConfirmJob)
	}
	asking, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	records, err := a.Ledger.Read(asking, []string{in.Job})
	if err != nil || len(records) != 1 {
		return nil, silent(errors.Join(errNoRecords, err))
	}
	if l := leaseOf(in.Job, &records[0]); !l.Held || l.Token != in.Body.Token {
		return nil, leaseMoved(l)
	}
	r, err := a.Revoker.Revoke(asking, in.Job, in.Body.Token, o.By, o.Note)
	if err != nil {
		return nil, refusal(in.Job, errors.Join(scheduler.ErrNoAnswer, err))
	}
	a.note(ctx, journal.Deed{What: "release-lease", Job: in.Job, Note: o.Note})
	if a.Memory != nil && a.Memory.Feed != nil {
		a.Memory.Feed.Say(journal.Happening{
			Topic: journal.AboutLease, Phase: journal.Revoked, Job: in.Job, Run: leaseOf(in.Job, &records[0]).Run, Token: in.Body.Token, By: o.By, Note: o.Note,
		})
	}
	return answer(leaseOf(in.Job, &r)), nil
}

// leaseMoved is the answer where the lease is not the one that was seen.
func leaseMoved(l Lease) *problemError {
	p := conflict("lease-moved", "Lease has moved", "The lease is not held under this token: look again.")
	p.More = map[string]any{"held": l.Held, "holder": l.Holder, "leaseToken": l.Token}
	return p
}
