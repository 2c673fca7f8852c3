package schedule

import (
	"fmt"
	"strings"
)

// form is the shape of a term.
type form uint8

const (
	star        form = iota // * or ?
	single                  // 5, or 5/10: from 5 to the end
	span                    // 1-5
	hashed                  // H, H(a-b): lo and hi are set
	lastDay                 // L
	lastWeekday             // LW
	nearest                 // 15W
	nth                     // 5#2
	lastDow                 // 5L
)

// term is one element of a field's list, read but not yet resolved.
type term struct {
	form   form
	lo, hi int  // the values meant; weekdays from 0 to 7
	step   int  // 0: none was written
	nth    int  // of form nth
	paren  bool // of form hashed: a range was written
}

// parseTerm reads s as an element of field k.
func parseTerm(k field, s string) (term, *fault) {
	base, after, stepped := strings.Cut(s, "/")
	t, f := parseBase(k, base)
	if f != nil || !stepped {
		return t, f
	}
	if t.form >= lastDay {
		return t, &fault{s, "takes no step", "remove /" + after}
	}
	t.step, f = parseStep(after)
	if f == nil && t.form == single {
		_, t.hi = k.bounds()
		t.hi = max(t.hi, t.lo)
	}
	return t, f
}

func parseStep(s string) (int, *fault) {
	n, ok := number(s)
	switch {
	case strings.Contains(s, "/"):
		return 0, &fault{"/" + s, "has more than one slash", "write one step"}
	case !ok:
		return 0, &fault{"/" + s, "is not a step", "write / and a number from 1, without a sign"}
	case n == 0:
		return 0, &fault{"/" + s, "is a step of nothing", "write a step of at least 1"}
	}
	return n, nil
}

// parseBase reads what stands before the step.
func parseBase(k field, s string) (term, *fault) {
	lo, hi := k.bounds()
	switch {
	case s == "":
		return term{}, &fault{s, "has an empty element", "remove the stray comma or slash"}
	case s == "*" || s == "?":
		return term{form: star, lo: lo, hi: hi}, nil
	case s[0] == '*' || s[0] == '?':
		return term{}, &fault{s, "has something after the " + s[:1], "only a step such as */5 may follow"}
	case s[0] == 'H':
		return parseHash(k, s)
	case k == dom && strings.ContainsAny(s, "LW"):
		return parseDomWord(s)
	case k == dow && strings.ContainsAny(s, "L#"):
		return parseDowWord(s)
	}
	first, second, isRange := strings.Cut(s, "-")
	if isRange && (first == "" || second == "") {
		return term{}, &fault{s, "has a sign, or lacks an end of its range", fmt.Sprintf("write %d to %d, or a range as a-b", lo, hi)}
	}
	v, f := value(k, first)
	if f == nil && isRange {
		return parseRange(k, s, v, second)
	}
	return term{form: single, lo: v, hi: v}, f
}

// parseRange reads a range whose first value is known.
func parseRange(k field, s string, lo int, second string) (term, *fault) {
	hi, f := value(k, second)
	if f != nil {
		return term{}, f
	}
	if k == dow && hi == 0 && lo > 0 && len(second) == 3 {
		hi = 7 // FRI-SUN
	}
	if lo > hi {
		return term{}, &fault{s, "runs backwards", "write " + wrapped(k, lo, hi)}
	}
	return term{form: span, lo: lo, hi: hi}, nil
}

// value reads a number or a name of field k.
func value(k field, s string) (int, *fault) {
	if n, ok := k.named(s); ok {
		return n, nil
	}
	n, ok := number(s)
	if !ok {
		return 0, notValue(k, s)
	}
	lo, hi := k.bounds()
	switch {
	case k == dow && n == 7:
		return 7, nil
	case n < lo:
		return 0, &fault{s, fmt.Sprintf("is below %d", lo), fmt.Sprintf("write %d to %d", lo, hi)}
	case n > hi:
		return 0, &fault{s, fmt.Sprintf("is above %d", hi), tooHigh(k, n)}
	}
	return n, nil
}

// number reads up to four decimal digits and nothing else.
func number(s string) (int, bool) {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
		if n > 9999 {
			return 0, false
		}
	}
	return n, s != ""
}
