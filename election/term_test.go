package election

import (
	"strings"
	"testing"
	"time"
)

func TestDeadlineCountsFromTheRequestThatWasAnswered(t *testing.T) {
	t.Parallel()
	// Sent at 10 s, answered whenever: 30 s remain on the store's clock, less 1 % and 2 ms.
	got := term{}.extend(10*time.Second, 30*time.Second).deadline
	if want := 40*time.Second - 302*time.Millisecond; got != want {
		t.Errorf("deadline = %s, want %s", got, want)
	}
}

func TestLateAnswerNeverShortensATerm(t *testing.T) {
	t.Parallel()
	first := term{}.extend(20*time.Second, 30*time.Second)
	if got := first.extend(10*time.Second, 30*time.Second); got != first {
		t.Errorf("an older request's answer changed the term from %v to %v", first, got)
	}
}

func TestBeliefEndsBeforeTheDeadlineByGraceAndSlack(t *testing.T) {
	t.Parallel()
	c := Config{TTL: 30 * time.Second}.WithDefaults()
	tm := term{deadline: 30 * time.Second}
	for _, x := range []struct {
		now  time.Duration
		want belief
	}{
		{0, held},
		{24*time.Second - 1, held},
		{24 * time.Second, stopping},
		{30*time.Second - 1, stopping},
		{30 * time.Second, over},
		{time.Hour, over},
	} {
		if got := tm.belief(x.now, &c); got != x.want {
			t.Errorf("belief at %s = %d, want %d", x.now, got, x.want)
		}
	}
}

func TestRenewalsAreCountedFromTheLastSuccessSoDelaysDoNotAddUp(t *testing.T) {
	t.Parallel()
	c := Config{TTL: 30 * time.Second}.WithDefaults()
	tm := term{renewed: 100 * time.Second, deadline: 130 * time.Second}
	for _, x := range []struct {
		jitter float64
		want   time.Duration
	}{
		{0, 110 * time.Second},
		{0.5, 109500 * time.Millisecond},
		{1, 109 * time.Second},
	} {
		if got := tm.renewAt(&c, x.jitter); got != x.want {
			t.Errorf("renewAt(jitter %v) = %s, want %s", x.jitter, got, x.want)
		}
	}
}

func TestDefaultsWorkForEveryTTLThatIsAllowed(t *testing.T) {
	t.Parallel()
	for ttl := minTTL; ttl <= maxTTL; ttl += ttl / 7 {
		if err := (Config{TTL: ttl}).Validate(); err != nil {
			t.Errorf("ttl %s: %v", ttl, err)
		}
	}
}

func TestConfigThatLeavesTooFewRenewalsIsRefusedWithTheArithmetic(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		c    Config
		want string
	}{
		"grace eats the term": {
			Config{TTL: 30 * time.Second, StopGrace: 15 * time.Second},
			"ttl 30s - drift 302ms - stopGrace 15s - slack 1s = 13.698s, but renewEvery 10s + 3 x (tryTimeout 1s + pause 1s) = 16s",
		},
		"renews too seldom":   {Config{TTL: 30 * time.Second, RenewEvery: 11 * time.Second}, "more than a third of the ttl"},
		"tries take too long": {Config{TTL: 30 * time.Second, Try: 4 * time.Second}, "more than a tenth of the ttl"},
		"ttl too short":       {Config{TTL: time.Millisecond}, "not between 100ms and 24h"},
		"negative":            {Config{TTL: time.Minute, LockDelay: -1}, "lockDelay -1ns is negative"},
	} {
		err := x.c.Validate()
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: got %v, want it to contain %q", name, err, x.want)
		}
	}
}

func TestPauseDoublesUpToItsMaximumAndIsNeverNothing(t *testing.T) {
	t.Parallel()
	b := Backoff{First: 100 * time.Millisecond, Max: time.Second}
	for _, x := range []struct {
		tries  int
		jitter float64
		want   time.Duration
	}{
		{1, 0, 10 * time.Millisecond},
		{1, 1, 100 * time.Millisecond},
		{2, 1, 200 * time.Millisecond},
		{4, 1, 800 * time.Millisecond},
		{5, 1, time.Second},
		{1000, 1, time.Second},
		{1000, 0, 100 * time.Millisecond},
	} {
		if got := b.Pause(x.tries, x.jitter); got != x.want {
			t.Errorf("Pause(%d, %v) = %s, want %s", x.tries, x.jitter, got, x.want)
		}
	}
}
