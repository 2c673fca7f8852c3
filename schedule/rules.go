package schedule

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Rules narrow and shift the moments of a schedule. The zero value does
// neither.
type Rules struct {
	// StartAt and EndAt bound the moments: those before StartAt, and those at
	// or after EndAt, do not exist. Zero: no bound.
	StartAt, EndAt time.Time
	// Jitter, from 1ms to 24h, has each moment released up to so much later:
	// the same for one key and moment everywhere, and never at or past
	// the next moment. It does not look at Exclude: a moment right before a window
	// may be released inside it. 0: none.
	Jitter time.Duration
	// Key is the identity of the job, namespace/name. It seeds the jitter, so
	// that jobs of one schedule spread.
	Key string
	// Exclude holds calendars, at most 32. Moments inside any of them are excluded:
	// they still are moments, but Excluded says so.
	Exclude []*Calendar
	// Defer has excluded moments released at the end of the excluded window,
	// calendars that overlap or adjoin being one window. They are not
	// Excluded then.
	Defer bool
}

// What stands for bounds that are not given.
const (
	noStart = math.MinInt64
	noEnd   = math.MaxInt64
)

// Limits on what Rules hold.
const (
	maxJitter    = 24 * time.Hour
	maxCalendars = 32
)

// ruleset is Rules made ready. Times are Unix seconds.
type ruleset struct {
	start, end int64 // moments are at or after start and before end
	jitter     time.Duration
	key        string
	seed       uint64 // of the jitter
	exclude    []*Calendar
	deferring  bool
}

// With returns a schedule with the moments of s under the rules r, which take the
// place of any that s has. s is unchanged. The error is a *ParseError whose
// Field is startAt, endAt, jitter or exclude: for values out of
// range, and for rules that leave nothing to fire.
func (s *Schedule) With(r Rules) (*Schedule, error) {
	bare := *s
	bare.rules = nil
	if err := bare.checkRules(r); err != nil {
		return nil, err
	}
	if r.StartAt.IsZero() && r.EndAt.IsZero() && r.Jitter == 0 && len(r.Exclude) == 0 {
		return &bare, nil
	}
	ruled := bare
	ruled.rules = r.settle()
	if err := ruled.nothingLeft(r); err != nil {
		return nil, err
	}
	return &ruled, nil
}

// settle makes r ready; it has been checked.
func (r Rules) settle() *ruleset {
	set := &ruleset{
		start: noStart, end: noEnd, jitter: r.Jitter, key: r.Key, seed: mix(fnv(r.Key)),
		exclude: slices.Clone(r.Exclude), deferring: r.Defer && len(r.Exclude) > 0,
	}
	if !r.StartAt.IsZero() {
		set.start = ceilUnix(r.StartAt)
	}
	if !r.EndAt.IsZero() {
		set.end = ceilUnix(r.EndAt)
	}
	return set
}

// ceilUnix returns the first whole second at or after t.
func ceilUnix(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}

// checkRules refuses values that mean nothing.
func (s *Schedule) checkRules(r Rules) error {
	switch {
	case r.Jitter < 0:
		return s.ruled("jitter", fmt.Sprintf("%s is negative", r.Jitter), "write a length of time from 1ms to 24h")
	case r.Jitter > maxJitter:
		return s.ruled("jitter", fmt.Sprintf("%s is longer than 24h", r.Jitter), "write a length of time from 1ms to 24h")
	case r.Jitter > 0 && r.Jitter < time.Millisecond:
		return s.ruled("jitter", fmt.Sprintf("%s is shorter than a millisecond", r.Jitter), "write a length of time from 1ms to 24h")
	case !r.StartAt.IsZero() && !r.EndAt.IsZero() && !r.StartAt.Before(r.EndAt):
		return s.ruled("endAt", fmt.Sprintf("%s is not after startAt %s", rfc(r.EndAt, s.zone), rfc(r.StartAt, s.zone)), "write a later one")
	case len(r.Exclude) > maxCalendars:
		return s.ruled("exclude", fmt.Sprintf("%d calendars are too many for one job", len(r.Exclude)), fmt.Sprintf("at most %d: put their entries into one", maxCalendars))
	case slices.Contains(r.Exclude, nil):
		return s.ruled("exclude", "has a calendar that is nil", "make calendars with NewCalendar")
	}
	return nil
}

// ruled is the error about one of the Rules.
func (s *Schedule) ruled(field, msg, fix string) error {
	return &ParseError{Spec: clip(s.spec), Field: field, Msg: msg, Fix: fix}
}

func rfc(t time.Time, zone *time.Location) string { return t.In(zone).Format(time.RFC3339) }
