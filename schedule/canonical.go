package schedule

import (
	"math/bits"
	"strconv"
)

// canonical writes c so that equal texts mean equal moments, in the language it
// was read in, except for H: that is written with the values it stands for.
func (c *calendar) canonical() string {
	b := make([]byte, 0, 64)
	if c.second != 1 || c.stars[second] {
		b = append(appendSet(b, second, c.second, c.stars[second]), ' ')
	}
	b = append(appendSet(b, minute, c.minute, c.stars[minute]), ' ')
	b = append(appendSet(b, hour, c.hour, c.stars[hour]), ' ')
	b = append(c.appendDom(b), ' ')
	b = append(appendSet(b, month, uint64(c.month), true), ' ')
	b = append(c.appendDow(b), " ["...)
	b = append(b, c.zone.String()...)
	if c.wildcard() {
		if c.clock.overlap != OverlapBoth {
			b = append(b, " overlap="+c.clock.overlap.String()...)
		}
	} else {
		if c.clock.overlap != OverlapFirst {
			b = append(b, " overlap="+c.clock.overlap.String()...)
		}
		if !c.clock.gap {
			b = append(b, " gap=skip"...)
		}
	}
	return string(append(b, ']'))
}

// appendDom writes the day-of-month field.
func (c *calendar) appendDom(b []byte) []byte {
	start := len(b)
	if c.dom != 0 {
		b = append(appendSet(b, dom, uint64(c.dom), c.stars[dom]), ',')
	}
	if c.days.last {
		b = append(b, "L,"...)
	}
	if c.days.lastWeekday {
		b = append(b, "LW,"...)
	}
	for d := range each(uint64(c.days.nearest)) {
		b = append(strconv.AppendInt(b, int64(d), 10), "W,"...)
	}
	return b[:max(len(b)-1, start)]
}

// appendDow writes the day-of-week field.
func (c *calendar) appendDow(b []byte) []byte {
	start := len(b)
	if c.dow != 0 {
		b = append(appendSet(b, dow, uint64(c.dow), c.stars[dow]), ',')
	}
	for n, set := range c.days.nth {
		for d := range each(uint64(set)) {
			b = append(b, byte('0'+d), '#', byte('0'+n), ',')
		}
	}
	for d := range each(uint64(c.days.lastDow)) {
		b = append(b, byte('0'+d), 'L', ',')
	}
	return b[:max(len(b)-1, start)]
}

// appendSet writes set as field k. A starred field begins with a star whatever
// else it holds, since that decides the day rule and the clock rule; the star of
// H/n does not, because there its least value may be missing.
func appendSet(b []byte, k field, set uint64, starred bool) []byte {
	lo, hi := k.bounds()
	if !starred {
		return appendList(b, set)
	}
	step := bits.TrailingZeros64(set&^(1<<lo)) - lo
	switch {
	case k == month && set != fullMonth:
		return appendList(b, set)
	case !has(set, lo):
		return appendList(append(b, "H:"...), set)
	case set == stepped(lo, hi, 1):
		return append(b, '*')
	case step <= hi-lo && set == stepped(lo, hi, step):
		return strconv.AppendInt(append(b, "*/"...), int64(step), 10)
	}
	b = strconv.AppendInt(append(b, "*/"...), int64(hi-lo+1), 10)
	if rest := set &^ (1 << lo); rest != 0 {
		b = appendList(append(b, ','), rest)
	}
	return b
}

// stepped returns the set of every step-th value from lo to hi.
func stepped(lo, hi, step int) uint64 {
	var set uint64
	for v := lo; v <= hi; v += step {
		set |= 1 << v
	}
	return set
}

// appendList writes set as values and ranges.
func appendList(b []byte, set uint64) []byte {
	start := len(b)
	for set != 0 {
		lo := bits.TrailingZeros64(set)
		n := bits.TrailingZeros64(^(set >> lo))
		set &^= (1<<n - 1) << lo
		if len(b) > start {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(lo), 10)
		if n > 1 {
			b = strconv.AppendInt(append(b, '-'), int64(lo+n-1), 10)
		}
	}
	return b
}

// each yields the members of set in order.
func each(set uint64) func(func(int) bool) {
	return func(yield func(int) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(bits.TrailingZeros64(set)) {
				return
			}
		}
	}
}
