package election

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
)

const (
	ownerBytes = 16
	ownerLen   = 2 * ownerBytes
)

// owners is the names of many acquisitions in one string.
type owners string

// newOwners draws n owners from few reads of the system's randomness.
func newOwners(n int) owners {
	var text strings.Builder
	text.Grow(n * ownerLen)
	var raw [32 * ownerBytes]byte
	var digits [2 * len(raw)]byte
	for left := n * ownerBytes; left > 0; left -= len(raw) {
		some := raw[:min(left, len(raw))]
		rand.Read(some) // never fails: it ends the process instead
		text.Write(digits[:hex.Encode(digits[:], some)])
	}
	return owners(text.String())
}

func (o owners) at(i int) Owner { return Owner(o[i*ownerLen : (i+1)*ownerLen]) }
