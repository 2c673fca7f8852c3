package fence

import (
	"fmt"
	"strconv"
)

// RedisSet is a Lua script that writes a value unless the token is stale:
// KEYS[1] holds the highest token seen, KEYS[2] the value; in a Cluster both
// need the same hash tag. ARGV[1] is the token, ARGV[2] the value. It answers 1
// if it wrote and 0 if the token is stale. For another effect put its commands
// in the place of the last SET. With go-redis:
//
//	keys, args := fence.RedisSetArgs("{order:4711}:fence", "{order:4711}", token, "shipped")
//	n, err := redis.NewScript(fence.RedisSet).Run(ctx, rdb, keys, args...).Int64()
//	if err == nil {
//		err = fence.RedisResult(n)
//	}
//
// The token is written without an expiry: a fence that is forgotten lets the
// late one through. Give it one, if at all, far above the longest that a message
// can be late.
const RedisSet = `local seen = redis.call('GET', KEYS[1])
if seen and tonumber(seen) > tonumber(ARGV[1]) then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], ARGV[2])
return 1`

// RedisSetArgs returns the keys and arguments of RedisSet.
func RedisSetArgs(fenceKey, key string, token int64, value string) (keys []string, args []any) {
	return []string{fenceKey, key}, []any{strconv.FormatInt(token, 10), value}
}

// RedisResult reads the answer of RedisSet: nil if it wrote, ErrStale if it did not.
func RedisResult(answer int64) error {
	switch answer {
	case 1:
		return nil
	case 0:
		return fmt.Errorf("fence: %w", ErrStale)
	}
	return fmt.Errorf("fence: answer %d of the script is neither 0 nor 1", answer)
}
