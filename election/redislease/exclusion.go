package redislease

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease/preflight"
)

// rehearsalTTL is how long what a rehearsal leaves behind lives, if it is cut short.
const rehearsalTTL = 5 * time.Second

// exclusion plays one tick of a job that nobody has with two replicas, each on a
// connection of its own: one is granted it, the other told to wait and, when it is
// over, that it is spent.
func (s *Store) exclusion(ctx context.Context) preflight.Row {
	const check = "exclusion"
	other, done, err := s.twin()
	if err != nil {
		return preflight.Row{Check: check, State: preflight.Unknown, Found: shown(err)}
	}
	defer done()
	began := time.Now()
	if err := rehearse(ctx, s, other); err != nil {
		return preflight.Row{
			Check: check, State: preflight.Fail, Found: shown(err),
			Fix: "do not use this server for leases before the reason is known",
		}
	}
	return preflight.Row{
		Check: check, State: preflight.OK,
		Found: fmt.Sprintf("of two connections one was granted a tick, the other told so (%s)", time.Since(began).Round(100*time.Microsecond)),
	}
}

// rehearse returns what went otherwise than it must.
func rehearse(ctx context.Context, first, second *Store) error {
	now, err := first.Clock(ctx)
	if err != nil {
		return err
	}
	names := [3]string{randomName(), randomName(), randomName()}
	c := election.Claim{
		Key: "doctor-" + names[0], Owner: election.Owner(names[1]), Mode: election.ForTick,
		Tick: now.Add(-time.Second).Truncate(time.Millisecond),
		TTL:  rehearsalTTL, Retention: rehearsalTTL, Holder: "doctor",
	}
	rival := c
	rival.Owner = election.Owner(names[2])

	won := first.Claim(ctx, []election.Claim{c})[0]
	if won.Answer != election.Granted {
		return fmt.Errorf("a claim of a new tick was not granted (answer %d): %w", won.Answer, orNone(won.Err))
	}
	if err := expect(ctx, second, rival, election.Held, "while it is held"); err != nil {
		return err
	}
	h := election.Hold{
		Key: c.Key, Owner: c.Owner, Token: won.Token, Tick: c.Tick, TTL: c.TTL, Retention: c.Retention, Holder: c.Holder,
	}
	if a := first.Start(ctx, []election.Hold{h})[0]; a.Standing != election.Good {
		return fmt.Errorf("the granted tick could not be started (standing %d): %w", a.Standing, orNone(a.Err))
	}
	e := election.End{Key: c.Key, Owner: c.Owner, Token: won.Token, Outcome: election.OutcomeSucceeded, Retention: c.Retention}
	if a := first.Release(ctx, []election.End{e})[0]; a.Standing != election.Good {
		return fmt.Errorf("the lease could not be released (standing %d): %w", a.Standing, orNone(a.Err))
	}
	return expect(ctx, second, rival, election.Spent, "after it has run")
}

// expect makes a claim that must be answered in one way.
func expect(ctx context.Context, s *Store, c election.Claim, want election.Answer, when string) error {
	if a := s.Claim(ctx, []election.Claim{c})[0]; a.Answer != want {
		return fmt.Errorf("a second claim %s was answered %d instead of %d: %w", when, a.Answer, want, orNone(a.Err))
	}
	return nil
}

var errNone = errors.New("the server gave no reason")

func orNone(err error) error {
	if err == nil {
		return errNone
	}
	return err
}

// twin is a store over the same keys with connections of its own.
func (s *Store) twin() (twin *Store, done func(), err error) {
	var rdb redis.UniversalClient
	switch c := s.rdb.(type) {
	case *redis.Client:
		o := *c.Options()
		o.MaxRetries, o.PoolSize, o.MinIdleConns = -1, 1, 0 // 0 retries of a made client would mean 3 to a new one
		rdb = redis.NewClient(&o)
	case *redis.ClusterClient:
		o := *c.Options()
		o.MaxRetries, o.PoolSize, o.MinIdleConns = -1, 1, 0
		rdb = redis.NewClusterClient(&o)
	default:
		return nil, nil, fmt.Errorf("redis client %T: no second connection", s.rdb)
	}
	twin = &Store{rdb: rdb, heads: s.heads, resends: s.resends, scripts: s.scripts, wait: s.wait}
	return twin, func() { _ = rdb.Close() }, nil
}

// randomName is 128 random bits in hexadecimal.
func randomName() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
