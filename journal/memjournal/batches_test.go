package memjournal_test

import (
	"testing"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/journaltest"
	"github.com/solocron/solocron/journal/memjournal"
)

func TestBatchesInMemoryKeepTheContract(t *testing.T) {
	t.Parallel()
	journaltest.RunFeeds(t, true, func(*testing.T) journaltest.Wire {
		batches := memjournal.NewBatches()
		return func() journal.Batches { return batches }
	})
}
