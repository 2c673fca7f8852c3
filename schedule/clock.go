package schedule

import "math/bits"

// clockFrom returns the first second of the day at or after t that c matches,
// or -1.
func (c *calendar) clockFrom(t int) int {
	h, m, s := t/3600, t/60%60, t%60
	if has(c.hour, h) {
		if has(c.minute, m) {
			if s := least(c.second, s); s >= 0 {
				return h*3600 + m*60 + s
			}
		}
		if m := least(c.minute, m+1); m >= 0 {
			return h*3600 + m*60 + least(c.second, 0)
		}
	}
	if h := least(c.hour, h+1); h >= 0 {
		return h*3600 + least(c.minute, 0)*60 + least(c.second, 0)
	}
	return -1
}

// clockTo returns the last second of the day at or before t that c matches, or
// -1.
func (c *calendar) clockTo(t int) int {
	h, m, s := t/3600, t/60%60, t%60
	if has(c.hour, h) {
		if has(c.minute, m) {
			if s := greatest(c.second, s); s >= 0 {
				return h*3600 + m*60 + s
			}
		}
		if m := greatest(c.minute, m-1); m >= 0 {
			return h*3600 + m*60 + greatest(c.second, 59)
		}
	}
	if h := greatest(c.hour, h-1); h >= 0 {
		return h*3600 + greatest(c.minute, 59)*60 + greatest(c.second, 59)
	}
	return -1
}

func has(set uint64, v int) bool { return set>>uint(v)&1 != 0 }

// least returns the least member of set that is at least v, or -1.
func least(set uint64, v int) int {
	if rest := set >> uint(v); rest != 0 {
		return v + bits.TrailingZeros64(rest)
	}
	return -1
}

// greatest returns the greatest member of set that is at most v, or -1.
func greatest(set uint64, v int) int {
	if v < 0 {
		return -1
	}
	return bits.Len64(set&(1<<uint(v+1)-1)) - 1
}
