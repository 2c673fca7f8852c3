package redislease

import (
	"fmt"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
)

const (
	readWidth = 20 // strings of a record in read.lua
	pastWidth = 17 // bytes of a ring entry: a token of 16 digits and a letter
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
	wrong := false
	number := func(s string) int64 {
		if s == "" {
			return 0
		}
		c := cursor{rest: s + " "}
		n := c.number()
		wrong = wrong || c.wrong
		return n
	}
	r := election.Record{
		Key: key, State: election.State(f[1]), Holder: f[2], Token: number(f[3]),
		Tick: check.Time(number(f[5])), Decided: check.Time(number(f[6])), Completed: check.Time(number(f[7])),
		Attempt: int(number(f[8])), Crashes: number(f[9]), Late: number(f[10]), Epoch: number(f[11]), Def: f[12], Now: now,
	}
	r.Remaining = time.Duration(max(number(f[4])-now.UnixMilli(), 0)) * time.Millisecond
	if until := check.Time(number(f[15])); f[14] == "1" && (until.IsZero() || now.Before(until)) {
		r.Gate = election.Gate{Closed: true, Until: until, Reason: f[16], By: f[17]}
	}
	for ring := f[13]; len(ring) >= pastWidth; ring = ring[pastWidth:] {
		r.Ring = append(r.Ring, election.Past{Token: number(ring[:pastWidth-1]), Outcome: election.Outcome(ring[pastWidth-1])})
	}
	if wrong {
		return election.Record{}, errShape
	}
	return r, nil
}
