package election

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// TestACurfewEndsEachRequestInItsOwnTime has requests leave at any time and come
// back in any order, some of them never.
func TestACurfewEndsEachRequestInItsOwnTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &curfew{after: time.Second}
		random := rand.New(rand.NewPCG(1, 2))
		for n := range 300 {
			away, gap := time.Duration(random.IntN(2000))*time.Millisecond+500*time.Microsecond, time.Duration(random.IntN(300))*time.Millisecond
			if n%50 == 0 {
				gap += 5 * time.Second // nobody is out: the timer rests
			}
			time.Sleep(gap)
			o, left := c.leave(), time.Now()
			if until, ok := o.Deadline(); !ok || !until.Equal(left.Add(time.Second)) {
				t.Errorf("request %d may last until %s, want a second from %s", n, until, left)
			}
			go func() {
				want := context.Canceled
				if away > time.Second {
					want = context.DeadlineExceeded
				}
				go func() {
					time.Sleep(away)
					o.back()
				}()
				if err := o.Err(); err != nil {
					t.Errorf("request %d: ended with %v as it left", n, err)
				}
				<-o.Done()
				if took := time.Since(left); took != min(away, time.Second) {
					t.Errorf("request %d ended after %s, want %s", n, took, min(away, time.Second))
				}
				if err := context.Cause(o); !errors.Is(err, want) {
					t.Errorf("request %d: got %v, want %v", n, err, want)
				}
			}()
		}
		time.Sleep(10 * time.Second)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.first != nil || c.last != nil || c.set {
			t.Errorf("nobody is out, but the curfew has %v to %v, timer set: %v", c.first, c.last, c.set)
		}
	})
}

// TestWhatDependsOnARequestEndsWithIt derives a context, as a store does.
func TestWhatDependsOnARequestEndsWithIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := (&curfew{after: time.Second}).leave()
		ctx, cancel := context.WithTimeout(o, time.Minute)
		defer cancel()
		left := time.Now()
		<-ctx.Done()
		if took := time.Since(left); took != time.Second || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Errorf("it ended after %s with %v, want 1s and a deadline exceeded", took, ctx.Err())
		}
		o.back()
	})
}
