package schedule

import (
	"math/bits"
	"time"
)

// cycleMonths is a little more than the 400 years after which the calendar
// repeats itself, weekdays included: what is not found in it never comes.
const cycleMonths = 400*12 + 1

// nextDay returns the first day at or after d that c matches.
func (c *calendar) nextDay(d int64) (int64, bool) {
	y, m, dd := civil(d)
	first := d - int64(dd-1)
	for range cycleMonths {
		n := monthDays(y, m)
		if c.month>>m&1 != 0 {
			if on := c.monthMask(first, n) >> dd << dd; on != 0 {
				return first + int64(bits.TrailingZeros32(on)) - 1, true
			}
		}
		first += int64(n)
		dd = 0
		if m++; m > 12 {
			y, m = y+1, 1
		}
	}
	return 0, false
}

// prevDay returns the last day at or before d that c matches.
func (c *calendar) prevDay(d int64) (int64, bool) {
	y, m, dd := civil(d)
	first := d - int64(dd-1)
	for range cycleMonths {
		if c.month>>m&1 != 0 {
			if on := uint64(c.monthMask(first, monthDays(y, m))) & (1<<(dd+1) - 1); on != 0 {
				return first + int64(bits.Len64(on)) - 2, true
			}
		}
		dd = 31
		if m--; m < 1 {
			y, m = y-1, 12
		}
		first -= int64(monthDays(y, m))
	}
	return 0, false
}

// monthMask returns the days that c matches, bit d for day d, in a month of n
// days that begins on day first.
func (c *calendar) monthMask(first int64, n int) uint32 {
	_, w := floorDiv(first+4, 7) // 1970-01-01 was a Thursday
	all := uint32(1<<(n+1) - 2)
	byDate := c.dom | c.days.dates(w, n)
	byWeekday := weekly(c.dow, w) | c.days.weekdays(w, n)
	if c.bothDays() {
		return byDate & byWeekday & all
	}
	return (byDate | byWeekday) & all
}

// dates returns the days that L, LW and 15W stand for in a month of n days
// whose first has weekday w.
func (x *dayWords) dates(w, n int) uint32 {
	if x.nearest == 0 && !x.last && !x.lastWeekday {
		return 0
	}
	var on uint32
	if x.last {
		on |= 1 << n
	}
	if x.lastWeekday {
		on |= 1 << nearestWeekday(n, w, n)
	}
	for rest := x.nearest & (1<<(n+1) - 1); rest != 0; rest &= rest - 1 {
		on |= 1 << nearestWeekday(bits.TrailingZeros32(rest), w, n)
	}
	return on
}

// nearestWeekday returns the day from Monday to Friday nearest to d that is in the same
// month, which has n days and begins on weekday w.
func nearestWeekday(d, w, n int) int {
	switch (w + d - 1) % 7 {
	case 6:
		if d > 1 {
			return d - 1
		}
		return d + 2
	case 0:
		if d < n {
			return d + 1
		}
		return d - 2
	}
	return d
}

// weekdays returns the days that 5#2 and 5L stand for in a month of n days
// whose first has weekday w.
func (x *dayWords) weekdays(w, n int) uint32 {
	on := weekly(x.lastDow, w) &^ (1<<(n-6) - 1)
	for i := 1; i < len(x.nth); i++ {
		if x.nth[i] != 0 {
			on |= weekly(x.nth[i], w) & (0x7f << (7*(i-1) + 1))
		}
	}
	return on
}

// weekly returns the days with a weekday in set, in a month whose first has
// weekday w.
func weekly(set uint8, w int) uint32 {
	week := (uint64(set)>>w | uint64(set)<<(7-w)) & 0x7f
	return uint32(week * (1 | 1<<7 | 1<<14 | 1<<21 | 1<<28) << 1)
}

// civil returns year, month and day of the month of day d.
func civil(d int64) (y, m, dd int) {
	yy, mm, day := time.Unix(d*daySeconds, 0).UTC().Date()
	return yy, int(mm), day
}

// monthDays returns the number of days in month m of year y.
func monthDays(y, m int) int {
	switch m {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}
