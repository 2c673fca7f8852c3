package schedule

import (
	"fmt"
	"strconv"
	"strings"
)

// builder collects the fields of one expression. What robfig's parser knows is
// left to it; what it does not know is either rewritten in its language (H, 7)
// or kept beside it in extra (L, W, #).
type builder struct {
	options  Options
	plain    [whole]string // per field, in robfig's language
	changed  bool          // some plain differs from what was written
	words    [whole]bool   // per field, nothing is left for robfig
	extra    dayWords
	stars    [whole]bool // per field, it begins with * or ?; H/n in a time field
	warnings []string
}

// field reads f as field k. A fault comes with the offset of its element.
func (b *builder) field(k field, f fieldText) (*fault, int) {
	var buf [64]byte
	out := buf[:0]
	rewritten := false
	rest, at, index := f.text, f.offset, 0
	for more := true; more; index++ {
		var text string
		text, rest, more = strings.Cut(rest, ",")
		t, flt := parseTerm(k, text)
		b.warn(k, t, text)
		if index == 0 {
			b.stars[k] = t.form == star || t.form == hashed && t.step > 0 && !t.paren && k <= hour
		}
		if flt == nil && t.form == hashed {
			t, flt = t.settle(k, b.options.Key, text)
		}
		if flt != nil {
			if flt.token == "" {
				flt.token = f.text
				at = f.offset
			}
			return flt, at
		}
		rewritten = rewritten || t.form >= lastDay || text[0] == 'H' || k == dow && t.hi == 7
		out = b.element(out, k, t, text)
		at += len(text) + 1
	}
	b.words[k] = len(out) == 0
	b.changed = b.changed || rewritten
	switch {
	case !rewritten:
		b.plain[k] = f.text
	case b.words[k]:
		b.plain[k] = "*"
	default:
		b.plain[k] = string(out[:len(out)-1])
	}
	return nil, 0
}

// element adds t, written as text, to the list out or to the words of the day fields.
func (b *builder) element(out []byte, k field, t term, text string) []byte {
	switch {
	case t.form >= lastDay:
		b.extra.add(t)
		return out
	case k == dow && t.hi == 7:
		for d := t.lo; d <= 7; d += max(t.step, 1) {
			out = append(out, byte('0'+d%7), ',')
		}
		return out
	case text[0] != 'H':
		return append(append(out, text...), ',')
	}
	out = strconv.AppendInt(out, int64(t.lo), 10)
	if t.form == span {
		out = strconv.AppendInt(append(out, '-'), int64(t.hi), 10)
		out = strconv.AppendInt(append(out, '/'), int64(t.step), 10)
	}
	return append(out, ',')
}

// warn notes a step that leaves only the first value of its range.
func (b *builder) warn(k field, t term, text string) {
	if t.step <= t.hi-t.lo || t.form == hashed || t.step == 0 {
		return
	}
	w := fmt.Sprintf("%s field: %q has a step wider than the field, so only %d is left", k, clip(text), t.lo)
	if k == minute || k == hour {
		unit := k.String()[:1]
		w += fmt.Sprintf(`; write "@every %d%s" for a period of that length`, t.step, unit)
	}
	b.warnings = append(b.warnings, w)
}

// dayWords are the elements of the day fields that depend on the month.
type dayWords struct {
	last, lastWeekday bool
	nearest           uint32   // bit d: the weekday nearest to day d
	nth               [6]uint8 // bit d of nth[n]: the n-th weekday d
	lastDow           uint8    // bit d: the last weekday d
}

func (x *dayWords) add(t term) {
	switch t.form {
	case lastDay:
		x.last = true
	case lastWeekday:
		x.lastWeekday = true
	case nearest:
		x.nearest |= 1 << t.lo
	case nth:
		x.nth[t.nth] |= 1 << t.lo
	case lastDow:
		x.lastDow |= 1 << t.lo
	}
}
