package memjournal_test

import (
	"testing"
	"time"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/journaltest"
	"github.com/solocron/solocron/journal/memjournal"
)

func TestLogsInMemoryKeepTheContract(t *testing.T) {
	t.Parallel()
	journaltest.RunLogs(t, true, func(*testing.T) journaltest.OpenLogs {
		return func(bounds journal.LogBounds) journal.Logs { return memjournal.NewLogs(time.Now, bounds) }
	})
}
