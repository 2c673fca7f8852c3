package etcdlease_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/etcdlease"
	"github.com/solocron/solocron/internal/etcdtest"
)

// BenchmarkLife is the life of some jobs that are due together: claim, start, one
// renewal, release. It also says how many requests that takes.
func BenchmarkLife(b *testing.B) {
	for _, jobs := range []int{1, 1000} {
		b.Run(fmt.Sprintf("%d jobs", jobs), func(b *testing.B) { life(b, jobs) })
	}
}

func life(b *testing.B, jobs int) {
	var requests atomic.Int64
	o := etcdlease.Options(etcdtest.Start(b, 1).Endpoints(), 30*time.Second)
	o.DialOptions = []grpc.DialOption{between(func(_ context.Context, _ string, _ any, send func() error) error {
		requests.Add(1)
		return send()
	})}
	c, err := clientv3.New(o)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	s, err := etcdlease.New(c, "solocron", "bench", 30*time.Second)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	claims, holds, ends := make([]election.Claim, jobs), make([]election.Hold, jobs), make([]election.End, jobs)
	n := 0
	for b.Loop() {
		for i := range claims {
			n++
			claims[i] = request(fmt.Sprintf("job-%d", i), n)
		}
		for i, a := range s.Claim(b.Context(), claims) {
			if a.Answer != election.Granted {
				b.Fatalf("got %+v, want a grant", a)
			}
			holds[i] = holdOf(&claims[i], &a)
			ends[i] = endOf(&holds[i])
		}
		s.Start(b.Context(), holds)
		s.Renew(b.Context(), holds)
		for _, a := range s.Release(b.Context(), ends) {
			if a.Standing != election.Good {
				b.Fatalf("got %+v, want Good", a)
			}
		}
	}
	b.ReportMetric(float64(requests.Load())/float64(n), "requests/job")
}
