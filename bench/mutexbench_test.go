package main

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkMutex is for profiles of one peer at a time: -bench Mutex/solocron/1
// -cpuprofile. For ratios run the section: there the peers take turns.
func BenchmarkMutex(b *testing.B) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	server, err := StartServer(ctx)
	if err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	peers, err := newMutexPeers(server.Addr)
	if err != nil {
		b.Fatal(err)
	}
	defer closeAll(peers)
	m := &mutexBench{server: server, peers: peers, keys: mutexKeyNames()}
	for _, p := range peers {
		for _, n := range []int{1, 16} {
			b.Run(fmt.Sprintf("%s/%d", p.name, n), func(b *testing.B) {
				b.ReportAllocs()
				f := new(MutexFigures)
				if err := m.turn(b.Context(), p, n, max(b.N, n), f); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}
