package redislease

import (
	"fmt"
	"strings"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

const (
	readWidth = 11  // strings of a record in read.lua
	headWidth = 191 // bytes at fixed places in the packed part of a record: see prelude.lua
	pastWidth = 17  // bytes of an outcome: 16 digits of a token and a letter
	pastLimit = 32  // outcomes that are kept
)

// records fills in the records of the call's items.
func (c *call) records(keys []string, records []election.Record) error {
	var failed error
	c.each(func(_ int32, err error) { failed = err }, func(i int32, now time.Time, reply []string) {
		r, err := record(keys[i], now, reply)
		if err != nil {
			failed = fmt.Errorf("record of %q: %w", keys[i], err)
			return
		}
		records[i] = r
	})
	return failed
}

// record reads the strings of one record, in the order of read.lua.
func record(key string, now time.Time, f []string) (election.Record, error) {
	switch f[0] {
	case "Z":
		return election.Record{}, nil
	case "R":
	default:
		if _, _, err := begin(f[0], "-"); err != nil {
			return election.Record{}, err
		}
		return election.Record{}, errShape
	}
	if len(f[1]) < headWidth {
		return election.Record{}, errShape
	}
	h := packed{text: f[1]}
	r := h.record(now)
	r.Key = key
	h.past(&r, f[2], f[3])
	r.Crashes, r.Late = h.count(f[4]), h.count(f[5])
	switch until := check.Time(h.count(f[6])); {
	case f[1][118] != '1':
	case until.IsZero() || now.Before(until):
		r.Gate = election.Gate{Closed: true, Until: until, Reason: f[7], By: f[8]}
	default:
		r.Shut = until
	}
	if h.wrong {
		return election.Record{}, errShape
	}
	return r, nil
}

// packed reads the packed part of a record. The places are those of prelude.lua.
type packed struct {
	text  string
	wrong bool
}

// number is what stands right-aligned at a place, counted from 1.
func (p *packed) number(place, width int) int64 {
	return p.count(p.text[place-1 : place-1+width])
}

// count reads a number that may be missing.
func (p *packed) count(s string) int64 {
	if s == "" {
		return 0
	}
	c := cursor{rest: s + " "}
	n := c.number()
	p.wrong = p.wrong || c.wrong || c.rest != ""
	return n
}

func (p *packed) time(place int) time.Time { return check.Time(p.number(place, 13)) }

func (p *packed) record(now time.Time) election.Record {
	rest := cursor{rest: p.text[headWidth:]}
	r := election.Record{
		State: p.state(), Token: p.number(140, 16), Tick: p.time(157), Decided: p.time(171),
		Attempt: int(p.number(135, 4)), Epoch: p.number(93, 16),
		Holder: rest.cut(p.number(188, 3)), Def: rest.cut(p.number(185, 2)), Now: now,
	}
	r.Remaining = max(time.Duration(p.number(38, 13)-now.UnixMilli()), 0) * time.Millisecond
	p.wrong = p.wrong || rest.wrong
	return r
}

// state is the state that its letter stands for.
func (p *packed) state() election.State {
	states := [...]election.State{
		election.StateFree, election.StateClaimed, election.StateRunning, election.StateRunning,
		election.StateDone, election.StateRevoked, election.StateQuarantine,
	}
	n := strings.IndexByte("-CRIDVQ", p.text[35])
	if n < 0 {
		p.wrong = true
		return ""
	}
	return states[n]
}

// past reads the outcomes of r, the newest first, and the last tick completed
// that stands in front of them: see ring.lua.
func (p *packed) past(r *election.Record, newest, older string) {
	if newest == "" {
		return
	}
	if len(newest) < 13 {
		p.wrong = true
		return
	}
	r.Completed = check.Time(p.count(newest[:13]))
	for s := newest[13:] + older; len(s) >= pastWidth && len(r.Ring) < pastLimit; s = s[pastWidth:] {
		r.Ring = append(r.Ring, election.Past{Token: p.count(s[:pastWidth-1]), Outcome: election.Outcome(s[pastWidth-1])})
	}
}
