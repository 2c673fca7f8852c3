package memjournal

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
)

// waiting is how many pieces of news wait for a slow reader before more are
// dropped: they are hints.
const waiting = 1024

// Hub is what replicas in one process meet at.
type Hub struct {
	mu      sync.RWMutex
	running map[string]*Members
}

// NewHub returns an empty Hub.
func NewHub() *Hub { return &Hub{running: make(map[string]*Members)} }

// Members is the cluster as one replica sees it.
type Members struct {
	hub  *Hub
	self journal.Replica // its Offset, Revision and Draining are guarded by hub.mu
	news chan scheduler.News
}

// Join returns the view of self, which counts as live for the others while its
// Run runs.
func (h *Hub) Join(self journal.Replica) *Members {
	return &Members{hub: h, self: self, news: make(chan scheduler.News, waiting)}
}

// Run makes the replica known until ctx ends and hands what others announce to
// news, one at a time. It returns an error at once if a replica with the same
// ID is running, and nil when ctx ends.
func (m *Members) Run(ctx context.Context, news func(scheduler.News)) error {
	if err := m.enter(); err != nil {
		return err
	}
	defer m.leave()
	for {
		select {
		case <-ctx.Done():
			return nil
		case n := <-m.news:
			news(n)
		}
	}
}

func (m *Members) enter() error {
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	if _, taken := m.hub.running[m.self.ID]; taken {
		return fmt.Errorf("replica %q is running already", m.self.ID)
	}
	m.hub.running[m.self.ID] = m
	return nil
}

func (m *Members) leave() {
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	delete(m.hub.running, m.self.ID)
}

// Live lists the IDs of the running replicas and of this one, sorted.
func (m *Members) Live() []string {
	m.hub.mu.RLock()
	defer m.hub.mu.RUnlock()
	ids := make([]string, 0, len(m.hub.running)+1)
	for id := range m.hub.running {
		if id == m.self.ID || !m.hub.running[id].self.Draining {
			ids = append(ids, id)
		}
	}
	if _, running := m.hub.running[m.self.ID]; !running {
		ids = append(ids, m.self.ID)
	}
	slices.Sort(ids)
	return ids
}

// Drain tells the others that this replica takes nothing more.
func (m *Members) Drain() {
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	m.self.Draining = true
}

// SetOffset changes what the others see of this replica's clock.
func (m *Members) SetOffset(d time.Duration) {
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	m.self.Offset = d
}

// SetRevision changes what the others see of this replica's configuration.
func (m *Members) SetRevision(revision string) {
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	m.self.Revision = revision
}

// Replicas lists the running replicas, sorted by ID; they are seen now.
func (m *Members) Replicas(context.Context) ([]journal.Replica, error) {
	m.hub.mu.RLock()
	defer m.hub.mu.RUnlock()
	now := time.Now().UTC()
	replicas := make([]journal.Replica, 0, len(m.hub.running))
	for _, other := range m.hub.running {
		r := other.self
		r.LastSeen = now
		replicas = append(replicas, r)
	}
	slices.SortFunc(replicas, func(a, b journal.Replica) int { return strings.Compare(a.ID, b.ID) })
	return replicas, nil
}

// Announce tells the other running replicas. It never waits: a reader that is
// too slow misses news.
func (m *Members) Announce(ctx context.Context, n scheduler.News) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	m.hub.mu.RLock()
	defer m.hub.mu.RUnlock()
	for id, other := range m.hub.running {
		if id == m.self.ID || id == n.From {
			continue
		}
		copied := n
		copied.Ticks = slices.Clone(n.Ticks)
		select {
		case other.news <- copied:
		default:
		}
	}
	return nil
}
