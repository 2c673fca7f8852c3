package redisjournal_test

import (
	"testing"
	"time"

	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/journal/journaltest"
	"github.com/solocron/solocron/journal/redisjournal"
	"github.com/solocron/solocron/scheduler"
)

func TestJournalPutsConfigurationsInOrder(t *testing.T) {
	t.Parallel()
	journaltest.RunGenerations(t, func(t *testing.T) journaltest.Generations {
		return open(t, client(t, "127.0.0.1:1", mini(t)), "test")
	})
}

func TestConfigurationsAreInOrderOnARealRedis(t *testing.T) {
	t.Parallel()
	inOrder(t, open(t, client(t, redistest.Start(t).Addr, nil), "test"))
}

// inOrder checks that j does what package journaltest checks at length in a bubble.
func inOrder(t *testing.T, j *redisjournal.Journal) {
	t.Helper()
	enrol := func(replica, revision string, above int64) scheduler.Enrolled {
		t.Helper()
		got, err := j.Enrol(t.Context(), scheduler.Enrolment{Replica: replica, Revision: revision, Above: above})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	first := enrol("a", "one", 0)
	second := enrol("b", "two", 0)
	// An hour ahead of Redis: what is asked for decides, and not the milliseconds that have gone by.
	ahead := second.Generation + time.Hour.Milliseconds()
	third := enrol("b", "two", ahead)
	if first.Generation >= second.Generation || third.Generation != ahead+1 {
		t.Errorf("got %+v, %+v, %+v, want them in order", first, second, third)
	}
	define := func(hash string, generation int64) scheduler.Adopted {
		t.Helper()
		got, err := j.Adopt(t.Context(), []scheduler.Definition{{Job: "j", Def: "d", Hash: hash, Generation: generation}})
		if err != nil {
			t.Fatal(err)
		}
		return got[0]
	}
	if got := define("B", third.Generation); got.Superseded || got.Epoch != third.Generation {
		t.Errorf("the newest: got %+v", got)
	}
	if got := define("A", first.Generation); !got.Superseded {
		t.Errorf("an older one: got %+v, want it superseded", got)
	}
	if names, err := j.Defined(t.Context()); err != nil || len(names) != 1 {
		t.Errorf("defined: got %q, error %v", names, err)
	}
	if err := j.Forget(t.Context(), []string{"j"}); err != nil {
		t.Fatal(err)
	}
	if names, err := j.Defined(t.Context()); err != nil || len(names) != 0 {
		t.Errorf("defined: got %q, error %v, want none", names, err)
	}
}
