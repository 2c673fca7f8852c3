package election

import "time"

// Backoff is a pause that doubles from First to Max, drawn evenly from nothing
// to its full length (full jitter), so that those who failed together do not
// come back together.
type Backoff struct{ First, Max time.Duration }

// Pause returns how long to wait after the given number of failed tries (1 for
// the first); jitter in [0,1) is drawn by the caller. It is never under a tenth
// of the full length: a pause of nothing is a hot loop.
func (b Backoff) Pause(tries int, jitter float64) time.Duration {
	full := b.First
	for range min(tries, 64) - 1 {
		if full >= b.Max/2 {
			full = b.Max
			break
		}
		full *= 2
	}
	full = min(full, b.Max)
	return full/10 + time.Duration(jitter*float64(full-full/10))
}
