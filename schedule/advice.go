package schedule

import (
	"fmt"
	"strconv"
	"strings"
)

// notValue is the fault of a text that is no value of k.
func notValue(k field, s string) *fault {
	lo, hi := k.bounds()
	if k == dow {
		hi = 7
	}
	fix := fmt.Sprintf("write %d to %d", lo, hi)
	if k.names() != "" {
		fix += " or a name such as " + k.names()[3:6]
	}
	msg := "is not a number"
	switch {
	case s == "":
		msg = "has an empty element"
	case s[0] == '+':
		msg = "has a sign"
	case strings.ContainsAny(s, "LWlw") && len(s) <= 3 && k != dom && k != dow:
		fix = "L and W belong in the day fields"
	case strings.Contains(s, "#") && k != dow:
		fix = "# belongs in the day-of-week field"
	case s[0] == 'h' || (k >= dom && strings.ContainsAny(s[len(s)-1:], "lw")):
		fix = "write it in capitals"
	case strings.Contains(s, "-"):
		msg, fix = "has more than one hyphen", "write a range as a-b, several with commas"
	case k.names() != "":
		msg = "is neither a number nor a name"
	}
	return &fault{s, msg, fix}
}

// tooHigh is the advice for n, which is above the greatest value of k.
func tooHigh(k field, n int) string {
	_, hi := k.bounds()
	switch {
	case k == hour && n == 24:
		return "midnight is 0"
	case (k == minute || k == second) && n == 60:
		return "the full one is 0"
	case k == dow:
		return "write 0 to 7, Sunday being 0 and 7"
	case k == dom:
		return "write 1 to 31, or L for the last day"
	}
	lo, _ := k.bounds()
	return fmt.Sprintf("write %d to %d", lo, hi)
}

// wrapped writes the range from lo over the end of the field to hi as a list.
func wrapped(k field, lo, hi int) string {
	least, most := k.bounds()
	if k != dow {
		return run(lo, most) + "," + run(least, hi)
	}
	var days []string
	for d := lo; ; d++ {
		days = append(days, strconv.Itoa(d%7))
		if d%7 == hi%7 {
			return strings.Join(days, ",")
		}
	}
}

// run writes the range from lo to hi.
func run(lo, hi int) string {
	if lo == hi {
		return strconv.Itoa(lo)
	}
	return strconv.Itoa(lo) + "-" + strconv.Itoa(hi)
}
