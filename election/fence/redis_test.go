package fence_test

import (
	"errors"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/fence"
	"github.com/solocron/solocron/internal/redistest"
)

func TestARedisReceiverRefusesTheLateHolder(t *testing.T) {
	t.Parallel()
	rdb := redis.NewClient(&redis.Options{Addr: redistest.Start(t).Addr})
	defer rdb.Close()
	script := redis.NewScript(fence.RedisSet)
	for _, step := range []struct {
		token int64
		value string
		stale bool
	}{{10, "a", false}, {10, "b", false}, {9, "c", true}, {1<<53 - 2, "d", false}, {1<<53 - 3, "e", true}, {1<<53 - 1, "f", false}} {
		keys, args := fence.RedisSetArgs("{order}:fence", "{order}:state", step.token, step.value)
		n, err := script.Run(t.Context(), rdb, keys, args...).Int64()
		if err != nil {
			t.Fatal(err)
		}
		if err := fence.RedisResult(n); errors.Is(err, fence.ErrStale) != step.stale || !step.stale && err != nil {
			t.Errorf("token %d: got %v, want stale %v", step.token, err, step.stale)
		}
		if got := rdb.Get(t.Context(), "{order}:state").Val(); (got == step.value) == step.stale {
			t.Errorf("token %d: the value is %q, stale %v", step.token, got, step.stale)
		}
	}
	if err := fence.RedisResult(2); err == nil || errors.Is(err, fence.ErrStale) {
		t.Errorf("an answer of 2 was read as %v", err)
	}
}
