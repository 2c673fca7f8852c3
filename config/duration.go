package config

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// ParseDuration reads a length of time such as 90s, 1h30m, 1.5h or 1d12h. A
// day is 24 hours. Only 0 may stand without a unit. Negative lengths, spaces
// and what does not fit into 292 years are errors that say what to write.
func ParseDuration(s string) (time.Duration, error) {
	switch {
	case s == "":
		return 0, errors.New(`is empty: write a length of time such as 90s`)
	case s == "0":
		return 0, nil
	case s[0] == '-':
		return 0, fmt.Errorf("%s must not be negative", quote(s))
	case strings.ContainsAny(s, " \t\n"):
		return 0, fmt.Errorf("%s has a space in it: write a length of time such as 90s or 1h30m", quote(s))
	}
	var sum time.Duration
	for rest := s; rest != ""; {
		number, after := leading(rest, "0123456789.")
		unit, next := leadingNot(after, "0123456789.")
		if number == "" || number == "." || strings.Count(number, ".") > 1 {
			return 0, fmt.Errorf("%s is not a length of time: write one such as 90s, 1h30m or 1d", quote(s))
		}
		if unit == "" {
			return 0, fmt.Errorf("%s lacks a unit: write %ss for seconds", quote(s), cut(s, 20))
		}
		size, ok := unitSize(unit)
		if !ok {
			return 0, fmt.Errorf("%s has the unknown unit %s: there are d, h, m, s, ms, us and ns", quote(s), quote(unit))
		}
		part, ok := times(number, size)
		if !ok || part > math.MaxInt64-sum {
			return 0, fmt.Errorf("%s is too long: the longest is 292 years", quote(s))
		}
		sum += part
		rest = next
	}
	return sum, nil
}

func leading(s, set string) (head, tail string) {
	rest := strings.TrimLeft(s, set)
	return s[:len(s)-len(rest)], rest
}

func leadingNot(s, set string) (head, tail string) {
	if i := strings.IndexAny(s, set); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

func unitSize(unit string) (time.Duration, bool) {
	switch unit {
	case "d":
		return 24 * time.Hour, true
	case "h":
		return time.Hour, true
	case "m":
		return time.Minute, true
	case "s":
		return time.Second, true
	case "ms":
		return time.Millisecond, true
	case "us", "µs", "μs":
		return time.Microsecond, true
	case "ns":
		return time.Nanosecond, true
	}
	return 0, false
}

// times multiplies a decimal number by size, without floating point for its
// whole part; ok is false if the product does not fit.
func times(number string, size time.Duration) (d time.Duration, ok bool) {
	whole, fraction, _ := strings.Cut(number, ".")
	for _, c := range whole {
		digit := time.Duration(c - '0')
		if d > (math.MaxInt64-digit)/10 {
			return 0, false
		}
		d = d*10 + digit
	}
	if d > math.MaxInt64/size {
		return 0, false
	}
	d *= size
	place := float64(size)
	part := 0.0
	for _, c := range fraction {
		place /= 10
		part += float64(c-'0') * place
	}
	add := time.Duration(math.Round(part))
	if d > math.MaxInt64-add {
		return 0, false
	}
	return d + add, true
}
