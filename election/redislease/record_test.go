package redislease_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
)

// steps does every step of a run on key, and returns the error of each.
func steps(ctx context.Context, s *redislease.Store, key string) map[string]error {
	c := request(1)
	c.Key = key
	h := election.Hold{Key: key, Owner: c.Owner, Token: 1, TTL: c.TTL, Retention: c.Retention}
	e := election.End{Key: key, Owner: c.Owner, Token: 1, Outcome: election.OutcomeFailed, Retention: c.Retention}
	_, read := s.Read(ctx, []string{key})
	_, revoke := s.Revoke(ctx, election.Revocation{Key: key})
	return map[string]error{
		"claim": s.Claim(ctx, []election.Claim{c})[0].Err, "start": s.Start(ctx, []election.Hold{h})[0].Err,
		"renew": s.Renew(ctx, []election.Hold{h})[0].Err, "release": s.Release(ctx, []election.End{e})[0].Err,
		"read": read, "revoke": revoke, "gate": s.SetGate(ctx, key, election.Gate{Closed: true}),
	}
}

// spoilt is a record as it is stored, with s in the place of what begins there.
func spoilt(ctx context.Context, t *testing.T, rdb *redis.Client, key string, place int, s string) {
	t.Helper()
	h, err := rdb.HGet(ctx, key, "h").Result()
	if err != nil {
		t.Fatal(err)
	}
	h = h[:place-1] + s + h[place-1+len(s):]
	if err := rdb.HSet(ctx, key, "h", h).Err(); err != nil {
		t.Fatal(err)
	}
}

func TestARecordOfAnotherLayoutIsLeftAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		s, rdb := mini(t)
		at := s.RedisKey("job")
		if a := s.Claim(ctx, []election.Claim{request(1)})[0]; a.Answer != election.Granted {
			t.Fatalf("claim: got %+v", a)
		}
		spoilt(ctx, t, rdb, at, 1, "2")
		before := rdb.HGetAll(ctx, at).Val()
		for step, err := range steps(ctx, s, "job") {
			if !errors.Is(err, election.ErrNotApplied) || !strings.Contains(err.Error(), "layout") {
				t.Errorf("%s: got error %v, want not applied for the layout", step, err)
			}
		}
		if after := rdb.HGetAll(ctx, at).Val(); len(after) != len(before) || after["h"] != before["h"] {
			t.Errorf("the record was changed from %q to %q", before, after)
		}
	})
}

// TestACorruptRecordFailsAlone spoils a number that every step reads.
func TestACorruptRecordFailsAlone(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, rdb := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
	// All in one shard, so that they are items of one script.
	var claims []election.Claim
	for n := 0; len(claims) < 3; n++ {
		c := request(n)
		c.Key = "job-" + string(c.Owner)
		if redislease.Shard(c.Key) == 5 {
			claims = append(claims, c)
		}
	}
	for i, a := range s.Claim(t.Context(), claims) {
		if a.Answer != election.Granted {
			t.Fatalf("claim %d: got %+v", i, a)
		}
	}
	spoilt(t.Context(), t, rdb, s.RedisKey(claims[1].Key), 140, strings.Repeat("x", 16)) // token
	spoilt(t.Context(), t, rdb, s.RedisKey(claims[1].Key), 38, strings.Repeat("x", 13))  // expires
	for i, a := range s.Claim(t.Context(), claims) {
		switch {
		case i == 1 && !errors.Is(a.Err, election.ErrNotApplied):
			t.Errorf("corrupt: got %+v, want not applied", a)
		case i != 1 && a.Answer != election.Granted:
			t.Errorf("beside it: got %+v, want the same grant again", a)
		}
	}
	for step, err := range steps(t.Context(), s, claims[1].Key) {
		if err == nil && step != "gate" { // a gate has nothing to do with the token
			t.Errorf("%s of a corrupt record gave no error", step)
		}
	}
}

func TestAServerOutOfMemoryAppliesNothing(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, rdb := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
	claims := []election.Claim{request(1)}
	limit := func(bytes string) {
		t.Helper()
		if err := rdb.ConfigSet(t.Context(), "maxmemory", bytes).Err(); err != nil {
			t.Fatal(err)
		}
	}
	limit("1")
	if a := s.Claim(t.Context(), claims)[0]; !errors.Is(a.Err, election.ErrNotApplied) {
		t.Errorf("without memory: got %+v, want not applied", a)
	}
	limit("0")
	if a := s.Claim(t.Context(), claims)[0]; a.Answer != election.Granted {
		t.Errorf("with memory: got %+v, want a grant", a)
	}
}

// TestARecordLivesAsLongAsItMust looks at the expiry after each step: at least
// what was asked for, at most a quarter of the retention more.
func TestARecordLivesAsLongAsItMust(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Hour)
		ctx := t.Context()
		s, rdb := mini(t)
		lives := func(what string, least, most time.Duration) {
			t.Helper()
			if got := rdb.PTTL(ctx, s.RedisKey("job")).Val(); got < least || got > most {
				t.Errorf("after %s: the record lives %s, want %s to %s", what, got, least, most)
			}
		}
		for _, keep := range []time.Duration{time.Hour, 10 * time.Second, 24 * time.Hour, 10 * time.Minute} {
			slack := time.Duration(0)
			if keep >= time.Minute {
				slack = keep / 4
			}
			for round := range 50 {
				c := request(round)
				c.LockDelay, c.Retention = 3*time.Second, keep
				a := s.Claim(ctx, []election.Claim{c})[0]
				lives("claim", keep+4*time.Second, keep+4*time.Second+slack)
				h := election.Hold{Key: "job", Owner: c.Owner, Token: a.Token, TTL: 5 * time.Second, Retention: keep}
				s.Start(ctx, []election.Hold{h})
				lives("start", keep+8*time.Second, keep+8*time.Second+slack)
				time.Sleep(time.Second)
				s.Release(ctx, []election.End{{Key: "job", Owner: c.Owner, Token: a.Token, Outcome: election.OutcomeFailed, Retention: keep}})
				lives("release", keep, keep+slack)
				time.Sleep(keep / 20)
			}
		}
		if err := s.SetGate(ctx, "job", election.Gate{Closed: true}); err != nil {
			t.Fatal(err)
		}
		lives("closing the gate", -1, -1)
		if err := s.SetGate(ctx, "job", election.Gate{}); err != nil {
			t.Fatal(err)
		}
		const week = 7 * 24 * time.Hour
		lives("opening it", week, week+150*time.Second)
	})
}

// TestReplicasOfThisReleaseAndTheFirstUnderstandEachOthersGates: the first kept
// 0 or 1 in gate, and closed while its clock was before gu, or with a gu of 0.
func TestReplicasOfThisReleaseAndTheFirstUnderstandEachOthersGates(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Hour)
		ctx := t.Context()
		s, rdb := mini(t)
		at := s.RedisKey("job")
		if a := s.Claim(ctx, []election.Claim{request(1)})[0]; a.Answer != election.Granted {
			t.Fatalf("claim: got %+v", a)
		}
		gate := func(flag string, fields ...any) election.Gate {
			t.Helper()
			spoilt(ctx, t, rdb, at, 119, flag)
			if err := rdb.HSet(ctx, at, fields...).Err(); err != nil {
				t.Fatal(err)
			}
			records, err := s.Read(ctx, []string{"job"})
			if err != nil {
				t.Fatal(err)
			}
			return records[0].Gate
		}
		want := election.Gate{Closed: true, Reason: "why", By: "ada"}
		if got := gate("1", "gu", "0", "gr", "why", "gb", "ada"); got != want {
			t.Errorf("closed by the first: got %+v, want %+v", got, want)
		}
		if got := gate("0", "gu", "0", "gr", "", "gb", ""); got != (election.Gate{}) {
			t.Errorf("opened by the first: got %+v, want an open gate", got)
		}
		if err := errors.Join(s.SetGate(ctx, "job", want), s.SetGate(ctx, "job", election.Gate{})); err != nil {
			t.Fatal(err)
		}
		gu, err := rdb.HGet(ctx, at, "gu").Int64()
		if now := time.Now().UnixMilli(); err != nil || gu == 0 || gu > now {
			t.Errorf("opened by this one: gu = %d, error %v, want at most %d, so that the first sees it open", gu, err, now)
		}
	})
}
