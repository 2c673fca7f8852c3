package redislease

import "strings"

// RedisKey is where the record of key is.
func (s *Store) RedisKey(key string) string { return string(s.appendKey(nil, key)) }

// Pattern matches every key of s.
func (s *Store) Pattern() string { return strings.Replace(s.heads[0], ".0}", ".*}", 1) + "*" }

// Shard is where key lives.
func Shard(key string) int { return shard(key) }

// NotApplied tells whether the error of a command proves that nothing was done.
func NotApplied(err error) bool { return notApplied(err) }

// Judge reads an INFO.
func Judge(info string) ([]string, error) { return judge(info) }
