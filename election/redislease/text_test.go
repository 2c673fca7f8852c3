package redislease_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/solocron/solocron/election/internal/check"
	"github.com/solocron/solocron/election/redislease"
)

func TestNumbersAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, width := rapid.Int64Range(0, check.MaxInt).Draw(t, "n"), rapid.IntRange(1, 16).Draw(t, "width")
		written := redislease.WriteNumber(n, width)
		if got, rest, ok := redislease.ReadNumber(written + " rest"); got != n || rest != "rest" || !ok {
			t.Fatalf("%q: got %d, rest %q, %v, want %d", written, got, rest, ok, n)
		}
	})
}
