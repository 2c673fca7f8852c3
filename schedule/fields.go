package schedule

import (
	"fmt"
	"strconv"
	"strings"
)

// fieldText is one field as written.
type fieldText struct {
	text   string
	offset int // in the whole text
}

// parseFields reads five or six fields; text begins at offset of spec.
func parseFields(spec, text string, offset int, o Options, warnings *[]string) (moments, *ParseError) {
	var fields [6]fieldText
	n := splitFields(text, offset, &fields)
	first := minute
	if o.Seconds {
		first = second
	}
	if n != int(whole-first) {
		return nil, wrongCount(spec, text, n, o.Seconds)
	}
	b := builder{options: o}
	for i, f := range fields[:n] {
		if flt, at := b.field(first+field(i), f); flt != nil {
			return nil, flt.at(spec, first+field(i), at)
		}
	}
	c, err := b.calendar(text)
	if err != nil {
		return nil, refuse(spec, err.Error(), "")
	}
	if msg, fix := c.never(); msg != "" {
		return nil, refuse(spec, msg, fix)
	}
	*warnings = b.warnings
	return c, nil
}

// splitFields cuts text at spaces and tabs, fills in up to six fields, and
// returns how many there are.
func splitFields(text string, offset int, fields *[6]fieldText) int {
	n, start := 0, -1
	for i := 0; i <= len(text); i++ {
		blank := i == len(text) || text[i] == ' ' || text[i] == '\t'
		switch {
		case !blank && start < 0:
			start = i
		case blank && start >= 0:
			if n < len(fields) {
				fields[n] = fieldText{text[start:i], offset + start}
			}
			n++
			start = -1
		}
	}
	return n
}

// wrongCount is the error about n fields where five or six are wanted.
func wrongCount(spec, text string, n int, seconds bool) *ParseError {
	words := strings.Fields(text)
	switch {
	case n == 1 && strings.Trim(text, "*") == "" && len(text) <= 6:
		return refuse(spec, "has no spaces between its fields", "write "+strconv.Quote(strings.Join(strings.Split(text, ""), " ")))
	case n > 5 && looksLikeCommand(words[5:]):
		return refuse(spec, "goes on after its 5 fields with what looks like a command", "write the command in the job, not in its schedule")
	case seconds && n == 5:
		return refuse(spec, "5 fields found, 6 expected: with seconds: true the first field is the second", "write "+strconv.Quote(clip("0 "+strings.Join(words, " "))))
	case !seconds && n == 6:
		return refuse(spec, "6 fields found, 5 expected: there is no field for seconds", "set `seconds: true`, or remove the first field")
	case n == 7:
		return refuse(spec, "7 fields found: there is no field for years", "write minute, hour, day of month, month, day of week")
	case seconds:
		return refuse(spec, fmt.Sprintf("%d fields found, 6 expected", n), "write second, minute, hour, day of month, month, day of week")
	}
	return refuse(spec, fmt.Sprintf("%d fields found, 5 expected", n), "write minute, hour, day of month, month, day of week")
}

// looksLikeCommand says whether what follows five fields is no sixth or seventh field.
func looksLikeCommand(words []string) bool {
	for _, w := range words {
		if strings.Trim(w, "0123456789*?,-/LWH#()") != "" && len(w) != 3 {
			return true
		}
	}
	return false
}
