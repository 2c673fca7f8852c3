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
	Bare    float64 // seconds per EVALSHA that a client sends by hand, with the arguments of a claim
	Nothing float64 // seconds per EVALSHA of the trivial script
	Claim   float64 // seconds per claim, one at a time, on the same connection
	Ratio   float64 // of Claim to Bare, the median of neighbouring blocks
	Single  float64 // claims per second, one by one
	Batched float64 // claims per second, a thousand in a call
}

// claimJobs is how many jobs the bench claims for in turn.
const claimJobs = 1000

// claimBench asks for leases as an engine does: for jobs whose records are
// there, each time for a tick after the last, which ran and was released.
type claimBench struct {
	rdb   *redis.Client
	store *redislease.Store
	words *words // of a claim, as they would be sent
	sha   string
	begin time.Time
	made  int                       // claims so far
	seen  [claimJobs]election.Floor // what is known of each job
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
	words, err := newWords(addr)
	if err != nil {
		return nil, err
	}
	b := &claimBench{rdb: rdb, store: store, words: words, sha: sha, begin: time.Now().Add(-20 * time.Hour).Truncate(time.Second)}
	_, err = b.claim(ctx, b.next(claimJobs)) // makes the records
	return b, err
}

// next returns claims for the next n jobs, at most claimJobs, each for its next tick.
func (b *claimBench) next(n int) []election.Claim {
	claims := make([]election.Claim, n)
	for i := range claims {
		job, lap := b.made%claimJobs, b.made/claimJobs
		b.made++
		var raw [16]byte
		rand.Read(raw[:])
		claims[i] = election.Claim{
			Key: "claim-" + strconv.Itoa(job), Owner: election.Owner(hex.EncodeToString(raw[:])),
			Tick: b.begin.Add(time.Duration(lap) * time.Second), TTL: 30 * time.Second, LockDelay: 5 * time.Second,
			Retention: 7 * 24 * time.Hour, Epoch: 1, Floor: b.seen[job], Holder: "bench-0", Def: "0123456789abcdef",
		}
	}
	return claims
}

// claim times one call of the store for claims, then runs what was granted.
func (b *claimBench) claim(ctx context.Context, claims []election.Claim) (time.Duration, error) {
	begun := time.Now()
	answers := b.store.Claim(ctx, claims)
	took := time.Since(begun)
	for i, a := range answers {
		if a.Answer != election.Granted {
			return 0, fmt.Errorf("claim of %s: answer %v, want granted: %w", claims[i].Key, a.Answer, a.Err)
		}
	}
	return took, b.run(ctx, claims, answers)
}

// run starts and releases what was granted for claims.
func (b *claimBench) run(ctx context.Context, claims []election.Claim, answers []election.ClaimAnswer) error {
	holds, ends := make([]election.Hold, len(claims)), make([]election.End, len(claims))
	for i, c := range claims {
		token := answers[i].Token
		holds[i] = election.Hold{
			Key: c.Key, Owner: c.Owner, Token: token, Tick: c.Tick, TTL: c.TTL, Retention: c.Retention, Holder: c.Holder,
		}
		ends[i] = election.End{Key: c.Key, Owner: c.Owner, Token: token, Outcome: election.OutcomeSucceeded, Retention: c.Retention}
		job := (b.made - len(claims) + i) % claimJobs
		b.seen[job] = election.Floor{Token: token, Tick: c.Tick}
	}
	for _, answers := range [][]election.HoldAnswer{b.store.Start(ctx, holds), b.store.Release(ctx, ends)} {
		for i, a := range answers {
			if a.Standing != election.Good {
				return fmt.Errorf("running %s: standing %v, want good: %w", claims[i].Key, a.Standing, a.Err)
			}
		}
	}
	return nil
}

// bare times the EVALSHA of one claim, sent as it is by a client that already
// has its words; then asks again through the store and runs what was granted.
func (b *claimBench) bare(ctx context.Context) (time.Duration, error) {
	claims := b.next(1)
	cmd := redis.NewStringSliceCmd(ctx, b.words.of(ctx, claims)...)
	begun := time.Now()
	err := b.rdb.Process(ctx, cmd)
	took := time.Since(begun)
	if err != nil {
		return 0, err
	}
	_, err = b.claim(ctx, claims) // the same owner again: the same grant
	return took, err
}

func (b *claimBench) nothing(ctx context.Context) (time.Duration, error) {
	begun := time.Now()
	err := b.rdb.EvalSha(ctx, b.sha, []string{"bench:{x}:key"}).Err()
	return time.Since(begun), err
}

// turns does one call of each kind n times in turn, so that whatever else the
// machine does falls on all, and returns what each took in the middle, in seconds.
func (b *claimBench) turns(ctx context.Context, n int) (took [3]float64, err error) {
	kinds := [3]func(context.Context) (time.Duration, error){
		b.nothing, b.bare, func(ctx context.Context) (time.Duration, error) { return b.claim(ctx, b.next(1)) },
	}
	var all [3][]float64
	for range n {
		for k, call := range kinds {
			d, err := call(ctx)
			if err != nil {
				return took, err
			}
			all[k] = append(all[k], d.Seconds())
		}
	}
	for k := range kinds {
		took[k] = Median(all[k])
	}
	return took, nil
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
	if _, err := b.turns(ctx, perBlock); err != nil { // warms all sides
		return ClaimFigures{}, err
	}
	var nothings, bares, claims, ratios, singles, batches []float64
	for range blocks {
		took, err := b.turns(ctx, perBlock)
		if err != nil {
			return ClaimFigures{}, err
		}
		single, err := b.rate(ctx, perBlock, 1)
		if err != nil {
			return ClaimFigures{}, err
		}
		batched, err := b.rate(ctx, 10*perBlock, min(claimJobs, 10*perBlock))
		if err != nil {
			return ClaimFigures{}, err
		}
		nothings, bares, claims = append(nothings, took[0]), append(bares, took[1]), append(claims, took[2])
		ratios = append(ratios, took[2]/took[1])
		singles, batches = append(singles, single), append(batches, batched)
	}
	return ClaimFigures{
		Bare: Median(bares), Nothing: Median(nothings), Claim: Median(claims), Ratio: Median(ratios),
		Single: Median(singles), Batched: Median(batches),
	}, nil
}
