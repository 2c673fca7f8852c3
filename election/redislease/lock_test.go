package redislease_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
)

// plainLocks are claims that lock.lua grants when nobody has the record.
func plainLocks() map[string]election.Claim {
	plain := election.Claim{Key: "lock", Owner: owner(1), Mode: election.ForRequest, TTL: 30 * time.Second, Holder: "replica"}
	claims := map[string]election.Claim{"plain": plain}
	vary := func(name string, change func(*election.Claim)) {
		c := plain
		change(&c)
		claims[name] = c
	}
	vary("with a lock delay", func(c *election.Claim) { c.LockDelay = 5 * time.Second })
	vary("with a definition", func(c *election.Claim) { c.Epoch, c.Def = 7, strings.Repeat("d", 64) })
	vary("short", func(c *election.Claim) { c.TTL = 100 * time.Millisecond })
	vary("long", func(c *election.Claim) { c.TTL, c.LockDelay = 24*time.Hour, 24*time.Hour })
	vary("of nobody", func(c *election.Claim) { c.Holder = "" })
	vary("of a long name", func(c *election.Claim) { c.Holder = strings.Repeat("n", 200) })
	return claims
}

// TestAPlainLockLeavesTheRecordThatTheLongWayLeaves claims each lock alone, and
// then beside a claim with another term, which sends both the long way. The clock
// of the bubble stands still between them.
func TestAPlainLockLeavesTheRecordThatTheLongWayLeaves(t *testing.T) {
	t.Parallel()
	for name, c := range plainLocks() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Hour + 1234567*time.Nanosecond)
				ctx := t.Context()
				s, rdb := mini(t)
				other := c
				other.Key, other.TTL = "other", time.Minute
				type left struct {
					fields map[string]string
					lives  time.Duration
					answer election.ClaimAnswer
					ended  election.HoldAnswer
				}
				lock := func(claims ...election.Claim) (l left) {
					l.answer = s.Claim(ctx, claims)[0]
					l.fields, l.lives = rdb.HGetAll(ctx, s.RedisKey(c.Key)).Val(), rdb.PTTL(ctx, s.RedisKey(c.Key)).Val()
					ends := make([]election.End, len(claims))
					for i, c := range claims { // another retention: the long way back, too
						ends[i] = election.End{
							Key: c.Key, Owner: c.Owner, Token: l.answer.Token, Outcome: election.OutcomeSucceeded,
							Retention: time.Duration(i) * time.Second,
						}
					}
					l.ended = s.Release(ctx, ends)[0]
					if n := rdb.Exists(ctx, s.RedisKey(c.Key)).Val(); n != 0 {
						t.Errorf("the record is there after its end")
					}
					return l
				}
				quick, slow := lock(c), lock(c, other)
				if quick.answer.Answer != election.Granted || quick.ended.Standing != election.Good {
					t.Fatalf("got %+v, then %+v; want a grant and a good end", quick.answer, quick.ended)
				}
				if !maps.Equal(quick.fields, slow.fields) || quick.lives != slow.lives {
					t.Errorf("the records differ:\n%q, for %s\n%q, for %s", quick.fields, quick.lives, slow.fields, slow.lives)
				}
				if quick.answer != slow.answer || quick.ended != slow.ended { // all of them plain, with no Prev
					t.Errorf("the answers differ:\n%+v, %+v\n%+v, %+v", quick.answer, quick.ended, slow.answer, slow.ended)
				}
			})
		})
	}
}

// TestItemsBehindAContendedLockAreDecidedInTurn has a lock that somebody holds in
// the midst of free ones, and one key twice.
func TestItemsBehindAContendedLockAreDecidedInTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		s, _ := mini(t)
		claim := func(key string, n int) election.Claim {
			return election.Claim{Key: key, Owner: owner(n), Mode: election.ForRequest, TTL: time.Second, Holder: "replica"}
		}
		if a := s.Claim(ctx, []election.Claim{claim("b", 1)})[0]; a.Answer != election.Granted {
			t.Fatalf("got %+v", a)
		}
		claims := []election.Claim{claim("a", 2), claim("b", 3), claim("a", 4), claim("c", 5), claim("b", 1)}
		want := []election.Answer{election.Granted, election.Held, election.Held, election.Granted, election.Granted}
		answers := s.Claim(ctx, claims)
		ends := make([]election.End, len(claims))
		for i, a := range answers {
			if a.Answer != want[i] || a.Err != nil {
				t.Errorf("claim %d: got %+v, want answer %d", i, a, want[i])
			}
			ends[i] = election.End{Key: claims[i].Key, Owner: claims[i].Owner, Token: a.Token, Outcome: election.OutcomeSucceeded}
		}
		good := []election.Standing{election.Good, election.Lost, election.Lost, election.Good, election.Good}
		for i, a := range s.Release(ctx, ends) {
			if a.Standing != good[i] || a.Err != nil {
				t.Errorf("end %d: got %+v, want standing %d", i, a, good[i])
			}
		}
	})
}

// TestAPlainLockCostsTheServerSixCommands counts what its scripts call: time,
// record and expiry, then record, time and deletion.
func TestAPlainLockCostsTheServerSixCommands(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, rdb := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
	c := plainLocks()["plain"]
	a := s.Claim(t.Context(), []election.Claim{c})[0]
	e := s.Release(t.Context(), []election.End{{Key: c.Key, Owner: c.Owner, Token: a.Token, Outcome: election.OutcomeSucceeded}})[0]
	if a.Answer != election.Granted || e.Standing != election.Good {
		t.Fatalf("got %+v, then %+v", a, e)
	}
	stats, err := rdb.Info(t.Context(), "commandstats").Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"time:calls=2,", "hsetnx:calls=1,", "pexpireat:calls=1,", "hget:calls=1,", "del:calls=1,"} {
		if !strings.Contains(stats, "cmdstat_"+want) {
			t.Errorf("the server was not asked for %s...", want)
		}
	}
	if strings.Contains(stats, "cmdstat_hset:") {
		t.Error("the lock went the long way")
	}
}

// TestAServerThatIsAClusterByItselfTakesManyJobs is for a plain client of a
// cluster with one node: each run of a script has to be about one slot.
func TestAServerThatIsAClusterByItselfTakesManyJobs(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--cluster-enabled", "yes")
	server.Do(t, "CLUSTER", "ADDSLOTSRANGE", "0", "16383")
	s, rdb := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if err := rdb.Set(t.Context(), "up", 1, 0).Err(); err == nil {
			break
		} else if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	for round := range 2 { // the first learns of it
		claims := make([]election.Claim, 40)
		for i := range claims {
			claims[i] = plainLocks()["plain"]
			claims[i].Key, claims[i].Retention = fmt.Sprintf("lock-%d-%d", round, i), time.Duration(i%2)*time.Hour
		}
		for i, a := range s.Claim(t.Context(), claims) {
			if a.Answer != election.Granted {
				t.Errorf("round %d, claim %d: got %+v, want a grant", round, i, a)
			}
		}
	}
	stats := rdb.Info(t.Context(), "commandstats").Val() + rdb.Info(t.Context(), "errorstats").Val()
	if !strings.Contains(stats, "errorstat_CROSSSLOT:count=1\r") {
		t.Errorf("want one refusal, after which no call is about many slots, got\n%s", stats)
	}
}
