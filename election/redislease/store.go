package redislease

import (
	"fmt"
	"regexp"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
)

// Store keeps lease records in Redis. It implements election.Store and
// election.Overseer and is safe for concurrent use.
type Store struct {
	rdb     redis.UniversalClient
	heads   [shards]string // what the keys of each shard begin with
	resends bool           // the client sends again by itself, so that no error proves anything
	scripts scripts
	wait    Wait

	sharded   atomic.Bool // the server is part of a cluster: a call is about one shard
	sightings sightings
}

var (
	_ election.Store    = (*Store)(nil)
	_ election.Overseer = (*Store)(nil)
)

var allowedName = regexp.MustCompile(`^[A-Za-z0-9._~/:-]{1,100}$`)

// New returns a Store whose keys begin with prefix and hold namespace in their
// hash tag; both are 1 to 100 bytes of A-Z a-z 0-9 . _ ~ / : -. Try is the
// longest a single try may take. New sends nothing, but refuses a client that
// could wait longer than try, ignore a context, send twice, or read from a
// replica: see Options. Of the options there is one: see Wait.
func New(rdb redis.UniversalClient, prefix, namespace string, try time.Duration, options ...Option) (*Store, error) {
	for _, name := range []struct{ what, value string }{{"prefix", prefix}, {"namespace", namespace}} {
		if !allowedName.MatchString(name.value) {
			return nil, fmt.Errorf("redis key %s %q: use 1 to 100 of A-Z a-z 0-9 . _ ~ / : - (a brace would move keys to another cluster slot)",
				name.what, name.value)
		}
	}
	if err := suits(rdb, try); err != nil {
		return nil, err
	}
	_, cluster := rdb.(*redis.ClusterClient)
	s := &Store{rdb: rdb, heads: heads(prefix, namespace), resends: cluster, scripts: newScripts()}
	s.sharded.Store(cluster)
	for _, o := range options {
		if err := o.apply(s, try); err != nil {
			return nil, err
		}
	}
	return s, nil
}
