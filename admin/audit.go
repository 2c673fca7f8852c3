package admin

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/journal"
)

const (
	readLimit  = 3 * time.Second // for one question to the journal or the ledger
	auditLimit = 2 * time.Second
)

// viaMark stands between an address and how somebody was known, in what the diary
// keeps of where a deed came from.
const viaMark = " via "

// note keeps who did what. What was done stands whether or not it can be noted.
func (a *API) note(ctx context.Context, d journal.Deed) {
	a.past.cluster.forget()
	who := access.From(ctx)
	d.At, d.Who, d.From = a.Now(), who.Name, callerOf(ctx).from
	if who.Via != "" && who.Via != access.ViaLoopback {
		d.From += viaMark + who.Via
	}
	a.logs(ctx).Info("asked over the API", "what", d.What, "job", d.Job, "run", d.Run, "requested_by", d.Who, "from", d.From, "note", d.Note)
	if a.Memory == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), auditLimit)
	defer cancel()
	if err := a.Memory.Journal.Audit(ctx, d); err != nil {
		a.logs(ctx).Error("a deed could not be noted", "what", d.What, "job", d.Job, "run", d.Run, "err", err)
	}
}

// Deed is something that somebody did, as the API shows it.
type Deed struct {
	At     time.Time `json:"at"`
	Who    string    `json:"who"`
	What   string    `json:"what"`
	Job    string    `json:"job,omitempty"`
	Run    string    `json:"run,omitempty"`
	Reason string    `json:"reason,omitempty"`
	From   string    `json:"from,omitempty"` // address
	Via    string    `json:"via,omitempty"`  // how it was known who it was: token, cookie, proxy, mtls
}

// Deeds is a part of what people did.
type Deeds struct {
	Items         []Deed `json:"items"`
	NextPageToken string `json:"nextPageToken"` // empty at the end
}

func deedOf(d journal.Deed) Deed {
	from, via, _ := strings.Cut(d.From, viaMark)
	return Deed{At: d.At.UTC(), Who: d.Who, What: d.What, Job: d.Job, Run: d.Run, Reason: d.Note, From: from, Via: via}
}

type deedsInput struct {
	Limit     int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
	PageToken string `query:"pageToken" doc:"What nextPageToken said."`
}

// activity answers GET /activity with what people did, newest first.
func (a *API) activity(ctx context.Context, in *deedsInput) (*body[Deeds], error) {
	var last Deed
	if err := readToken(in.PageToken, &last); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	want := in.Limit + 1
	if in.PageToken != "" {
		want = journal.MaxDeeds // where the page begins moves with every deed
	}
	deeds, err := a.Memory.Journal.Deeds(ctx, want)
	if err != nil {
		return nil, silent(err)
	}
	items := make([]Deed, len(deeds))
	for i, d := range deeds {
		items[i] = deedOf(d)
	}
	if in.PageToken != "" {
		items = items[slices.Index(items, last)+1:]
	}
	out := Deeds{Items: items[:min(len(items), in.Limit)]}
	if len(items) > in.Limit {
		out.NextPageToken = token(out.Items[in.Limit-1])
	}
	return answer(out), nil
}

func (r route) reading(more ...int) route {
	r.method, r.role, r.more = http.MethodGet, access.Viewer, more
	return r
}
