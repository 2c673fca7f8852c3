package config

import (
	"crypto/sha256"
	"encoding/hex"
)

// revisionDigits is how many hexadecimal digits name a revision: people compare
// them, and a cluster has a handful.
const revisionDigits = 12

// revision names the text of a file: replicas announce it, so that one that was
// left behind by a roll-out is seen. Overrides do not count; they differ by
// intention.
func revision(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])[:revisionDigits]
}
