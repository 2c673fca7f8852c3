package redisjournal_test

import (
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/journaltest"
	"github.com/solocron/solocron/journal/redisjournal"
)

func open(t testing.TB, rdb redis.UniversalClient, namespace string) *redisjournal.Journal {
	t.Helper()
	j, err := redisjournal.NewJournal(rdb, "solocron", namespace)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestJournalKeepsTheContractOnMiniredis(t *testing.T) {
	t.Parallel()
	journaltest.RunJournal(t, true, func(t *testing.T) journal.Journal {
		return open(t, client(t, "127.0.0.1:1", mini(t)), "test")
	})
}

func TestJournalKeepsTheContractOnRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	var n atomic.Int64
	journaltest.RunJournal(t, false, func(t *testing.T) journal.Journal {
		return open(t, client(t, server.Addr, nil), "test-"+strconv.FormatInt(n.Add(1), 10))
	})
}
