package admin

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/solocron/solocron/journal"
)

const (
	readLimit   = 3 * time.Second // for one question to the journal or the ledger
	auditLimit  = 2 * time.Second
	defaultDeed = 100
	maxDeed     = 1000
)

// note keeps who did what. What was done stands whether or not it can be noted.
func (a *API) note(r *http.Request, d journal.Deed) {
	d.At, d.Who, d.From = a.Now(), requester, sender(r)
	a.Log.Info("asked over the API", "what", d.What, "job", d.Job, "run", d.Run, "requested_by", d.Who, "from", d.From, "note", d.Note)
	if a.Memory == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), auditLimit)
	defer cancel()
	if err := a.Memory.Journal.Audit(ctx, d); err != nil {
		a.Log.Error("a deed could not be noted", "what", d.What, "job", d.Job, "run", d.Run, "err", err)
	}
}

// sender is the address that r came from.
func sender(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

// Deed is something that somebody did, as the API shows it.
type Deed struct {
	At     time.Time `json:"at"`
	Who    string    `json:"who"`
	What   string    `json:"what"`
	Job    string    `json:"job,omitempty"`
	Run    string    `json:"run,omitempty"`
	Reason string    `json:"reason,omitempty"`
	From   string    `json:"from,omitempty"`
}

// activity answers GET /api/v1/activity?limit= with what people did, newest first.
func (a *API) activity(r *http.Request) (response, error) {
	limit, err := limitOf(r, defaultDeed, maxDeed)
	if err != nil {
		return response{}, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	deeds, err := a.Memory.Journal.Deeds(ctx, limit)
	if err != nil {
		return response{}, silent(err)
	}
	items := make([]Deed, len(deeds))
	for i, d := range deeds {
		items[i] = Deed{At: d.At.UTC(), Who: d.Who, What: d.What, Job: d.Job, Run: d.Run, Reason: d.Note, From: d.From}
	}
	return response{body: map[string]any{"items": items}}, nil
}
