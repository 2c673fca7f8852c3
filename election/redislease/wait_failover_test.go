package redislease_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
)

// term is of leases that end while a test looks.
func term() election.Config { return election.Config{TTL: 4 * time.Second}.WithDefaults() }

// elector holds leases on a server for so long; with wait, for one of its replicas.
func elector(t *testing.T, addr, holder string, wait bool) *election.Elector {
	t.Helper()
	cfg := term()
	rdb := redis.NewClient(redislease.Options(addr, cfg.Try))
	t.Cleanup(func() { _ = rdb.Close() })
	var w redislease.Wait
	if wait {
		w = redislease.Wait{Replicas: 1, Timeout: (cfg.Try / 3).Truncate(time.Millisecond)}
	}
	s, err := redislease.New(rdb, "solocron", "test", cfg.Try, w)
	if err != nil {
		t.Fatal(err)
	}
	e, err := election.New(s, holder, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// win claims key until it is granted, for up to limit, and returns the last reply.
func win(t *testing.T, e *election.Elector, limit time.Duration) election.Reply {
	t.Helper()
	w := election.Wish{Key: "job", Mode: election.ForRequest}
	for end := time.Now().Add(limit); ; {
		reply := e.Claim(t.Context(), []election.Wish{w})[0]
		if reply.Answer == election.Granted || time.Now().After(end) {
			return reply
		}
		w.Owner = ""
		if reply.Answer == election.Unknown {
			w.Owner = reply.Owner
		}
		<-time.After(20 * time.Millisecond)
	}
}

// begin claims and starts key, and keeps its lease.
func begin(t *testing.T, e *election.Elector) (context.Context, *election.Lease) {
	t.Helper()
	reply := win(t, e, abundance)
	if reply.Answer != election.Granted {
		t.Fatalf("claim: got %+v, want a grant", reply.ClaimAnswer)
	}
	start(t, e, reply.Lease)
	ctx, stop := reply.Lease.Keep(t.Context())
	t.Cleanup(stop)
	return ctx, reply.Lease
}

func start(t *testing.T, e *election.Elector, l *election.Lease) {
	t.Helper()
	var err error
	for range 3 { // a slow machine may make one short
		started := e.Start(t.Context(), []*election.Lease{l})
		if err = started[0].Err; err == nil {
			return
		}
	}
	t.Fatalf("start: %v", err)
}

// cut takes a replica from its master for ever; it keeps what it has.
func cut(t *testing.T, r *redistest.Server) { r.Do(t, "REPLICAOF", "127.0.0.1", "1") }

// failOver kills the master and makes a replica one.
func failOver(t *testing.T, r *redistest.Replicated) string {
	t.Helper()
	r.Master.Stop()
	r.Replicas[0].Do(t, "REPLICAOF", "NO", "ONE")
	return r.Replicas[0].Addr
}

func TestRenewalsThatStayUnreplicatedEndTheRunBeforeItsDeadline(t *testing.T) {
	t.Parallel()
	r := replicated(t, 1)
	ctx, lease := begin(t, elector(t, r.Master.Addr, "first", true))
	for range 2 { // while replicas answer, it is kept for longer than a term
		select {
		case <-ctx.Done():
			t.Fatalf("ended with replicas: %v", context.Cause(ctx))
		case <-time.After(term().TTL * 2 / 3):
		}
	}
	pause(t, r.Replicas[0])
	select {
	case <-ctx.Done():
	case <-time.After(term().TTL):
		t.Fatal("the run goes on without replicas for longer than a term")
	}
	if cause := context.Cause(ctx); !errors.Is(cause, election.ErrLeaseUncertain) {
		t.Errorf("got cause %v, want ErrLeaseUncertain", cause)
	}
	if left := lease.Remaining(); left < term().StopGrace {
		t.Errorf("the run has %v to stop, want %v", left, term().StopGrace)
	}
}

func TestAStartThatTooFewReplicasHaveIsNoneAndMayBeRepeated(t *testing.T) {
	t.Parallel()
	r := replicated(t, 1)
	e := elector(t, r.Master.Addr, "first", true)
	reply := win(t, e, abundance)
	if reply.Answer != election.Granted {
		t.Fatalf("claim: got %+v, want a grant", reply.ClaimAnswer)
	}
	pause(t, r.Replicas[0])
	started := e.Start(t.Context(), []*election.Lease{reply.Lease})
	if !errors.Is(started[0].Err, election.ErrUnreplicated) || errors.Is(started[0].Err, election.ErrLeaseLost) || errors.Is(started[0].Err, election.ErrLeaseUncertain) {
		t.Errorf("unreplicated start: got error %v, want one that matches ErrUnreplicated and is not final", started[0].Err)
	}
	resume(t, r.Replicas[0])
	start(t, e, reply.Lease)
}

// TestAGrantThatTheNextMasterWouldNotKnowIsNone: without waiting for replicas two
// hold the lease after a lossy failover. The tokens tell them apart.
func TestAGrantThatTheNextMasterWouldNotKnowIsNone(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]bool{"with WAIT": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := replicated(t, 1)
			cut(t, r.Replicas[0])
			first := win(t, elector(t, r.Master.Addr, "first", wait), 0)
			if wait == (first.Answer == election.Granted) || wait && !errors.Is(first.Err, election.ErrUnreplicated) {
				t.Fatalf("first claim: got %+v", first.ClaimAnswer)
			}
			second := win(t, elector(t, failOver(t, r), "second", false), abundance)
			if second.Answer != election.Granted {
				t.Fatalf("second claim: got %+v, want a grant", second.ClaimAnswer)
			}
			if both := first.Lease != nil && first.Lease.Check() == nil; both == wait {
				t.Errorf("two holders at once: %v, want %v", both, !wait)
			}
			if !wait && second.Token <= first.Token {
				t.Errorf("the second token %d does not exceed the first %d", second.Token, first.Token)
			}
		})
	}
}

// TestARenewalThatTheNextMasterWouldNotKnowLengthensNoTerm: the promoted replica
// knows an earlier end of the lease than the master did.
func TestARenewalThatTheNextMasterWouldNotKnowLengthensNoTerm(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]bool{"with WAIT": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := replicated(t, 1)
			_, lease := begin(t, elector(t, r.Master.Addr, "first", wait))
			<-time.After(100 * time.Millisecond) // what is on its way without WAIT arrives
			cut(t, r.Replicas[0])
			<-time.After(term().TTL * 3 / 4) // two renewals are due
			second := elector(t, failOver(t, r), "second", false)
			reply := win(t, second, 2*term().TTL)
			if reply.Answer != election.Granted || reply.Prev == nil {
				t.Fatalf("second claim: got %+v, want a grant that tells of the first", reply.ClaimAnswer)
			}
			if both := lease.Check() == nil; both == wait {
				t.Errorf("two holders at once: %v, want %v", both, !wait)
			}
		})
	}
}
