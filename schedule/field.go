package schedule

import "strings"

// field is one of the six places of a cron expression.
type field uint8

// The fields, in the order in which they are written. whole is none of them.
const (
	second field = iota
	minute
	hour
	dom
	month
	dow
	whole
)

// String returns the name of k in error messages; whole has none.
func (k field) String() string {
	switch k {
	case second:
		return "second"
	case minute:
		return "minute"
	case hour:
		return "hour"
	case dom:
		return "day-of-month"
	case month:
		return "month"
	case dow:
		return "day-of-week"
	default:
		return ""
	}
}

// bounds returns the least and greatest value of k, Sunday being 0.
func (k field) bounds() (lo, hi int) {
	switch k {
	case hour:
		return 0, 23
	case dom:
		return 1, 31
	case month:
		return 1, 12
	case dow:
		return 0, 6
	default:
		return 0, 59
	}
}

// names returns the names of k's values, three letters each, beginning with the
// least value.
func (k field) names() string {
	switch k {
	case month:
		return "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"
	case dow:
		return "SUNMONTUEWEDTHUFRISAT"
	default:
		return ""
	}
}

// named returns the value of k called s, in any case.
func (k field) named(s string) (int, bool) {
	names := k.names()
	if len(s) != 3 {
		return 0, false
	}
	for i := 0; i < len(names); i += 3 {
		if strings.EqualFold(names[i:i+3], s) {
			lo, _ := k.bounds()
			return lo + i/3, true
		}
	}
	return 0, false
}
