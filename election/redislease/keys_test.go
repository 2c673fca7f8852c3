package redislease_test

import (
	"hash/fnv"
	"strings"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/solocron/solocron/election/redislease"
)

func TestKeysAreReadableAndInOneSlotForEachShard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, _ := mini(t)
		for key, want := range map[string]string{
			"nightly-report": "solocron:{test.11}:lease:nightly-report",
			"a/b {c}":        "solocron:{test.4}:lease:a%2Fb%20%7Bc%7D",
		} {
			if got := s.RedisKey(key); got != want {
				t.Errorf("key of %q: got %s, want %s", key, got, want)
			}
		}
		long := s.RedisKey(strings.Repeat("x", 101))
		if _, name, _ := strings.Cut(long, ":lease:"); len(name) != 113 || !strings.HasPrefix(name, strings.Repeat("x", 80)+"~") {
			t.Errorf("key of a long name: got %s", long)
		}
	})
}

func TestShardsAreThoseOfFNV(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.String().Draw(t, "key")
		h := fnv.New64a()
		_, _ = h.Write([]byte(key))
		if got, want := redislease.Shard(key), int(h.Sum64()%16); got != want {
			t.Fatalf("shard of %q: got %d, want %d", key, got, want)
		}
	})
}

func TestDifferentKeysHaveDifferentRecords(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, _ := mini(t)
		long := strings.Repeat("x", 120)
		_, plain, _ := strings.Cut(s.RedisKey(long), ":lease:")
		keys := []string{"a", "A", "%41", "a/b", "a%2Fb", long, long + "y", plain}
		seen := make(map[string]string)
		for _, key := range keys {
			at := s.RedisKey(key)
			if other, taken := seen[at]; taken {
				t.Errorf("%q and %q share the record %s", key, other, at)
			}
			seen[at] = key
		}
	})
}
