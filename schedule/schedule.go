package schedule

import (
	"slices"
	"strings"
	"time"
)

// Schedule is a set of moments, each a whole second. It does not change and
// may be used by any number of goroutines at once.
type Schedule struct {
	spec     string
	zone     *time.Location
	parts    []moments
	warnings []string
	rules    *ruleset // nil: none
}

// moments is one member of the union a Schedule is. Times are Unix seconds.
type moments interface {
	next(from int64) (int64, bool) // the first moment at or after from
	prev(to int64) (int64, bool)   // the last moment at or before to
	canonical() string             // equal texts, equal moments
	explain() string               // the same in words, without the zone
}

// The range of moments: the years 1 to 9999, as RFC 3339 can write them.
const (
	minUnix = -62135596800
	maxUnix = 253402300799
)

// Next returns the first moment strictly after the given time, in UTC, or the
// zero time if there is none within the horizon of 150 years. Moments that
// calendars exclude are moments too.
func (s *Schedule) Next(after time.Time) time.Time {
	if after.Unix() >= maxUnix {
		return time.Time{}
	}
	from, last := max(after.Unix()+1, minUnix), int64(maxUnix)
	if s.rules != nil {
		from, last = max(from, s.rules.start), min(last, s.rules.end-1)
	}
	var best int64 = maxUnix + 1
	for _, p := range s.parts {
		if t, ok := p.next(from); ok {
			best = min(best, t)
		}
	}
	if best > last {
		return time.Time{}
	}
	return time.Unix(best, 0).UTC()
}

// Prev returns the last moment strictly before the given time, in UTC, or the
// zero time if there is none within the horizon of 150 years.
func (s *Schedule) Prev(before time.Time) time.Time {
	if before.Unix() < minUnix {
		return time.Time{}
	}
	to := before.Unix()
	if before.Nanosecond() == 0 {
		to--
	}
	to, first := min(to, maxUnix), int64(minUnix)
	if s.rules != nil {
		to, first = min(to, s.rules.end-1), max(first, s.rules.start)
	}
	var best int64 = minUnix - 1
	for _, p := range s.parts {
		if t, ok := p.prev(to); ok {
			best = max(best, t)
		}
	}
	if best < first {
		return time.Time{}
	}
	return time.Unix(best, 0).UTC()
}

// String returns the canonical text. Two schedules with equal texts have exactly
// the same moments, so it holds zone, phase and what H stands for:
// "30 2 * * * [Europe/Berlin]", "@every 10m0s+3m20s". Rules stand behind it in
// braces, with the key if there is jitter and a digest of each calendar, so equal
// texts are released and excluded alike too.
func (s *Schedule) String() string {
	if s.rules == nil {
		return s.bare()
	}
	return s.bare() + " " + s.rules.canonical()
}

// bare is String without the rules.
func (s *Schedule) bare() string {
	if len(s.parts) == 1 {
		return s.parts[0].canonical()
	}
	texts := make([]string, len(s.parts))
	for i, p := range s.parts {
		texts[i] = p.canonical()
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), " | ")
}

// Spec returns the text the schedule was made from; several are joined by " | ".
func (s *Schedule) Spec() string { return s.spec }

// Location returns the zone in which the fields are read, never nil.
func (s *Schedule) Location() *time.Location { return s.zone }

// Warnings returns, in words, what is allowed but hardly meant, such as a step
// wider than its field.
func (s *Schedule) Warnings() []string { return slices.Clone(s.warnings) }
