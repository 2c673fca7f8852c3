package access_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/admin/access"
)

// guess sends n bad tokens and returns the status of the last.
func guess(a *access.Access, from string, n int) int {
	last := 0
	for range n {
		last = refused(a, bearing(from, wrong))
	}
	return last
}

func TestBadTokensLockTheirAddressOutForLongerEachTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, log := made(t, access.Config{Tokens: written(t, everybody(t))})
		const bad, other = "203.0.113.9", "203.0.113.10"
		if got := guess(a, bad, 9); got != http.StatusUnauthorized {
			t.Fatalf("nine bad tokens: got %d, want 401", got)
		}
		for round, lock := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 16 * time.Minute} {
			for range 10 {
				guess(a, bad, 1)
			}
			_, no := a.Identify(bearing(bad, viewing))
			if no == nil || no.Status != http.StatusTooManyRequests || no.Retry != lock {
				t.Fatalf("round %d: got %+v, want a good token locked out for %s", round, no, lock)
			}
			if got, want := no.Header().Get("Retry-After"), fmt.Sprint(int(lock.Seconds())); got != want {
				t.Errorf("round %d: got Retry-After %s, want %s", round, got, want)
			}
			if got := refused(a, bearing(other, viewing)); got != 0 {
				t.Errorf("round %d: a good token from another address: got %d", round, got)
			}
			time.Sleep(lock - time.Millisecond)
			if got := refused(a, bearing(bad, viewing)); got != http.StatusTooManyRequests {
				t.Errorf("round %d: just before the end: got %d", round, got)
			}
			time.Sleep(time.Millisecond)
			if got := refused(a, bearing(bad, viewing)); got != 0 {
				t.Errorf("round %d: at the end: got %d", round, got)
			}
		}
		if strings.Contains(log.String(), wrong) || !strings.Contains(log.String(), "203.0.113.9/32") {
			t.Errorf("the log names the token, or not the address:\n%s", log)
		}
	})
}

func TestAFewBadTokensNowAndThenLockNobodyOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, _ := made(t, access.Config{Tokens: written(t, everybody(t))})
		for range 20 {
			if got := guess(a, "203.0.113.9", 9); got != http.StatusUnauthorized {
				t.Fatalf("got %d, want 401", got)
			}
			time.Sleep(time.Minute)
		}
	})
}

func TestALockIsForgottenAfterAQuietHour(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, _ := made(t, access.Config{Tokens: written(t, everybody(t))})
		for range 2 {
			guess(a, "203.0.113.9", 10)
			if _, no := a.Identify(bearing("203.0.113.9", viewing)); no == nil || no.Retry != time.Minute {
				t.Errorf("got %+v, want a lock of a minute", no)
			}
			time.Sleep(time.Hour)
		}
	})
}

func TestUnderAFloodOfBadTokensOneLocksItsSourceOutAndGoodOnesGoOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, log := made(t, access.Config{Tokens: written(t, everybody(t))})
		address := func(i int) string { return fmt.Sprintf("10.%d.%d.1", i>>8, i&255) }
		for i := range 300 {
			if got := guess(a, address(i), 1); got != http.StatusUnauthorized {
				t.Fatalf("source %d: got %d, want 401", i, got)
			}
		}
		if got := guess(a, address(300), 1); got != http.StatusTooManyRequests {
			t.Errorf("one bad token under a flood: got %d, want 429", got)
		}
		if got := refused(a, bearing("203.0.113.9", viewing)); got != 0 {
			t.Errorf("a good token under a flood: got %d", got)
		}
		time.Sleep(time.Minute)
		if got := guess(a, address(301), 1); got != http.StatusUnauthorized {
			t.Errorf("after the flood: got %d, want 401", got)
		}
		for i := range 20_000 {
			guess(a, address(i), 1)
		}
		if got := strings.Count(log.String(), "locked out"); got > 3 {
			t.Errorf("%d lines in the log about a flood, want one for each minute of it", got)
		}
		if got := access.Sources(a); got != 4096 {
			t.Errorf("%d sources are remembered, want 4096 at most", got)
		}
	})
}

func TestOneCustomerOfIPv6IsOneSource(t *testing.T) {
	t.Parallel()
	a, _ := made(t, access.Config{Tokens: written(t, everybody(t))})
	for i := range 10 {
		guess(a, fmt.Sprintf("2001:db8:1:2::%x", i), 1)
	}
	if got := refused(a, bearing("2001:db8:1:2:ffff::1", viewing)); got != http.StatusTooManyRequests {
		t.Errorf("the same 64 bits: got %d, want 429", got)
	}
	if got := refused(a, bearing("2001:db8:1:3::1", viewing)); got != 0 {
		t.Errorf("the next 64 bits: got %d", got)
	}
}

func TestBehindAProxyTheClientIsLockedOutAndNotTheProxy(t *testing.T) {
	t.Parallel()
	a, _ := made(t, access.Config{Tokens: written(t, everybody(t)), Proxy: sso()})
	through := func(token, forwarded string) *http.Request {
		r := bearing("10.1.0.1", token)
		r.Header.Set("X-Forwarded-For", forwarded)
		return r
	}
	for range 10 {
		a.Identify(through(wrong, "198.51.100.7, 203.0.113.9, 10.1.0.2"))
	}
	for forwarded, want := range map[string]int{
		"203.0.113.9": 429, "198.51.100.7": 0, "198.51.100.7, 203.0.113.9": 429, // only the last is the proxy's own
		"": 0, "nonsense": 0,
	} {
		if got := refused(a, through(viewing, forwarded)); got != want {
			t.Errorf("%q: got %d, want %d", forwarded, got, want)
		}
	}
	r := bearing("203.0.113.50", viewing) // no proxy: what it says of others is nothing
	r.Header.Set("X-Forwarded-For", "203.0.113.9")
	if got := refused(a, r); got != 0 {
		t.Errorf("a client that claims to be forwarded: got %d", got)
	}
	if got := a.Address(r).String(); got != "203.0.113.50" {
		t.Errorf("address: got %s, want the other end of the connection", got)
	}
}
