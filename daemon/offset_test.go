package daemon_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// ahead is a store whose clock is three seconds ahead of ours.
type ahead struct{ *store }

func (a ahead) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	answers := a.store.Claim(ctx, claims)
	for i := range answers {
		answers[i].Now = answers[i].Now.Add(3 * time.Second)
	}
	return answers
}

func (a ahead) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	return later(a.store.Start(ctx, holds))
}

func (a ahead) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	return later(a.store.Release(ctx, ends))
}

func later(answers []election.HoldAnswer) []election.HoldAnswer {
	for i := range answers {
		answers[i].Now = answers[i].Now.Add(3 * time.Second)
	}
	return answers
}

// watched is members that note what they are told of our clock.
type watched struct {
	members
	offsets chan time.Duration
}

func (w watched) Drain() {}

func (w watched) SetOffset(d time.Duration) { w.offsets <- d }

func TestTheOthersAreToldWhatTheClockIsAheadOfTheStores(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := watched{members{make(chan scheduler.News), make(chan scheduler.News, 100)}, make(chan time.Duration, 100)}
		with := deps(new(store))
		with.Store, with.Members, with.Replica = ahead{new(store)}, w, "self"
		with.Metrics = telemetry.NewMetrics(telemetry.NewRegistry())
		stop := launch(t, assemble(t, configured(t, "@every 1s", nothing), with))
		time.Sleep(11 * time.Second)
		if err := stop(); err != nil {
			t.Errorf("stop: got %v", err)
		}
		close(w.offsets)
		var last time.Duration
		for d := range w.offsets {
			last = d
		}
		if last != -3*time.Second {
			t.Errorf("offset: got %v, want -3s: it is behind", last)
		}
	})
}
