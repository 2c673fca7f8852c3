package memjournal_test

import (
	"testing"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/journaltest"
	"github.com/solocron/solocron/journal/memjournal"
)

func TestJournalKeepsTheContract(t *testing.T) {
	t.Parallel()
	journaltest.RunJournal(t, true, func(*testing.T) journal.Journal { return memjournal.New(nil) })
}

func TestJournalPutsConfigurationsInOrder(t *testing.T) {
	t.Parallel()
	journaltest.RunGenerations(t, func(*testing.T) journaltest.Generations { return memjournal.New(nil) })
}
