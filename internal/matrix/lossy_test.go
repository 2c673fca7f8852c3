package matrix_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/faultproxy"
	"github.com/solocron/solocron/internal/redisclient"
	"github.com/solocron/solocron/internal/redistest"
)

// A pair is a master and its replica, with a line between them that can be cut
// while both live: then what the master acknowledges gets no further.
type pair struct {
	t               *testing.T
	master, replica *redistest.Server
	line            *faultproxy.Proxy
	door            *faultproxy.Proxy // where the master is to be found: later, who takes its place
}

func newPair(t *testing.T) *pair {
	t.Helper()
	p := &pair{t: t, master: redistest.Start(t, "--repl-diskless-sync-delay", "0"), replica: redistest.Start(t)}
	p.line, p.door = faultproxy.Start(t, p.master.Addr), faultproxy.Start(t, p.master.Addr)
	host, port, _ := strings.Cut(p.line.Addr(), ":")
	p.replica.Do(t, "REPLICAOF", host, port)
	p.inStep()
	return p
}

func (p *pair) inStep() {
	p.t.Helper()
	await(p.t, "the replica to be in step", failover, func() bool {
		return p.master.Holds("state=online", "INFO", "replication")
	})
}

// lose kills the master; the replica takes its place with what it has, at the same
// address.
func (p *pair) lose() {
	p.line.Cut() // what was held back is gone
	p.master.Stop()
	p.replica.Do(p.t, "REPLICAOF", "NO", "ONE")
	p.door.Retarget(p.replica.Addr)
}

// elector is a replica of ours that looks for the master at addr.
func (p *pair) elector(name, addr string, options ...redislease.Option) *election.Elector {
	p.t.Helper()
	cfg := terms()
	store := open(p.t, connect(p.t, redisclient.Settings{Addrs: []string{addr}, Try: cfg.Try}), "lossy", cfg.Try, options...)
	e, err := election.New(store, name, cfg)
	if err != nil {
		p.t.Fatal(err)
	}
	return e
}

// claim asks until there is an answer.
func claim(t *testing.T, e *election.Elector, tick time.Time) election.Reply {
	t.Helper()
	wish := election.Wish{Key: "job", Mode: election.ForTick, Overlap: election.QueueOverlap, Tick: tick, Def: "v1"}
	var r election.Reply
	await(t, "an answer to "+e.Holder(), goOn, func() bool {
		r = e.Claim(t.Context(), []election.Wish{wish})[0]
		wish.Owner = r.Owner
		return r.Answer != election.Unknown
	})
	return r
}

// begin claims and starts a tick, and keeps the lease until t ends.
func begin(t *testing.T, e *election.Elector, tick time.Time) (*election.Lease, context.Context) {
	t.Helper()
	r := claim(t, e, tick)
	if r.Answer != election.Granted {
		t.Fatalf("claim of %s: got %+v, want a grant", e.Holder(), r)
	}
	if got := e.Start(t.Context(), []*election.Lease{r.Lease}); got[0].Err != nil {
		t.Fatalf("start of %s: %v", e.Holder(), got[0].Err)
	}
	ctx, stop := r.Lease.Keep(context.WithoutCancel(t.Context()))
	t.Cleanup(stop)
	return r.Lease, ctx
}

func justNow() time.Time { return time.Now().Truncate(time.Second) }

// This is the hole that no lease on an asynchronous replica is without: what the
// replica had not heard of is given once more. The tokens tell the two apart.
func TestWithoutWaitALossyFailoverLetsASecondHolderInAndTheTokenShowsIt(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	first, second := p.elector("first", p.door.Addr()), p.elector("second", p.replica.Addr)
	p.line.SilenceReplies(true)
	tick := justNow()
	lease, ctx := begin(t, first, tick)
	p.lose()

	again, _ := begin(t, second, tick)
	if err := lease.Check(); err != nil {
		t.Errorf("the first holder believes %v, want that it still holds the lease: this test shows the hole", err)
	}
	if again.Token() <= lease.Token() {
		t.Errorf("got token %d after %d: a receiver could not tell the holders apart", again.Token(), lease.Token())
	}
	first.Reverify()
	await(t, "the first holder to be told", goOn, func() bool { return ctx.Err() != nil })
	if cause := context.Cause(ctx); !errors.Is(cause, election.ErrLeaseLost) {
		t.Errorf("the first holder's run ends with %v, want %v", cause, election.ErrLeaseLost)
	}
	if err := again.Check(); err != nil {
		t.Errorf("the second holder: %v", err)
	}
}

// One replica of ours that has heard of the lease is enough to close the hole: the
// record is quarantined, and its holder comes back.
func TestAFloorClosesWhatALossyFailoverHasOpened(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	first, second := p.elector("first", p.door.Addr()), p.elector("second", p.replica.Addr)
	witness := p.elector("witness", p.door.Addr())
	p.line.SilenceReplies(true)
	tick := justNow()
	lease, ctx := begin(t, first, tick)
	if r := claim(t, witness, tick); r.Answer != election.Spent {
		t.Fatalf("the witness: got %+v, want a spent tick", r)
	}
	p.lose()

	next := tick.Add(time.Second)
	await(t, "the next tick", goOn, func() bool { return !next.After(time.Now()) })
	for _, e := range []*election.Elector{witness, second} {
		if r := claim(t, e, next); r.Answer != election.Quarantine {
			t.Errorf("claim of %s: got %+v, want a quarantine", e.Holder(), r)
		}
	}
	if r := claim(t, second, tick); r.Answer == election.Granted {
		t.Errorf("the second replica was granted the tick that runs: %+v", r)
	}
	before := lease.Remaining()
	first.Reverify()
	await(t, "the first holder to be reinstated", goOn, func() bool { return lease.Remaining() > before || ctx.Err() != nil })
	if ctx.Err() != nil {
		t.Errorf("the first holder's run has ended: %v", context.Cause(ctx))
	}
	if r := claim(t, second, next); r.Answer != election.Held {
		t.Errorf("claim of the second after that: got %+v, want that the first holds the lease", r)
	}
}

func TestWithWaitALossyFailoverLetsNoSecondHolderIn(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	wait := redislease.Wait{Replicas: 1, Timeout: (terms().Try / 2).Truncate(time.Millisecond)}
	first, second := p.elector("first", p.door.Addr(), wait), p.elector("second", p.replica.Addr)
	tick := justNow()
	p.line.SilenceReplies(true)
	r := first.Claim(t.Context(), []election.Wish{{Key: "job", Mode: election.ForTick, Tick: tick, Def: "v1"}})[0]
	if r.Answer != election.Unknown || !errors.Is(r.Err, election.ErrUnreplicated) || r.Lease != nil {
		t.Fatalf("a claim that the replica did not hear of: got %+v, want no lease, and %v", r, election.ErrUnreplicated)
	}
	p.line.Heal()
	lease, ctx := begin(t, first, tick)
	p.line.SilenceReplies(true)
	p.lose()
	if r := claim(t, second, tick); r.Answer != election.Spent {
		t.Errorf("claim of the second: got %+v, want a spent tick", r)
	}
	next := tick.Add(time.Second)
	await(t, "the next tick", goOn, func() bool { return !next.After(time.Now()) })
	if r := claim(t, second, next); r.Answer != election.Held || r.By != first.Holder() {
		t.Errorf("claim of the second: got %+v, want that the first holds the lease", r)
	}
	if err := lease.Check(); err != nil || ctx.Err() != nil {
		t.Errorf("the first holder: %v, %v", err, context.Cause(ctx))
	}
}
