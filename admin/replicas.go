package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/solocron/solocron/journal"
)

// Replica is one process of the cluster, as the API shows it.
type Replica struct {
	ID          string    `json:"id"`
	Version     string    `json:"version,omitempty"`
	Revision    string    `json:"revision,omitempty"` // of its configuration
	Started     time.Time `json:"started,omitzero"`
	LastSeen    time.Time `json:"lastSeen,omitzero"`
	ClockOffset string    `json:"clockOffset"` // what its clock is ahead of the store's
}

// replicas answers GET /api/v1/replicas. Revisions counts the replicas of each
// configuration; drift says that there is more than one, as during a roll-out, or
// when a replica was left behind by one.
func (a *API) replicas(r *http.Request) (response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	live, err := a.Memory.Members.Replicas(ctx)
	if err != nil {
		return response{}, silent(err)
	}
	items := make([]Replica, len(live))
	for i, m := range live {
		items[i] = Replica{
			ID: m.ID, Version: m.Version, Revision: m.Revision, Started: m.Started.UTC(), LastSeen: m.LastSeen.UTC(),
			ClockOffset: m.Offset.Round(time.Microsecond).String(),
		}
	}
	revisions := countRevisions(live)
	return response{body: map[string]any{"items": items, "revisions": revisions, "drift": len(revisions) > 1}}, nil
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
