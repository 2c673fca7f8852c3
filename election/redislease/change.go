package redislease

import (
	"fmt"
	"sync"
)

// identity tells a server from another one, and from itself before a restart.
type identity struct{ run, role string }

// sightings are the servers that Check has found, by address.
type sightings struct {
	mu     sync.Mutex
	seen   map[string]identity
	told   func(what string)
	looked bool // once at all: what is new after that is a change
}

// OnChange has changed called when Check finds that the server is not the one it
// was: another run_id, as after a restart or a failover, or another role. What it
// knows may be old, so every lease in hand should be renewed at once. It must be
// set before the first Check, and is called from within one.
func (s *Store) OnChange(changed func(what string)) { s.sightings.told = changed }

// note compares the servers of one look, by address, with those of the one before.
// A server that did not answer keeps its place.
func (s *sightings) note(found map[string]identity) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = make(map[string]identity)
	}
	for addr, now := range found {
		before, known := s.seen[addr]
		if s.seen[addr] = now; s.looked && s.told != nil {
			if what := difference(before, now, known); what != "" {
				s.told(what)
			}
		}
	}
	s.looked = s.looked || len(found) > 0
}

// difference says what has changed, "" if nothing has. A server that does not tell
// who it is cannot be seen to change.
func difference(before, now identity, known bool) string {
	switch {
	case !known:
		return "a server that was no master before"
	case before.role != now.role && before.role != "" && now.role != "":
		return fmt.Sprintf("role %s, before %s", now.role, before.role)
	case before.run != now.run && before.run != "" && now.run != "":
		return fmt.Sprintf("run_id %.8s, before %.8s", now.run, before.run)
	}
	return ""
}
