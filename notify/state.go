package notify

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// State is what the cluster knows of a job in trouble, and of the trouble it had. The
// zero State is a job that never had any.
type State struct {
	Fails    int       `json:"fails,omitempty"`   // failed runs since the last success
	Since    time.Time `json:"since,omitzero"`    // of the first bad fact since then; zero: all is well
	Reminded time.Time `json:"reminded,omitzero"` // when people were last told that it goes on
	Good     time.Time `json:"good,omitzero"`     // of the success that ended the last trouble
	Owed     *Page     `json:"owed,omitempty"`    // a recovery that is still to be told
	Pages    []Page    `json:"pages,omitempty"`   // newest fact last
	Seen     []string  `json:"seen,omitempty"`    // keys of facts, newest last
}

// Page is all bad facts of one signature.
type Page struct {
	Signature string    `json:"sig"`
	Open      bool      `json:"open,omitempty"` // seen since the last success
	Told      bool      `json:"told,omitempty"` // and told since then
	Last      time.Time `json:"last,omitzero"`  // when people were last told, or reminded; zero: never
	Count     int       `json:"count,omitempty"`
	Fact      Fact      `json:"fact"` // the newest
}

const (
	maxPages = 8  // of a job
	maxSeen  = 64 // keys of a job
)

// decodeState reads what encode made; nothing is the zero State.
func decodeState(data []byte) (State, error) {
	var s State
	if len(data) == 0 {
		return s, nil
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return State{}, fmt.Errorf("state of notifications: %w", err)
	}
	return s, nil
}

func (s *State) encode() []byte {
	data, _ := json.Marshal(s) // cannot fail: texts, numbers and times
	return data
}

// clone is s with lists of its own.
func (s State) clone() State {
	s.Pages, s.Seen = slices.Clone(s.Pages), slices.Clone(s.Seen)
	return s
}

// page is the page of a signature, the last of s; it is made if there is none.
func (s *State) page(sig string) *Page {
	i := slices.IndexFunc(s.Pages, func(p Page) bool { return p.Signature == sig })
	p := Page{Signature: sig}
	if i >= 0 {
		p = s.Pages[i]
		s.Pages = slices.Delete(s.Pages, i, i+1)
	}
	s.Pages = append(s.Pages, p)
	s.Pages = s.Pages[max(0, len(s.Pages)-maxPages):]
	return &s.Pages[len(s.Pages)-1]
}

// see notes a key and reports whether it is new.
func (s *State) see(key string) bool {
	if slices.Contains(s.Seen, key) {
		return false
	}
	s.Seen = append(s.Seen, key)
	s.Seen = s.Seen[max(0, len(s.Seen)-maxSeen):]
	return true
}
