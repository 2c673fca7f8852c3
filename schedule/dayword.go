package schedule

import (
	"fmt"
	"strings"
)

// parseDomWord reads L, LW and 15W.
func parseDomWord(s string) (term, *fault) {
	switch {
	case s == "L":
		return term{form: lastDay}, nil
	case s == "LW" || s == "WL":
		return term{form: lastWeekday}, nil
	case strings.HasPrefix(s, "L-"):
		return term{}, &fault{s, "is not known", "write L for the last day, or the days themselves"}
	}
	digits, ok := strings.CutSuffix(s, "W")
	if !ok {
		return term{}, &fault{s, "is not a day", "write L, LW, a day from 1 to 31, or one like 15W"}
	}
	if strings.ContainsAny(digits, "-/") {
		return term{}, &fault{s, "has W after a range", "W follows one day, such as 15W"}
	}
	d, f := value(dom, digits)
	return term{form: nearest, lo: d, hi: d}, f
}

// parseDowWord reads 5#2, FRI#2, 5L and FRIL.
func parseDowWord(s string) (term, *fault) {
	if s == "L" {
		return term{}, &fault{s, "alone is not a weekday", "write 6L for the last Saturday, or L in the day-of-month field for the last day"}
	}
	if day, count, ok := strings.Cut(s, "#"); ok {
		d, f := value(dow, day)
		if f != nil {
			return term{}, f
		}
		n, ok := number(count)
		if !ok || n < 1 || n > 5 {
			return term{}, &fault{s, "does not say which one of the month", fmt.Sprintf("write %s#1 to %s#5, or %sL for the last", day, day, day)}
		}
		return term{form: nth, lo: d % 7, hi: d % 7, nth: n}, nil
	}
	day, ok := strings.CutSuffix(s, "L")
	if !ok {
		return term{}, notValue(dow, s)
	}
	d, f := value(dow, day)
	return term{form: lastDow, lo: d % 7, hi: d % 7}, f
}
