package etcdlease_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/etcdlease"
	"github.com/solocron/solocron/internal/etcdtest"
)

// spoiled opens a store with something between it and etcd.
func spoiled(t *testing.T, endpoints []string, try time.Duration, option grpc.DialOption) *etcdlease.Store {
	t.Helper()
	o := etcdlease.Options(endpoints, try)
	o.DialOptions = []grpc.DialOption{option}
	c, err := clientv3.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return open(t, c, "test", try)
}

func TestAnAnswerThatWasLostIsFoundAgain(t *testing.T) {
	t.Parallel()
	var sent, dropped atomic.Int64
	drop := between(func(_ context.Context, method string, req any, send func() error) error {
		err := send()
		if writes(method, req) && sent.Add(1)%2 == 1 { // the first time each
			dropped.Add(1)
			return status.Error(codes.Unavailable, "the answer was lost")
		}
		return err
	})
	s := spoiled(t, etcdtest.Start(t, 1).Endpoints(), 10*time.Second, drop)
	c := request("job", 1)
	a := s.Claim(t.Context(), []election.Claim{c})[0]
	if a.Err != nil || a.Answer != election.Granted || a.Attempt != 1 {
		t.Fatalf("claim: got %+v, want a grant", a)
	}
	h := holdOf(&c, &a)
	for _, ask := range []func(context.Context, []election.Hold) []election.HoldAnswer{s.Start, s.Renew} {
		if got := ask(t.Context(), []election.Hold{h})[0]; got.Err != nil || got.Standing != election.Good || got.Token != a.Token {
			t.Fatalf("start or renewal: got %+v, want Good with token %d", got, a.Token)
		}
	}
	got := s.Release(t.Context(), []election.End{endOf(&h)})[0]
	if got.Err != nil || got.Standing != election.AlreadyReleased || got.Outcome != election.OutcomeSucceeded {
		t.Fatalf("release: got %+v, want that it has been released with success", got)
	}
	if dropped.Load() < 4 {
		t.Errorf("%d answers were lost, want one for each step", dropped.Load())
	}
}

func TestAWriteWithoutAnAnswerIsUnknownAndAReadIsNotApplied(t *testing.T) {
	t.Parallel()
	endpoints := etcdtest.Start(t, 1).Endpoints()
	for name, c := range map[string]struct {
		silent     func(method string, req any) bool
		notApplied bool
	}{
		"writes": {writes, false},
		"all":    {func(string, any) bool { return true }, true},
	} {
		s := spoiled(t, endpoints, 4*time.Second, between(func(ctx context.Context, method string, req any, send func() error) error {
			if c.silent(method, req) {
				<-ctx.Done()
				return ctx.Err()
			}
			return send()
		}))
		a := s.Claim(t.Context(), []election.Claim{request("job", 1)})[0]
		if a.Err == nil || a.Answer != election.Unknown || errors.Is(a.Err, election.ErrNotApplied) != c.notApplied {
			t.Errorf("%s are not answered: got %+v, want Unknown, certainly not applied: %t", name, a, c.notApplied)
		}
	}
}

func TestARecordThatEverybodyChangesIsGivenUp(t *testing.T) {
	t.Parallel()
	endpoints := etcdtest.Start(t, 1).Endpoints()
	other := open(t, client(t, endpoints, 5*time.Second), "test", 20*time.Second)
	var n atomic.Int64
	s := spoiled(t, endpoints, 20*time.Second, between(func(ctx context.Context, method string, req any, send func() error) error {
		if writes(method, req) { // somebody is always faster
			gate := election.Gate{Closed: true, Reason: string(owner(int(n.Add(1))))}
			if err := other.SetGate(ctx, "job", gate); err != nil {
				return err
			}
		}
		return send()
	}))
	a := s.Claim(t.Context(), []election.Claim{request("job", 1)})[0]
	if a.Answer != election.Unknown || !errors.Is(a.Err, election.ErrNotApplied) {
		t.Errorf("after %d lost races: got %+v, want a claim that was not applied", n.Load(), a)
	}
}

func TestCallsEndWithTheirContextWhileEtcdHangs(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 3)
	s := open(t, client(t, cluster.Endpoints(), 5*time.Second), "test", 20*time.Second)
	c := request("job", 1)
	a := s.Claim(t.Context(), []election.Claim{c})[0]
	if a.Answer != election.Granted {
		t.Fatalf("got %+v, want a grant", a)
	}
	h := holdOf(&c, &a)
	for _, m := range cluster.Members {
		if err := m.Pause(); err != nil {
			t.Fatal(err)
		}
	}
	for what, ask := range map[string]func(ctx context.Context) error{
		"claim":   func(ctx context.Context) error { return s.Claim(ctx, []election.Claim{request("other", 2)})[0].Err },
		"start":   func(ctx context.Context) error { return s.Start(ctx, []election.Hold{h})[0].Err },
		"renewal": func(ctx context.Context) error { return s.Renew(ctx, []election.Hold{h})[0].Err },
		"release": func(ctx context.Context) error { return s.Release(ctx, []election.End{endOf(&h)})[0].Err },
		"read":    func(ctx context.Context) error { _, err := s.Read(ctx, []string{"job"}); return err },
		"gate":    func(ctx context.Context) error { return s.SetGate(ctx, "job", election.Gate{Closed: true}) },
		"check":   func(ctx context.Context) error { _, err := s.Check(ctx); return err },
		"revocation": func(ctx context.Context) error {
			_, err := s.Revoke(ctx, election.Revocation{Key: "job"})
			return err
		},
	} {
		if took, err := quickest(t, ask); err == nil || took > hangLimit+100*time.Millisecond {
			t.Errorf("%s: got error %v after %s, want one after %s", what, err, took, hangLimit)
		}
	}
}

const hangLimit = 300 * time.Millisecond

// quickest calls ask with a context that ends soon, some times: a machine under
// load may keep one call waiting for a processor.
func quickest(t *testing.T, ask func(context.Context) error) (best time.Duration, err error) {
	t.Helper()
	best = time.Hour
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), hangLimit)
		asked := time.Now()
		err = ask(ctx)
		best = min(best, time.Since(asked))
		cancel()
		if err == nil {
			return best, nil
		}
	}
	return best, err
}
