package redislease

import (
	"strconv"
	"strings"
)

// text collects the arguments of a call in one buffer, so that any number of
// them costs a handful of allocations.
type text struct {
	strings.Builder
	ends []int // where each argument ends

	fewEnds  [fewArguments]int // room that need not be made
	fewParts [fewArguments]string
}

// fewArguments is what a call about one item has: its key, a term, and the item.
const fewArguments = 3

func newText(arguments, bytes int) *text {
	t := new(text)
	if t.ends = t.fewEnds[:0]; arguments > fewArguments {
		t.ends = make([]int, 0, arguments)
	}
	t.Grow(bytes)
	return t
}

// number appends n, which is not negative and below 10^width, right-aligned in
// spaces: the scripts cut numbers out by their place.
func (t *text) number(n int64, width int) {
	const spaces = "                "
	var digits [20]byte
	decimal := strconv.AppendInt(digits[:0], n, 10)
	if missing := width - len(decimal); missing > 0 {
		t.WriteString(spaces[:missing])
	}
	t.Write(decimal)
}

// end ends the argument at hand.
func (t *text) end() { t.ends = append(t.ends, t.Len()) }

// appendTo appends the arguments to args, as pointers: those fit into an
// interface as they are.
func (t *text) appendTo(args []any) []any {
	all, start := t.String(), 0
	parts := t.fewParts[:]
	if len(t.ends) > fewArguments {
		parts = make([]string, len(t.ends))
	}
	for n, end := range t.ends {
		parts[n], start = all[start:end], end
		args = append(args, &parts[n])
	}
	return args
}
