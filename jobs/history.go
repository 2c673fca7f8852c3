package jobs

import (
	"cmp"
	"time"
)

// What is remembered of a job that says nothing.
const (
	defaultHistory = 50 // runs of a sort
	defaultMaxAge  = 30 * 24 * time.Hour
)

// WithDefaults returns h with each zero replaced by what it stands for.
func (h History) WithDefaults() History {
	return History{
		Succeeded: cmp.Or(h.Succeeded, defaultHistory),
		Failed:    cmp.Or(h.Failed, defaultHistory),
		MaxAge:    cmp.Or(h.MaxAge, defaultMaxAge),
	}
}
