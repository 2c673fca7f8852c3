package jobs

import (
	"fmt"
	"time"
)

// Usage is what a process used, with those of its children that it waited for.
// Commands tell it to Run.Used.
type Usage struct {
	User   time.Duration // processor time in the program
	System time.Duration // processor time in the system for it
	MaxRSS int64         // the most memory at a time, in bytes, of one process; 0: not known
}

// String says it in words for people.
func (u Usage) String() string {
	text := fmt.Sprintf("used %s of processor time", (u.User + u.System).Round(time.Millisecond))
	if u.MaxRSS > 0 {
		text += fmt.Sprintf(" and at most %.1f MiB", float64(u.MaxRSS)/(1<<20))
	}
	return text
}
