package election

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A seek is the wish for one of several records: the one of a mutex, or the
// slots of a semaphore.
type seek struct {
	key     Key
	name    string        // what hints and nested calls know it by
	records []string      // any of them will do
	owner   Owner         // the same through all tries: a lost answer is found again
	delay   time.Duration // the lock delay, for leases that are started
	answers [1]claimed    // for one record: room that need not be made
	unsure  []string      // records that may have been granted without our knowing
	refused ClaimAnswer   // the last that was not a grant
	fault   error         // the key, or the number of slots, is no good
}

// try asks once. The error is a *HeldError if somebody else has it. A failed try
// may leave s.unsure, which abandon clears up.
func (l *Locks) try(ctx context.Context, s *seek) (*grip, error) {
	if s.owner == "" {
		s.owner = newOwners(1).at(0)
	}
	held := (*HeldError)(nil)
	for rest, size := s.records, 1; len(rest) > 0; size = min(2*size, maxRound) {
		round := rest[:min(size, len(rest))]
		rest = rest[len(round):]
		g, refused, err := l.round(ctx, s, round)
		if g != nil {
			l.abandon(s) // of other records, asked for in the same round or before
			return g, nil
		}
		if err != nil {
			return nil, err
		}
		if held == nil || refused.Remaining < held.Remaining {
			held = refused
		}
	}
	return nil, held
}

// maxRound bounds how many slots are asked for in one request.
const maxRound = 64

// round claims records in one request. Of several that are granted it keeps the
// first and gives the others back.
func (l *Locks) round(ctx context.Context, s *seek, records []string) (*grip, *HeldError, error) {
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	answers := l.claim(s, records, l.elector.cfg.TTL)
	first := -1
	var surplus []End
	var held *HeldError
	var failed error
	for i := range answers {
		a := &answers[i].ClaimAnswer
		s.note(records[i], a)
		switch a.Answer {
		case Granted:
			if first < 0 {
				first = i
			} else {
				surplus = append(surplus, l.endOf(records[i], s.owner, a.Token))
			}
		case Held, Delayed, Quarantine:
			s.refused = *a
			if held == nil || a.Remaining < held.Remaining {
				held = &HeldError{By: a.By, Tick: a.Tick, Remaining: a.Remaining}
			}
		case Unknown:
			failed = a.Err
		default:
			failed = fmt.Errorf("%w: the key is used for ticks of a job, answer %d", ErrBadClaim, a.Answer)
		}
	}
	if len(surplus) > 0 {
		l.giveBack(s.name, surplus)
	}
	if first < 0 {
		return nil, held, failed
	}
	g := l.grip(s, records[first], &answers[first])
	if err := l.ripe(ctx, g); err != nil {
		return nil, nil, err
	}
	return g, nil, nil
}

// note keeps s.unsure right: a record is on it from an answer that did not
// arrive until one that did.
func (s *seek) note(record string, a *ClaimAnswer) {
	i := slices.Index(s.unsure, record)
	switch lost := a.Answer == Unknown && !errors.Is(a.Err, ErrBadClaim); {
	case lost && i < 0 && !errors.Is(a.Err, ErrNotApplied):
		s.unsure = append(s.unsure, record)
	case !lost && i >= 0:
		s.unsure = slices.Delete(s.unsure, i, i+1)
	}
}

// endOf is the release of a record.
func (l *Locks) endOf(record string, owner Owner, token int64) End {
	return End{Key: record, Owner: owner, Token: token, Outcome: OutcomeSucceeded, Retention: l.elector.cfg.keeps()}
}

// giveBack releases what was granted beyond need, once. What is not answered
// ends with its lease.
func (l *Locks) giveBack(name string, ends []End) {
	l.sendEnds(ends, nil)
	l.ring(name)
}

// ripe looks again after the wait for an answer: nobody wants the lock any more
// if ctx has ended, and nobody may believe in a lease whose grant came too late.
// Then it is given back, and the error says why.
func (l *Locks) ripe(ctx context.Context, g *grip) error {
	err := context.Cause(ctx)
	if err == nil {
		err = g.lease.Check()
	}
	if err != nil {
		l.giveBack(g.name, []End{l.endOf(g.lease.key, g.lease.owner, g.lease.token)})
	}
	return err
}

// abandon finds out whether a claim that was not answered was granted after all,
// and gives it back: one short try. To ask is to claim again as the same owner,
// which is granted as before, or for the shortest time there is.
func (l *Locks) abandon(s *seek) {
	if len(s.unsure) == 0 {
		return
	}
	var ends []End
	for i, a := range l.claim(s, s.unsure, minTTL) {
		if a.Answer == Granted {
			ends = append(ends, l.endOf(s.unsure[i], s.owner, a.Token))
		}
	}
	if len(ends) > 0 {
		l.giveBack(s.name, ends)
	}
	s.unsure = nil
}
