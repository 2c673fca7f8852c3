package redisjournal

import (
	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/journal"
)

// chunk is how many items one run of a script takes.
const chunk = 128

// Journal keeps a journal in Redis, on Redis' clock. It is safe for concurrent
// use. A call is sent once: after an error it may or may not have been done, and
// can be repeated.
type Journal struct {
	rdb     redis.UniversalClient
	keys    keys
	scripts scripts
}

var _ journal.Journal = (*Journal)(nil)

// NewJournal returns a Journal whose keys begin with prefix and hold namespace
// in their hash tags; both are 1 to 100 bytes of A-Z a-z 0-9 . _ ~ / : -. It
// sends nothing.
func NewJournal(rdb redis.UniversalClient, prefix, namespace string) (*Journal, error) {
	if err := checkNames(prefix, namespace); err != nil {
		return nil, err
	}
	return &Journal{rdb: rdb, keys: newKeys(prefix, namespace), scripts: newScripts()}, nil
}
