package election_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/solocron/solocron/election"
)

// TestLeadershipIsHandedOver ends the process of each leader in turn.
func TestLeadershipIsHandedOver(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	synctest.Test(t, func(t *testing.T) {
		w, hints := newWire(), new(election.LocalHints)
		var leading atomic.Int64
		var mu sync.Mutex
		var order3, observed []string
		var tokens []int64
		var all sync.WaitGroup
		stops := make(map[string]context.CancelFunc)
		for _, name := range []string{"a", "b", "c"} {
			ctx, stop := context.WithCancel(t.Context())
			stops[name] = stop
			d := newLocks(t, w, name, election.LocksConfig{Hints: hints}).Leader(order)
			all.Go(func() {
				err := d.Run(ctx, election.Callbacks{
					Elected: func(ctx context.Context) {
						if leading.Add(1) != 1 || !d.IsLeader() {
							t.Errorf("%s was elected while another led, or does not know", name)
						}
						token, _ := election.Token(ctx)
						mu.Lock()
						order3, tokens = append(order3, name), append(tokens, token)
						mu.Unlock()
						<-ctx.Done()
						time.Sleep(3 * time.Second) // it takes its time to stop
						leading.Add(-1)
					},
					Resigned: func(cause error) {
						if !errors.Is(cause, context.Canceled) || d.IsLeader() {
							t.Errorf("%s resigned with %v, leads %v", name, cause, d.IsLeader())
						}
					},
					Observed: func(by string, token int64) {
						if name == "c" {
							mu.Lock()
							observed = append(observed, by)
							mu.Unlock()
						}
					},
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		for range 3 {
			time.Sleep(time.Minute)
			mu.Lock()
			now := order3[len(order3)-1]
			mu.Unlock()
			stops[now]()
		}
		all.Wait()
		if got := slices.Sorted(slices.Values(order3)); !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("led: %v, want each once", order3)
		}
		if !slices.IsSorted(tokens) {
			t.Errorf("tokens %v do not grow", tokens)
		}
		if i := slices.Index(order3, "c"); !slices.Equal(observed, order3[:i+1]) {
			t.Errorf("c has seen %v, want %v", observed, order3[:i+1])
		}
	})
}

// severed is a wire that can be cut: nothing gets through.
type severed struct {
	*wire
	cut atomic.Bool
}

func (s *severed) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	if !s.cut.Load() {
		return s.wire.Claim(ctx, claims)
	}
	<-ctx.Done()
	answers := make([]election.ClaimAnswer, len(claims))
	for i := range answers {
		answers[i].Err = errCut
	}
	return answers
}

func (s *severed) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	if !s.cut.Load() {
		return s.wire.Renew(ctx, holds)
	}
	<-ctx.Done()
	return unanswered(len(holds))
}

func (s *severed) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	if !s.cut.Load() {
		return s.wire.Release(ctx, ends)
	}
	<-ctx.Done()
	return unanswered(len(ends))
}

// TestALostLeadershipIsAwaitedBeforeTheNext cuts the leader off: it must have
// been told before another leads, and stands again only when its work has ended.
func TestALostLeadershipIsAwaitedBeforeTheNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		cut := &severed{wire: w}
		ctx, stop := context.WithCancel(t.Context())
		var told, followed time.Time
		var terms []error
		var all sync.WaitGroup
		a := newLocks(t, cut, "a", election.LocksConfig{}).Leader(order)
		b := newLocks(t, w, "b", election.LocksConfig{}).Leader(order)
		working := false
		all.Go(func() {
			_ = a.Run(ctx, election.Callbacks{
				Elected: func(ctx context.Context) {
					if working {
						t.Error("elected again before the work had ended")
					}
					working = true
					<-ctx.Done()
					if told.IsZero() {
						told = time.Now()
						time.Sleep(5 * time.Second) // StopGrace
					}
					working = false
				},
				Resigned: func(cause error) { terms = append(terms, cause) },
			})
		})
		time.Sleep(time.Second)
		all.Go(func() {
			_ = b.Run(ctx, election.Callbacks{Elected: func(ctx context.Context) { followed = time.Now(); <-ctx.Done() }})
		})
		time.Sleep(time.Minute)
		cut.cut.Store(true)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if len(terms) != 1 || !errors.Is(terms[0], election.ErrLeaseUncertain) || a.IsLeader() || !b.IsLeader() {
			t.Errorf("a's terms ended with %v, a leads %v, b leads %v", terms, a.IsLeader(), b.IsLeader())
		}
		// StopGrace 5 s and Slack 1 s before the end, then LockDelay 5 s.
		if gap := followed.Sub(told); gap < 11*time.Second {
			t.Errorf("b followed %s after a was told, want the grace and the lock delay", gap)
		}
		stop()
		all.Wait()
	})
}

func TestALeaderMayResignAndALeadershipRunsOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		d := newLocks(t, w, "a", election.LocksConfig{}).Leader(order)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		terms := 0
		err := d.Run(ctx, election.Callbacks{
			Elected: func(ctx context.Context) {
				terms++
				if err := d.Run(ctx, election.Callbacks{}); err == nil {
					t.Error("a second Run at the same time was accepted")
				}
			},
			Resigned: func(cause error) {
				if cause != nil {
					t.Errorf("resigned with %v, want nil", cause)
				}
			},
		})
		if err != nil || terms < 60 || terms > 1200 {
			t.Errorf("led %d times in a minute (%v), want again and again with a pause", terms, err)
		}
		if _, ok := d.Token(); ok {
			t.Error("it has a token after Run")
		}
	})
}

func TestALeaderOutlastsAnOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		w.loseClaims.Store(60) // for a minute nobody answers
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
		defer stop()
		led := false
		err := newLocks(t, w, "a", election.LocksConfig{}).Leader(order).Run(ctx, election.Callbacks{
			Elected: func(ctx context.Context) { led = true; <-ctx.Done() },
		})
		if err != nil || !led {
			t.Errorf("led %v (%v), want after the outage", led, err)
		}
	})
}
