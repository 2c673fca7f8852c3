package redislease

import (
	"strings"

	"github.com/solocron/solocron/election/redislease/preflight"
)

// RedisKey is where the record of key is.
func (s *Store) RedisKey(key string) string {
	var t text
	s.writeKey(&t, key)
	return t.String()
}

// WriteNumber is n as scripts get it.
func WriteNumber(n int64, width int) string {
	var t text
	t.number(n, width)
	return t.String()
}

// ReadNumber reads a number from the beginning of a reply; false if there is none.
func ReadNumber(s string) (n int64, rest string, ok bool) {
	c := cursor{rest: s}
	n = c.number()
	return n, c.rest, !c.wrong
}

// Pattern matches every key of s.
func (s *Store) Pattern() string { return strings.Replace(s.heads[0], ".0}", ".*}", 1) + "*" }

// Shard is where key lives.
func Shard(key string) int { return shard(key) }

// NotApplied tells whether the error of a command proves that nothing was done.
func NotApplied(err error) bool { return notApplied(err) }

// Judge reads an INFO.
func Judge(info string) ([]string, error) { return judge(preflight.Facts(info)) }
