package redlock_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solocron/solocron/election/leasetest"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/election/redlock"
)

// TestMain looks for goroutines that are left. A dial that go-redis began before its
// client was closed ends by itself, seconds later.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/redis/go-redis/v9/internal/pool.(*ConnPool).queuedNewConn.func2"))
}

// open returns a store over nodes; it is closed when the test ends.
func open(t testing.TB, cfg redlock.Config, nodes ...redlock.Node) *redlock.Store {
	t.Helper()
	s, err := redlock.New(nodes, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return s
}

// memories are n nodes in memory.
func memories(n int) (nodes []redlock.Node, stores []*memlease.Store) {
	for i := range n {
		// Each has a clock of its own, so that they never give the same token.
		ahead := time.Duration(i) * 100 * time.Microsecond
		m := &memlease.Store{Now: func() time.Time { return time.Now().Add(ahead) }}
		stores = append(stores, m)
		nodes = append(nodes, redlock.Node{Name: fmt.Sprintf("n%d", i+1), Store: m})
	}
	return nodes, stores
}

func TestStoreKeepsTheContract(t *testing.T) {
	t.Parallel()
	for _, n := range []int{3, 5} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			leasetest.Run(t, leasetest.Bubble, func(t *testing.T) leasetest.Subject {
				nodes, stores := memories(n)
				return leasetest.Subject{Store: open(t, redlock.Config{}, nodes...), Wipe: func() error {
					for _, m := range stores {
						m.Forget()
					}
					return nil
				}}
			})
		})
	}
}
