package admin

import (
	"context"
	"time"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

const (
	maxShown   = 1000        // runs of one snapshot
	pictureAge = time.Second // for which one serves all
)

// picture is how things stood after what happened up to a place.
type picture struct {
	taken    time.Time
	place    journal.Place
	runs     []Run
	replicas []journal.Replica
}

// Snapshot is how things stand, in short, at the beginning of a stream of events:
// what follows has happened since, or is part of it already.
type Snapshot struct {
	ID       string            `json:"id"` // of the last event before it
	At       time.Time         `json:"at"`
	Runs     []SnapshotRun     `json:"runs,omitzero"`     // that have not ended, those about the latest moment first; left out unless runs are asked for
	MoreRuns int               `json:"moreRuns"`          // that have not ended either, and are not listed
	Replicas []SnapshotReplica `json:"replicas,omitzero"` // that live; left out unless replicas are asked for
}

// SnapshotRun is a run that has not ended.
type SnapshotRun struct {
	ID      string             `json:"id"`
	Job     string             `json:"job"`
	Tick    time.Time          `json:"tick,omitzero"`
	Cause   scheduler.Cause    `json:"cause,omitempty"`
	State   scheduler.RowState `json:"state"`
	Attempt int                `json:"attempt,omitempty"`
	Replica string             `json:"replica,omitempty"`
	Token   int64              `json:"token,omitempty"`
	Started time.Time          `json:"started,omitzero"`
}

// SnapshotReplica is a replica that lives.
type SnapshotReplica struct {
	ID       string    `json:"id"`
	Version  string    `json:"version,omitempty"`
	Revision string    `json:"revision,omitempty"`
	Started  time.Time `json:"started,omitzero"`
	LastSeen time.Time `json:"lastSeen,omitzero"`
}

// picture returns a picture that was taken after a moment, and lately: one serves
// all who come at the same time, as they do when another replica has gone.
func (a *API) picture(ctx context.Context, after time.Time) (*picture, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	select {
	case a.audience.turn <- struct{}{}:
		defer func() { <-a.audience.turn }()
	case <-ctx.Done():
		return nil, silent(context.Cause(ctx))
	}
	if p := a.audience.last; p != nil && time.Since(p.taken) < pictureAge && p.taken.After(after) {
		return p, nil
	}
	p := &picture{taken: time.Now()}
	var err error
	// The place first: what happens while the lists are read is told again, not left out.
	if p.place, err = a.Memory.Feed.Now(ctx); err != nil {
		return nil, silent(err)
	}
	if p.runs, err = a.open(ctx, ""); err != nil {
		return nil, err
	}
	if a.Memory.Members != nil {
		if p.replicas, err = a.Memory.Members.Replicas(ctx); err != nil {
			return nil, silent(err)
		}
	}
	a.audience.last = p
	return p, nil
}

// of is what of p somebody wants to see.
func (p *picture) of(want *interest) Snapshot {
	s := Snapshot{ID: p.place.String(), At: p.taken.UTC()}
	if want.topics[journal.AboutRun] {
		s.Runs = []SnapshotRun{}
		for i := range p.runs {
			switch r := &p.runs[i]; {
			case want.job != "" && r.Job != want.job:
			case len(s.Runs) == maxShown:
				s.MoreRuns++
			default:
				s.Runs = append(s.Runs, SnapshotRun{r.ID, r.Job, r.Tick, r.Cause, r.State, r.Attempt, r.Replica, r.Token, r.Started})
			}
		}
	}
	if want.topics[journal.AboutReplica] {
		s.Replicas = []SnapshotReplica{}
		for _, r := range p.replicas {
			s.Replicas = append(s.Replicas, SnapshotReplica{r.ID, r.Version, r.Revision, r.Started.UTC(), r.LastSeen.UTC()})
		}
	}
	return s
}
