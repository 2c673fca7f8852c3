package redlock

import (
	"slices"
	"sync"
	"time"

	"github.com/solocron/solocron/election"
)

// maxNotes bounds a memory: it is a little over as many keys as may be claimed at
// one wake-up of a replica.
const maxNotes = 1 << 14

// A memory holds what the nodes said of a key when they did not agree on its token
// or on what is decided: between claim and start, that is, and after a node has
// missed a start.
//
// Nothing that it forgets does harm. A note makes it possible to undo a claim by
// the token that each node gave; to answer a repeated claim with the same token as
// before; and to hold each node to its own word instead of the highest, which would
// put one in quarantine for a token that it never had.
type memory struct {
	mu    sync.Mutex
	notes map[string]*note
}

// A note is about one key.
type note struct {
	owner  election.Owner // of the claim that was granted here; "": another's
	token  int64          // what was told
	tokens []int64        // what each node said; 0: nothing
	tick   time.Time      // decided, as was told
	ticks  []time.Time    // decided, as each node said
	undone bool           // the claim was given back here
}

// put replaces what is known of key. The tokens of a claim of ours, as long as it may
// still be started or undone, are not replaced by what we hear of others.
func (m *memory) put(key string, n note) {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.notes[key]
	if old != nil && n.owner == "" && old.owner != "" && n.token <= old.token {
		n.owner, n.token, n.tokens, n.undone = old.owner, old.token, old.tokens, old.undone
	}
	if m.notes == nil {
		m.notes = make(map[string]*note)
	}
	if old == nil && len(m.notes) >= maxNotes {
		for some := range m.notes { // whichever: see memory
			delete(m.notes, some)
			break
		}
	}
	m.notes[key] = &n
}

// of returns what is known of key; its tokens must not be changed.
func (m *memory) of(key string) (note, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := m.notes[key]; n != nil {
		return *n, true
	}
	return note{}, false
}

// mine returns what is known of a claim that was granted here with this token.
func (m *memory) mine(key string, owner election.Owner, token int64) (note, bool) {
	n, ok := m.of(key)
	return n, ok && n.owner == owner && n.token == token
}

// started notes that some nodes have started h; if all have, there is nothing to note.
func (m *memory) started(h *election.Hold, good []bool) {
	n, ok := m.mine(h.Key, h.Owner, h.Token)
	switch {
	case !slices.Contains(good, false):
		m.mu.Lock()
		defer m.mu.Unlock()
		if old := m.notes[h.Key]; old != nil && old.token <= h.Token {
			delete(m.notes, h.Key)
		}
		return
	case !ok:
		n = note{owner: h.Owner, token: h.Token, tokens: make([]int64, len(good)), ticks: make([]time.Time, len(good))}
	}
	n.tokens, n.ticks, n.tick = slices.Clone(n.tokens), slices.Clone(n.ticks), latest(n.tick, h.Tick)
	for i, yes := range good {
		if yes {
			n.tokens[i], n.ticks[i] = h.Token, latest(n.ticks[i], h.Tick)
		}
	}
	m.put(h.Key, n)
}

// undo notes that a claim was given back.
func (m *memory) undo(key string, owner election.Owner, token int64) {
	if n, ok := m.mine(key, owner, token); ok {
		n.undone = true
		m.put(key, n)
	}
}

// floor is what node i has to know of key at least: the caller's floor, but of a node
// that was behind the others no more than it has said itself.
func (m *memory) floor(key string, floor election.Floor, i int) election.Floor {
	n, ok := m.of(key)
	if ok && n.tokens[i] < n.token {
		floor.Token = min(floor.Token, n.tokens[i])
	}
	if ok && n.ticks[i].Before(n.tick) && n.ticks[i].Before(floor.Tick) {
		floor.Tick = n.ticks[i]
	}
	return floor
}
