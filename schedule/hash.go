package schedule

import (
	"fmt"
	"strings"
)

// parseHash reads H and H(a-b).
func parseHash(k field, s string) (term, *fault) {
	if s == "H" {
		lo, hi := k.bounds()
		return term{form: hashed, lo: lo, hi: hi}, nil
	}
	inner, ok := strings.CutPrefix(s, "H(")
	if ok {
		inner, ok = strings.CutSuffix(inner, ")")
	}
	first, second, isRange := strings.Cut(inner, "-")
	if !ok || !isRange {
		return term{}, &fault{s, "is not a hashed value", "write H, H/15, H(0-29) or H(0-29)/10"}
	}
	lo, f := value(k, first)
	if f != nil {
		return term{}, f
	}
	t, f := parseRange(k, inner, lo, second)
	t.form, t.paren = hashed, true
	return t, f
}

// settle turns a hashed term into a plain one for the job called key.
func (t term) settle(k field, key, text string) (term, *fault) {
	if key == "" {
		return t, &fault{text, "needs the name of a job", "H spreads jobs by their names; here write a number"}
	}
	h := mix(fnv(key) + uint64(k)*0x9e3779b97f4a7c15)
	width := t.hi - t.lo + 1
	if t.step == 0 {
		if k == dom && !t.paren {
			width = 28 // every month has that day
		}
		v := t.lo + int(h%uint64(width))
		return term{form: single, lo: v, hi: v}, nil
	}
	if t.step > width {
		return t, &fault{text, fmt.Sprintf("has a step wider than its %d values", width), "write a smaller step, or H alone"}
	}
	return term{form: span, lo: t.lo + int(h%uint64(t.step)), hi: t.hi, step: t.step}, nil
}

// fnv is the 64-bit FNV-1a hash of s, here because the one of the standard
// library costs an allocation for every job.
func fnv(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// mix spreads the bits of h, so that the remainder by any small number is even:
// the low bits of FNV alone follow the last letters of a name.
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
