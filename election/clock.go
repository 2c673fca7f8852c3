package election

import "time"

// Clock reads how much time has passed since some fixed moment. It never steps
// and runs at the rate of real time.
type Clock func() time.Duration

// Monotonic returns a Clock over Go's monotonic reading. It stands still while
// the machine sleeps, so a deadline read off it can be believed for too long;
// it is for tests in a synctest bubble and for systems without a better clock.
func Monotonic() Clock {
	base := time.Now()
	return func() time.Duration { return time.Since(base) }
}
