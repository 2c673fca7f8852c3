package admin

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// Replica is one process of the cluster, as the API shows it.
type Replica struct {
	ID          string    `json:"id"`
	State       string    `json:"state" enum:"live,draining"`
	Version     string    `json:"version,omitempty"`
	Revision    string    `json:"revision,omitempty"` // of its configuration
	Started     time.Time `json:"started,omitzero"`
	LastSeen    time.Time `json:"lastSeen,omitzero"`
	ClockOffset string    `json:"clockOffset"` // what its clock is ahead of the store's
	Running     []string  `json:"running"`     // runs that it has begun and not ended
}

// replicaLive is the state of a replica that takes new work.
const replicaLive = "live"

// Replicas is the replicas that live.
type Replicas struct {
	Items     []Replica      `json:"items"`
	Revisions map[string]int `json:"revisions"` // replicas of each configuration
	Drift     bool           `json:"drift"`     // there is more than one: a roll-out, or one was left behind
	Stale     bool           `json:"stale,omitempty"`
}

// replicaRoutes are those about the cluster.
func (a *API) replicaRoutes(b *book) {
	if a.Memory.Members == nil {
		return
	}
	enter(b, route{id: "listReplicas", path: base + "/replicas", summary: "The replicas that live"}.reading(http.StatusServiceUnavailable), a.replicas)
	enter(b, route{id: "getReplica", path: base + "/replicas/{replica}", summary: "A replica"}.reading(http.StatusNotFound, http.StatusServiceUnavailable), a.replica)
	a.crashRoutes(b)
	enter(b, route{id: "getCluster", path: base + "/cluster", summary: "How the cluster is, at a glance"}.reading(), a.cluster)
}

// replicas answers GET /replicas.
func (a *API) replicas(ctx context.Context, _ *struct{}) (*body[Replicas], error) {
	list, err := a.roll(ctx)
	if err != nil {
		return nil, silent(err)
	}
	return answer(list), nil
}

// roll lists the replicas, as the journal has them or last had them.
func (a *API) roll(ctx context.Context) (Replicas, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	live, err := a.Memory.Members.Replicas(ctx)
	live, stale, err := a.past.replicas.or(live, err)
	if err != nil {
		return Replicas{}, err
	}
	out := Replicas{Items: make([]Replica, len(live)), Revisions: countRevisions(live), Stale: stale}
	out.Drift = len(out.Revisions) > 1
	busy := a.onReplicas(ctx)
	for i, m := range live {
		out.Items[i] = Replica{
			ID: m.ID, State: replicaLive, Version: m.Version, Revision: m.Revision, Started: m.Started.UTC(), LastSeen: m.LastSeen.UTC(),
			ClockOffset: m.Offset.Round(time.Microsecond).String(), Running: append([]string{}, busy[m.ID]...),
		}
		if m.Draining {
			out.Items[i].State = "draining"
		}
	}
	return out, nil
}

// onReplicas is the runs that are on, by replica; nil if that is not known.
func (a *API) onReplicas(ctx context.Context) map[string][]string {
	if a.Memory.Journal == nil {
		return nil
	}
	rows, err := a.Memory.Journal.Open(ctx)
	if err != nil {
		return nil
	}
	busy := map[string][]string{}
	for i := range rows {
		if rows[i].State == scheduler.RunRunning {
			busy[rows[i].Replica] = append(busy[rows[i].Replica], rows[i].ID)
		}
	}
	return busy
}

type replicaInput struct {
	Replica string `path:"replica" doc:"ID of the replica."`
}

// replica answers GET /replicas/{replica}.
func (a *API) replica(ctx context.Context, in *replicaInput) (*body[Replica], error) {
	list, err := a.roll(ctx)
	if err != nil {
		return nil, silent(err)
	}
	for _, r := range list.Items {
		if r.ID == in.Replica {
			return answer(r), nil
		}
	}
	return nil, noReplica(in.Replica)
}

func noReplica(id string) *problemError {
	return &problemError{
		Type: "replica-not-found", Title: "No such replica", Status: http.StatusNotFound,
		Detail: fmt.Sprintf("There is no replica %q that lives; GET /api/v1/replicas lists them.", echo(id)),
	}
}

// countRevisions counts replicas by revision. One that does not tell its own is
// left out: it may have any.
func countRevisions(live []journal.Replica) map[string]int {
	counts := make(map[string]int)
	for _, m := range live {
		if m.Revision != "" {
			counts[m.Revision]++
		}
	}
	return counts
}
