package election_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/solocron/solocron/election"
)

func TestKeysOfDifferentPartsDiffer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringOfN(rapid.RuneFrom([]rune("a/%2Fö\x00~ ")), 0, 4, -1)
		key := rapid.Custom(func(t *rapid.T) election.Key {
			return election.Key{
				Environment: part.Draw(t, "environment"), Tenant: part.Draw(t, "tenant"),
				Kind: part.Draw(t, "kind"), ID: part.Draw(t, "id"),
			}
		})
		a, b := key.Draw(t, "a"), key.Draw(t, "b")
		if (a == b) != (a.String() == b.String()) {
			t.Fatalf("%#v and %#v are %q and %q", a, b, a, b)
		}
	})
}

func TestAKeyIsReadableAndItsLogLineIsNot(t *testing.T) {
	t.Parallel()
	if got, want := order.String(), "prod/acme/order/4711"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("locked", "key", order)
	if line := log.String(); strings.Contains(line, "4711") || !strings.Contains(line, "key=prod/acme/order/~") {
		t.Errorf("the log says %q, want all but the id", line)
	}
	other := order
	other.ID = "4712"
	if order.Masked() == other.Masked() || order.Masked() != (election.Key{Environment: "prod", Tenant: "acme", Kind: "order", ID: "4711"}).Masked() {
		t.Error("masked keys do not tell which are the same")
	}
}

func TestAKeyMustFitAStore(t *testing.T) {
	t.Parallel()
	for id, good := range map[string]bool{
		"": false, "x": true, strings.Repeat("x", 477): true, strings.Repeat("x", 478): false,
		strings.Repeat("/", 159): true, strings.Repeat("/", 160): false,
	} {
		if err := (election.Key{ID: id}).Validate(); (err == nil) != good || err != nil && !errors.Is(err, election.ErrBadClaim) {
			t.Errorf("an id of %d bytes: got %v", len(id), err)
		}
	}
	l := newLocks(t, newWire(), "a", election.LocksConfig{})
	longest := election.Key{ID: strings.Repeat("x", 477)}
	h, err := l.Semaphore(longest, 1000).Try(t.Context())
	if err != nil {
		t.Fatalf("the longest key with a slot: %v", err)
	}
	_ = h.Unlock()
}
