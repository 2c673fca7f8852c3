package election

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"
)

// Key names what a lock guards, by its parts. Only ID must be there. Parts are
// any bytes: two lists of parts that differ never make the same key.
type Key struct {
	Environment string // "prod"
	Tenant      string // "acme"
	Kind        string // "order"
	ID          string // "4711"; never in a log line or an error
}

// maxKeyName leaves room, within the 512 bytes that a store takes, for what a
// semaphore or a leadership adds to the key.
const maxKeyName = 480

// String returns the key as stores know it: the parts with a slash between
// them, all but letters, digits and - . _ ~ written as % and two hexadecimal
// digits. It holds the ID: for logs there is Masked.
func (k Key) String() string {
	var b strings.Builder
	b.Grow(len(k.Environment) + len(k.Tenant) + len(k.Kind) + len(k.ID) + 3)
	escape(&b, k.Environment)
	b.WriteByte('/')
	escape(&b, k.Tenant)
	b.WriteByte('/')
	escape(&b, k.Kind)
	b.WriteByte('/')
	escape(&b, k.ID)
	return b.String()
}

// Masked returns the key with eight hexadecimal digits of a hash in the place of
// the ID, so that lines about one ID can be found together. That keeps the ID
// out of sight and out of a text search; it does not keep it from somebody who
// tries all order numbers until one has this hash. An ID that must stay secret
// from those who read logs has to be replaced before it gets here.
func (k Key) Masked() string {
	sum := sha256.Sum256([]byte(k.String()))
	masked := k
	masked.ID = ""
	return masked.String() + "~" + hex.EncodeToString(sum[:4])
}

// LogValue implements slog.LogValuer: what Masked returns.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.Masked()) }

// Validate reports what is wrong with k, wrapping ErrBadClaim: no ID, or more
// than 480 bytes with all parts escaped.
func (k Key) Validate() error { return k.fits(k.String()) }

// fits is Validate for who has the name of k already.
func (k Key) fits(name string) error {
	if k.ID == "" {
		return fmt.Errorf("%w: key without an id", ErrBadClaim)
	}
	if len(name) > maxKeyName {
		return fmt.Errorf("%w: key of %d bytes, at most %d", ErrBadClaim, len(name), maxKeyName)
	}
	return nil
}

func escape(b *strings.Builder, part string) {
	const digits = "0123456789ABCDEF"
	for i := range len(part) {
		if c := part[i]; plain(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
}

func plain(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '.', c == '_', c == '~':
		return true
	}
	return false
}
