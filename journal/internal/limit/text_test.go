package limit_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/solocron/solocron/journal/internal/limit"
)

func FuzzTextIsValidWithinItsLimitAndABeginning(f *testing.F) {
	for _, s := range []string{"", "plain", "ü€😀", "a\xffb", strings.Repeat("€", 100), "\xf0\x9f\x98"} {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		if n < 0 || n > 1000 {
			return
		}
		got := limit.Text(s, n)
		if len(got) > n || !utf8.ValidString(got) {
			t.Fatalf("Text(%q, %d) = %q", s, n, got)
		}
		if utf8.ValidString(s) && (!strings.HasPrefix(s, got) || len(s) <= n && got != s || len(s) > n && len(got) <= n-utf8.UTFMax) {
			t.Fatalf("Text(%q, %d) = %q", s, n, got)
		}
		if again := limit.Text(got, n); again != got {
			t.Fatalf("Text(%q, %d) = %q", got, n, again)
		}
	})
}

func TestMomentsBeyondThirteenDigitsAreUnknown(t *testing.T) {
	t.Parallel()
	for _, at := range []time.Time{{}, time.UnixMilli(-1), time.UnixMilli(0), time.UnixMilli(10_000_000_000_000)} {
		if got := limit.Millis(at); got != 0 {
			t.Errorf("Millis(%s) = %d, want 0", at, got)
		}
	}
	at := time.Date(2026, 11, 29, 1, 30, 0, 123_456_789, time.FixedZone("", 3600))
	if got, want := limit.Moment(limit.Millis(at)), time.Date(2026, 11, 29, 0, 30, 0, 123e6, time.UTC); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
