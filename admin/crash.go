package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/journal"
)

// Crasher has replicas of a trial cluster end as if their machines had. Only
// `scheduler dev` has one: what serves real jobs must not.
type Crasher interface {
	// Crash returns what cuts a replica off without a goodbye, so that the deed can
	// be noted first: it may be that very replica which notes it. The error matches
	// ErrNoReplica or ErrLastReplica.
	Crash(replica string) (cut func(), err error)
}

// Why no replica crashes.
var (
	ErrNoReplica   = errors.New("no such replica lives")
	ErrLastReplica = errors.New("it is the only replica that lives")
)

// crashRoutes are there only in a trial cluster.
func (a *API) crashRoutes(b *book) {
	if a.Crasher == nil {
		return
	}
	enter(b, route{
		id: "crashReplica", method: http.MethodPost, path: base + "/replicas/{replica}/crash", role: access.Admin, status: http.StatusAccepted,
		summary: "Cut off a replica of a trial cluster, as kill -9 would",
		about:   "Only `scheduler dev` has this; elsewhere it is not found. The replica says no goodbye, and another comes in its place after some seconds.",
		more:    []int{http.StatusNotFound, http.StatusConflict},
	}, a.crash)
}

type crashInput struct {
	Replica string `path:"replica" doc:"ID of the replica."`
	Body    *Why
}

// Crashed says which replica was cut off.
type Crashed struct {
	Replica string `json:"replica"`
}

// crash answers POST /replicas/{replica}/crash.
func (a *API) crash(ctx context.Context, in *crashInput) (*body[Crashed], error) {
	o, err := in.Body.order(ctx)
	if err != nil {
		return nil, err
	}
	cut, err := a.Crasher.Crash(in.Replica)
	switch {
	case errors.Is(err, ErrNoReplica):
		return nil, noReplica(in.Replica)
	case errors.Is(err, ErrLastReplica):
		return nil, conflict("last-replica", "Last replica", fmt.Sprintf("%s is the only replica that lives: wait until another has come.", echo(in.Replica)))
	case err != nil:
		return nil, err
	}
	a.note(ctx, journal.Deed{What: "crash", Note: deedAbout(in.Replica, o.Note)})
	cut()
	a.past.cluster.forget()
	return answer(Crashed{in.Replica}), nil
}

// deedAbout is a reason that begins with what it is about, for deeds that are about
// neither a job nor a run.
func deedAbout(what, reason string) string {
	if reason == "" {
		return what
	}
	return what + ": " + reason
}
