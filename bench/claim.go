package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
)

const tryTimeout = time.Second

// trivial is the least a script can do: what EVALSHA itself costs.
const trivial = "return 1"

// ClaimFigures is what claims cost.
type ClaimFigures struct {
	Bare    float64 // seconds per EVALSHA of the trivial script
	Claim   float64 // seconds per claim, one at a time, on the same connection
	Ratio   float64 // median of the ratios of neighbouring blocks
	Single  float64 // claims per second, one by one
	Batched float64 // claims per second, a thousand in a call
}

// claimBench asks for fresh leases, one key after the other.
type claimBench struct {
	rdb   *redis.Client
	store *redislease.Store
	sha   string
	keys  int
}

func newClaimBench(ctx context.Context, addr string) (*claimBench, error) {
	opt := redislease.Options(addr, tryTimeout)
	opt.PoolSize, opt.MinIdleConns = 1, 1 // one connection for both sides of the comparison
	rdb := redis.NewClient(opt)
	store, err := redislease.New(rdb, "bench", namespace, tryTimeout)
	if err != nil {
		return nil, err
	}
	sha, err := rdb.ScriptLoad(ctx, trivial).Result()
	if err != nil {
		return nil, err
	}
	return &claimBench{rdb: rdb, store: store, sha: sha}, nil
}

// next returns n claims for keys nobody has asked for before.
func (b *claimBench) next(n int) []election.Claim {
	claims := make([]election.Claim, n)
	tick := time.Now().Add(-time.Second).Truncate(time.Second)
	for i := range claims {
		b.keys++
		var raw [16]byte
		rand.Read(raw[:])
		claims[i] = election.Claim{
			Key: "claim-" + strconv.Itoa(b.keys), Owner: election.Owner(hex.EncodeToString(raw[:])),
			Tick: tick, TTL: 30 * time.Second, LockDelay: 5 * time.Second, Retention: time.Hour, Holder: "bench",
		}
	}
	return claims
}

// claim times one call of the store for claims.
func (b *claimBench) claim(ctx context.Context, claims []election.Claim) (time.Duration, error) {
	begun := time.Now()
	answers := b.store.Claim(ctx, claims)
	took := time.Since(begun)
	for i, a := range answers {
		if a.Answer != election.Granted {
			return 0, fmt.Errorf("claim of %s: answer %v, want granted: %w", claims[i].Key, a.Answer, a.Err)
		}
	}
	return took, nil
}

func (b *claimBench) bare(ctx context.Context) (time.Duration, error) {
	begun := time.Now()
	err := b.rdb.EvalSha(ctx, b.sha, []string{"bench:{x}:key"}).Err()
	return time.Since(begun), err
}

// pair does one bare call and one claim n times in turn, so that whatever else
// the machine does falls on both, and returns what each took in the middle.
func (b *claimBench) pair(ctx context.Context, n int) (bare, claim time.Duration, err error) {
	var bares, claims []float64
	for _, c := range b.next(n) {
		x, err := b.bare(ctx)
		if err != nil {
			return 0, 0, err
		}
		y, err := b.claim(ctx, []election.Claim{c})
		if err != nil {
			return 0, 0, err
		}
		bares, claims = append(bares, x.Seconds()), append(claims, y.Seconds())
	}
	toDuration := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	return toDuration(Median(bares)), toDuration(Median(claims)), nil
}

// rate is how many claims a second are granted in calls of the given size.
func (b *claimBench) rate(ctx context.Context, total, size int) (float64, error) {
	var took time.Duration
	for range total / size {
		d, err := b.claim(ctx, b.next(size))
		if err != nil {
			return 0, err
		}
		took += d
	}
	return float64(total) / took.Seconds(), nil
}

// measureClaims measures in blocks, each with all comparisons, and takes medians.
func measureClaims(ctx context.Context, server *Server, blocks, perBlock int) (ClaimFigures, error) {
	if err := server.Flush(ctx); err != nil {
		return ClaimFigures{}, err
	}
	b, err := newClaimBench(ctx, server.Addr)
	if err != nil {
		return ClaimFigures{}, err
	}
	defer b.rdb.Close()
	if _, _, err := b.pair(ctx, perBlock); err != nil { // warms both sides
		return ClaimFigures{}, err
	}
	var bares, claims, ratios, singles, batches []float64
	for range blocks {
		bare, claim, err := b.pair(ctx, perBlock)
		if err != nil {
			return ClaimFigures{}, err
		}
		single, err := b.rate(ctx, perBlock, 1)
		if err != nil {
			return ClaimFigures{}, err
		}
		batched, err := b.rate(ctx, 10*perBlock, min(1000, 10*perBlock))
		if err != nil {
			return ClaimFigures{}, err
		}
		bares, claims = append(bares, bare.Seconds()), append(claims, claim.Seconds())
		ratios = append(ratios, claim.Seconds()/bare.Seconds())
		singles, batches = append(singles, single), append(batches, batched)
	}
	return ClaimFigures{
		Bare: Median(bares), Claim: Median(claims), Ratio: Median(ratios),
		Single: Median(singles), Batched: Median(batches),
	}, nil
}
