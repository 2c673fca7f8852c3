package redislease_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
)

func benchClaims(n int) []election.Claim {
	tick := time.Now().Truncate(time.Second)
	claims := make([]election.Claim, n)
	for i := range claims {
		claims[i] = election.Claim{
			Key: fmt.Sprintf("job-%d", i), Owner: owner(i), Mode: election.ForTick, Tick: tick, TTL: 30 * time.Second,
			LockDelay: 5 * time.Second, Retention: time.Hour, Holder: "scheduler-0-ab12", Def: "0123456789abcdef", Epoch: 1,
		}
	}
	return claims
}

// BenchmarkClaim measures grants against a bare EVALSHA on the same client:
// claims/s for each size of batch.
func BenchmarkClaim(b *testing.B) {
	server := redistest.Start(b)
	s, rdb := open(b, redis.NewClient(redislease.Options(server.Addr, try)), "bench")
	b.Run("bare", func(b *testing.B) {
		sha, err := rdb.ScriptLoad(b.Context(), "return redis.call('TIME')").Result()
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if err := rdb.EvalSha(b.Context(), sha, []string{"key"}).Err(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, size := range []int{1, 100, 1000, 10_000} {
		b.Run(fmt.Sprintf("batch-%d", size), func(b *testing.B) {
			claims, ends := benchClaims(size), make([]election.End, size)
			b.ReportAllocs()
			for b.Loop() {
				answers := s.Claim(b.Context(), claims)
				b.StopTimer()
				for i, a := range answers {
					if a.Answer != election.Granted {
						b.Fatalf("claim %d: %+v", i, a)
					}
					ends[i] = election.End{
						Key: claims[i].Key, Owner: claims[i].Owner, Token: a.Token, Outcome: election.OutcomeUndone, Retention: time.Hour,
					}
				}
				s.Release(b.Context(), ends)
				b.StartTimer()
			}
			b.ReportMetric(float64(b.N*size)/b.Elapsed().Seconds(), "claims/s")
		})
	}
}
