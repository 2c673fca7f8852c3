package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/telemetry"
)

// scripted is a Store that answers what it was told to, after a time.
type scripted struct {
	claims []election.ClaimAnswer
	holds  []election.HoldAnswer
	takes  time.Duration
	ahead  time.Duration
}

func (s scripted) Claim(context.Context, []election.Claim) []election.ClaimAnswer {
	for i := range s.claims {
		s.claims[i].Now = time.Now().Add(s.takes/2 + s.ahead)
	}
	time.Sleep(s.takes)
	return s.claims
}

func (s scripted) Start(context.Context, []election.Hold) []election.HoldAnswer { return s.holds }
func (s scripted) Renew(context.Context, []election.Hold) []election.HoldAnswer { return s.holds }
func (s scripted) Release(context.Context, []election.End) []election.HoldAnswer {
	return s.holds
}

func TestEveryItemOfACallIsCountedByItsAnswer(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m := telemetry.NewMetrics(reg)
	answers := []election.ClaimAnswer{
		{Answer: election.Granted},
		{Answer: election.Granted},
		{Answer: election.Missed},
		{Err: fmt.Errorf("dial: %w", election.ErrNotApplied)},
		{Err: fmt.Errorf("ttl: %w", election.ErrBadClaim)},
		{Err: context.DeadlineExceeded},
		{Answer: 200},
	}
	got := m.WrapStore(scripted{claims: answers}).Claim(t.Context(), make([]election.Claim, len(answers)))
	if len(got) != len(answers) {
		t.Fatalf("answers: got %d, want %d", len(got), len(answers))
	}
	for answer, want := range map[string]string{
		"granted": "2", "missed": "1", "not_applied": "1", "refused": "1", "unknown": "2", "spent": "0",
	} {
		line := `solocron_lease_operations_total{answer="` + answer + `",op="claim"}`
		if got := value(t, reg, line); got != want {
			t.Errorf("%s: got %s, want %s", answer, got, want)
		}
	}
	if got := value(t, reg, `solocron_lease_operation_duration_seconds_count{op="claim"}`); got != "1" {
		t.Errorf("calls: got %s, want 1", got)
	}
}

func TestFailedRenewalsAndAbnormalReleasesAreCountedApart(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	holds := []election.HoldAnswer{
		{Standing: election.Good},
		{Standing: election.Reinstated},
		{Standing: election.AlreadyReleased},
		{Standing: election.Lapsed},
		{Standing: election.Lost},
		{Err: errors.New("time-out")},
	}
	s := telemetry.NewMetrics(reg).WrapStore(scripted{holds: holds})
	s.Start(t.Context(), nil)
	s.Renew(t.Context(), nil)
	s.Release(t.Context(), nil)
	for line, want := range map[string]string{
		`solocron_lease_renewals_failed_total`:                                       "4",
		`solocron_lease_abnormal_releases_total`:                                     "4",
		`solocron_lease_operations_total{answer="lost",op="renew"}`:                  "1",
		`solocron_lease_operations_total{answer="already_released",op="release"}`:    "1",
		`solocron_lease_operations_total{answer="lapsed",op="start"}`:                "1",
		`solocron_lease_operation_duration_seconds_count{op="start"}`:                "1",
		`solocron_lease_operations_total{answer="unknown",op="start"}`:               "1",
		`solocron_lease_operation_duration_seconds_bucket{op="release",le="+Inf"}`:   "1",
		`solocron_lease_operation_duration_seconds_bucket{op="release",le="0.0005"}`: "1",
	} {
		if got := value(t, reg, line); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

func TestClockOffsetIsTheStoresClockAtTheMiddleOfTheCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reg := prometheus.NewRegistry()
		m := telemetry.NewMetrics(reg)
		s := m.WrapStore(scripted{
			claims: []election.ClaimAnswer{{Answer: election.Spent}},
			takes:  80 * time.Millisecond, ahead: 1500 * time.Millisecond,
		})
		s.Claim(t.Context(), make([]election.Claim, 1))
		if got := value(t, reg, "solocron_clock_offset_seconds"); got != "1.5" {
			t.Errorf("offset: got %s, want 1.5", got)
		}
		if got := m.ClockOffset(); got != 1500*time.Millisecond {
			t.Errorf("offset for the other replicas: got %v, want 1.5s", got)
		}
		silent := m.WrapStore(scripted{holds: []election.HoldAnswer{{Err: errors.New("eof")}}})
		silent.Renew(t.Context(), nil)
		if got := value(t, reg, "solocron_clock_offset_seconds"); got != "1.5" {
			t.Errorf("offset after a call without an answer: got %s, want 1.5", got)
		}
	})
}
