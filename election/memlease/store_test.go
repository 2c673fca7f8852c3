package memlease_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/leasetest"
	"github.com/solocron/solocron/election/memlease"
)

func subject(*testing.T) leasetest.Subject {
	s := new(memlease.Store)
	return leasetest.Subject{Store: s, Wipe: func() error { s.Forget(); return nil }}
}

func TestStoreKeepsTheContract(t *testing.T) {
	t.Parallel()
	leasetest.Run(t, leasetest.Bubble, subject)
}

func TestStoreUsesTheClockItIsGiven(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	s := &memlease.Store{Now: func() time.Time { return now }}
	c := election.Claim{Key: "job", Owner: "0123456789abcdef0123456789abcdef", Mode: election.ForRequest, TTL: time.Second, Retention: time.Hour}
	a := s.Claim(t.Context(), []election.Claim{c})[0]
	if a.Answer != election.Granted || !a.Now.Equal(now) || a.Token != now.UnixMicro() {
		t.Errorf("got %+v, want a grant at %s", a, now)
	}
	now = now.Add(time.Second)
	h := election.Hold{Key: "job", Owner: c.Owner, Token: a.Token, TTL: time.Second, Retention: time.Hour}
	if got := s.Renew(t.Context(), []election.Hold{h})[0]; got.Standing != election.Lapsed {
		t.Errorf("after its time: got %+v, want Lapsed", got)
	}
}

func BenchmarkClaim100000(b *testing.B) {
	claims := make([]election.Claim, 100_000)
	for i := range claims {
		claims[i] = election.Claim{
			Key: fmt.Sprintf("job-%d", i), Owner: election.Owner(fmt.Sprintf("%032x", i)), Mode: election.ForRequest,
			TTL: time.Second, Retention: time.Hour, Holder: "replica",
		}
	}
	s := new(memlease.Store)
	for b.Loop() {
		s.Claim(b.Context(), claims)
	}
}
