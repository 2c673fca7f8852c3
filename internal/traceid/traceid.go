package traceid

import (
	"crypto/sha256"
	"time"
)

// Of returns the ID of the trace of what a job does about a tick, whatever the zone
// that this is told in: the first 16 bytes of the SHA-256 of the job's name, a zero
// byte, and the tick in UTC as RFC 3339 with all its nanoseconds. It is never zero,
// which would be no valid ID, but for a chance that nobody meets.
func Of(job string, tick time.Time) [16]byte {
	sum := sha256.Sum256([]byte(job + "\x00" + tick.UTC().Format(time.RFC3339Nano)))
	return [16]byte(sum[:16])
}
