package redislease

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

const (
	shards     = 16  // fixed for ever: it decides where a record is found
	plainLimit = 100 // bytes of an encoded key that is used as it is
	cutLimit   = 80  // bytes kept of a longer one, before its hash
)

// shard is where the records of key live: FNV-1a over 16.
func shard(key string) int {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for i := range len(key) {
		h = (h ^ uint64(key[i])) * prime
	}
	return int(h % shards)
}

func heads(prefix, namespace string) [shards]string {
	var heads [shards]string
	for i := range heads {
		heads[i] = prefix + ":{" + namespace + "." + strconv.Itoa(i) + "}:lease:"
	}
	return heads
}

// writeKey writes the Redis key of the record of key. What stands after the
// head is percent-encoded; if that is long, a readable beginning and a hash. The
// long form is always longer than the plain one may be, so they never meet.
func (s *Store) writeKey(t *text, key string) {
	t.WriteString(s.heads[shard(key)])
	if len(key) <= plainLimit && !strings.ContainsFunc(key, mustEncode) {
		t.WriteString(key)
		return
	}
	var room [3 * plainLimit]byte
	encoded := room[:0]
	for i := range len(key) {
		encoded = appendEncoded(encoded, key[i])
	}
	if len(encoded) <= plainLimit {
		t.Write(encoded)
		return
	}
	sum := sha256.Sum256([]byte(key))
	t.Write(encoded[:cutLimit])
	t.WriteByte('~')
	t.WriteString(hex.EncodeToString(sum[:16]))
}

func mustEncode(c rune) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '_', c == '~', c == '-':
		return false
	}
	return true
}

func appendEncoded(buf []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	if !mustEncode(rune(c)) {
		return append(buf, c)
	}
	return append(buf, '%', digits[c>>4], digits[c&15])
}
