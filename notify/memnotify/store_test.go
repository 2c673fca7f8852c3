package memnotify_test

import (
	"testing"

	"github.com/solocron/solocron/notify"
	"github.com/solocron/solocron/notify/memnotify"
	"github.com/solocron/solocron/notify/notifytest"
)

func TestTheStoreInMemoryKeepsTheContract(t *testing.T) {
	t.Parallel()
	notifytest.Run(t, func(*testing.T) notify.Store { return new(memnotify.Store) })
}
