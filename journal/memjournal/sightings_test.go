package memjournal_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/journaltest"
	"github.com/solocron/solocron/journal/memjournal"
)

func TestInquiriesInMemoryKeepTheContract(t *testing.T) {
	t.Parallel()
	journaltest.RunInquiries(t, true, func(*testing.T) journaltest.Fleet {
		all := memjournal.NewInquiries()
		return func(replica string, seen *journal.Sightings) journal.Inquiry { return all.Join(replica, seen) }
	})
}

func TestTwoReplicasCannotAnswerUnderOneID(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		all := memjournal.NewInquiries()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = all.Join("a", journal.NewSightings(0)).Run(ctx) }()
		synctest.Wait()
		if err := all.Join("a", journal.NewSightings(0)).Run(ctx); err == nil {
			t.Error("a second replica with the same ID could answer")
		}
	})
}
