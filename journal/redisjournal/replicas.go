package redisjournal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/internal/limit"
)

// mostReplicas is how many replicas are listed.
const mostReplicas = 10_000

// clockText asks the node that has a key for its time in milliseconds.
const clockText = "local t = redis.call('TIME') return t[1] * 1000 + math.floor(t[2] / 1000)"

// infoBody is what a heartbeat says of its replica.
type infoBody struct {
	Version  string `json:"v,omitempty"`
	Revision string `json:"r,omitempty"`
	Started  int64  `json:"s,omitempty"`
	Offset   int64  `json:"o,omitempty"` // microseconds
}

// info is what the next heartbeat says.
func (m *Members) info() string {
	text, err := json.Marshal(infoBody{
		Version: limit.Text(m.self.Version, limit.Word), Revision: limit.Text(*m.has.Load(), limit.Word),
		Started: limit.Millis(m.self.Started), Offset: time.Duration(m.offset.Load()).Microseconds(),
	})
	if err != nil {
		return "{}" // cannot be: strings and numbers
	}
	return string(text)
}

// SetOffset changes what the next heartbeats say of this replica's clock: what
// it is ahead of Redis', to the microsecond.
func (m *Members) SetOffset(d time.Duration) { m.offset.Store(int64(d)) }

// SetRevision tells the others at once that this replica has another configuration.
func (m *Members) SetRevision(revision string) {
	m.has.Store(&revision)
	select {
	case m.again <- struct{}{}:
	default: // it is about to look
	}
}

// Replicas lists the replicas that live, sorted by ID, with what each said of
// itself last. One of which nothing can be read has only an ID and LastSeen.
func (m *Members) Replicas(ctx context.Context) ([]journal.Replica, error) {
	if m.fault != nil {
		return nil, m.fault
	}
	pipe := m.rdb.Pipeline()
	clock := pipe.Eval(ctx, clockText, []string{m.set}) // not TIME: in a Cluster it would be another node's
	live := pipe.ZRevRangeWithScores(ctx, m.set, 0, mostReplicas-1)
	drain := pipe.ZRevRangeWithScores(ctx, m.drained, 0, mostReplicas-1)
	infos := pipe.HGetAll(ctx, m.infos)
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return nil, fmt.Errorf("listing replicas: %w", err)
	}
	now, err := clock.Int64()
	if err != nil {
		return nil, fmt.Errorf("listing replicas: %w", errors.Join(errReply, err))
	}
	var replicas []journal.Replica
	since := limit.Moment(now).Add(-beatsMissing * m.pace)
	for i, z := range slices.Concat(live.Val(), drain.Val()) {
		id, _ := z.Member.(string)
		at := limit.Moment(int64(z.Score))
		if at.Before(since) {
			continue
		}
		r := replicaOf(id, at, infos.Val()[id])
		r.Draining = i >= len(live.Val())
		replicas = append(replicas, r)
	}
	slices.SortFunc(replicas, func(a, b journal.Replica) int { return strings.Compare(a.ID, b.ID) })
	return replicas, nil
}

func replicaOf(id string, seen time.Time, text string) journal.Replica {
	r := journal.Replica{ID: id, LastSeen: seen}
	var b infoBody
	if json.Unmarshal([]byte(text), &b) != nil {
		return r // of another version
	}
	r.Version, r.Revision = limit.Text(b.Version, limit.Word), limit.Text(b.Revision, limit.Word)
	r.Started, r.Offset = limit.Moment(b.Started), time.Duration(b.Offset)*time.Microsecond
	return r
}
