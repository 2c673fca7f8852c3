package etcdlease

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
	"github.com/solocron/solocron/election/internal/ledger"
)

const (
	layout    = 1
	maxRecord = 64 << 10 // bytes; ours have at most some ten thousand
)

var errRecord = errors.New("it is not a record of this version")

// stored is a record as etcd keeps it. No moment of the lease is in it: etcd
// alone knows when a time is over. Term is only how long others were kept out
// when it was last set, in ms; moments are in ms since 1970.
type stored struct {
	Layout  int            `json:"v"`
	Owner   election.Owner `json:"owner,omitempty"`
	Token   int64          `json:"token,omitempty"`
	Term    int64          `json:"term,omitempty"`
	State   election.State `json:"state,omitempty"`
	Holder  text           `json:"holder,omitempty"`
	Tick    int64          `json:"tick,omitempty"`
	Decided int64          `json:"decided,omitempty"`
	Before  int64          `json:"before,omitempty"`
	Done    int64          `json:"done,omitempty"`
	Attempt int            `json:"attempt,omitempty"`
	Crashes int64          `json:"crashes,omitempty"`
	Late    int64          `json:"late,omitempty"`
	Epoch   int64          `json:"epoch,omitempty"`
	Def     text           `json:"def,omitempty"`
	Delay   int64          `json:"delay,omitempty"`
	Keep    int64          `json:"keep,omitempty"`
	Prev    *abandoned     `json:"prev,omitempty"`
	Refused []refusal      `json:"refused,omitempty"`
	Ring    []past         `json:"ring,omitempty"`
	Gate    *gate          `json:"gate,omitempty"`
}

type abandoned struct {
	By      text  `json:"by"`
	Tick    int64 `json:"tick,omitempty"`
	Token   int64 `json:"token"`
	Attempt int   `json:"attempt"`
}

type refusal struct {
	Owner  election.Owner  `json:"owner"`
	Tick   int64           `json:"tick"`
	Answer election.Answer `json:"answer"`
	Before int64           `json:"before,omitempty"`
}

type past struct {
	Token   int64            `json:"token"`
	Outcome election.Outcome `json:"outcome"`
}

type gate struct {
	Until  int64 `json:"until"`
	Reason text  `json:"reason,omitempty"`
	By     text  `json:"by,omitempty"`
}

// encode writes r, whose lease or closed time was last set to term.
func encode(r *ledger.Record, term int64) (string, error) {
	s := stored{
		Layout: layout, Owner: r.Owner, Token: r.Token, Term: term, State: r.State, Holder: text(r.Holder),
		Tick: r.Tick, Decided: r.Decided, Before: r.Before, Done: r.Done, Attempt: r.Attempt,
		Crashes: r.Crashes, Late: r.Late, Epoch: r.Epoch, Def: text(r.Def), Delay: r.Delay, Keep: r.Keep,
	}
	if p := r.Prev; p != nil {
		s.Prev = &abandoned{By: text(p.By), Tick: check.Millis(p.Tick), Token: p.Token, Attempt: p.Attempt}
	}
	for _, x := range r.Refused {
		s.Refused = append(s.Refused, refusal(x))
	}
	for _, p := range r.Ring {
		s.Ring = append(s.Ring, past(p))
	}
	if g := r.Gate; g != (ledger.Gate{}) {
		s.Gate = &gate{Until: g.Until, Reason: text(g.Reason), By: text(g.By)}
	}
	data, err := json.Marshal(&s)
	return string(data), err
}

// decode reads a record and its term.
func decode(data []byte) (r ledger.Record, term int64, err error) {
	var s stored
	if len(data) > maxRecord {
		return r, 0, errRecord
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return r, 0, fmt.Errorf("%w: %w", errRecord, err)
	}
	if s.Layout != layout || len(s.Refused) > ledger.MaxRefused || len(s.Ring) > ledger.MaxRing {
		return r, 0, errRecord
	}
	r = ledger.Record{
		Owner: s.Owner, Token: s.Token, State: s.State, Holder: string(s.Holder),
		Tick: s.Tick, Decided: s.Decided, Before: s.Before, Done: s.Done, Attempt: s.Attempt,
		Crashes: s.Crashes, Late: s.Late, Epoch: s.Epoch, Def: string(s.Def), Delay: s.Delay, Keep: s.Keep,
	}
	if p := s.Prev; p != nil {
		r.Prev = &election.Abandoned{By: string(p.By), Tick: check.Time(p.Tick), Token: p.Token, Attempt: p.Attempt}
	}
	for _, x := range s.Refused {
		r.Refused = append(r.Refused, ledger.Refusal(x))
	}
	for _, p := range s.Ring {
		r.Ring = append(r.Ring, election.Past(p))
	}
	if g := s.Gate; g != nil {
		r.Gate = ledger.Gate{Until: g.Until, Reason: string(g.Reason), By: string(g.By)}
	}
	return r, s.Term, nil
}
