package redisjournal

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"time"
)

// shards is fixed for ever: it decides where what is kept of a job is found.
const shards = 16

// lifetime is how long a key outlives the last write to it; life the same in
// milliseconds, as scripts get it.
const (
	lifetime = 400 * 24 * time.Hour
	life     = "34560000000"
)

// keys names what a journal keeps. All keys of a shard, and all of the queue,
// have one hash tag each, so that a script can take them in a Cluster.
type keys struct {
	shard [shards]shardKeys
	queue []string // as queue.lua names them
	audit string
	order []string // as enrol.lua names them
}

// shardKeys are the keys of the jobs of one shard.
type shardKeys struct {
	head                             string
	marks, open, dead, letters, defs string
}

func newKeys(prefix, namespace string) keys {
	q := prefix + ":{" + namespace + ".q}:"
	k := keys{
		queue: []string{q + "requests", q + "due", q + "begun", q + "tokens", q + "gone", q + "stops", q + "wished"},
		audit: q + "audit",
		order: []string{q + "configurations", q + "enrolled"},
	}
	for i := range k.shard {
		head := prefix + ":{" + namespace + ".j" + strconv.Itoa(i) + "}:"
		k.shard[i] = shardKeys{
			head: head, marks: head + "marks", open: head + "open", dead: head + "dead", letters: head + "letters", defs: head + "defs",
		}
	}
	return k
}

// shardOf is where what is kept of a job lives.
func shardOf(job string) int {
	h := fnv.New64a()
	_, _ = h.Write([]byte(job)) // never fails
	return int(h.Sum64() % shards)
}

// of returns the keys of the shard of a job.
func (k *keys) of(job string) *shardKeys { return &k.shard[shardOf(job)] }

// lists are where the history of a job is: runs that succeeded, that ended
// otherwise, and what was not run.
func (k *shardKeys) lists(job string) []string {
	return []string{k.head + "hg:" + job, k.head + "hx:" + job, k.head + "hn:" + job}
}

func (k *shardKeys) checkpoint(job string) string { return k.head + "cp:" + job }

// checkNames reports a prefix or namespace that cannot stand in a key.
func checkNames(prefix, namespace string) error {
	if !allowedName.MatchString(prefix) || !allowedName.MatchString(namespace) {
		return fmt.Errorf("redis key prefix %q, namespace %q: use 1 to 100 of A-Z a-z 0-9 . _ ~ / : - in each", prefix, namespace)
	}
	return nil
}
