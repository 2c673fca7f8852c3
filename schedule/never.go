package schedule

import "fmt"

// someday is 2025-01-01 in Unix seconds: from where Parse looks whether a
// schedule ever comes. It has no clock, and the rules of today's zones hold from then on.
const someday = 1735689600

// never says why c has no moments at all and what to do, or nothing if it has some.
func (c *calendar) never() (msg, fix string) {
	if _, ok := c.nextDay(someday / daySeconds); !ok {
		return "never comes: no month it names has such a day", "write L for the last day of a month"
	}
	if c.clock.gap || c.everyDay() {
		return "", ""
	}
	if _, ok := c.next(someday); !ok {
		return fmt.Sprintf("never comes: in %s the clock jumps over it every time", c.zone), "choose another hour, or fixed minutes and gap run"
	}
	return "", ""
}

// everyDay says whether c leaves out no day, so that no change of the clock can
// take all of it.
func (c *calendar) everyDay() bool {
	return c.dom == fullDom && c.dow == fullDow && c.month == fullMonth
}

// The sets with every value.
const (
	fullClock = 1<<60 - 1 // seconds or minutes
	fullHour  = 1<<24 - 1
	fullDom   = 1<<32 - 2
	fullMonth = 1<<13 - 2
	fullDow   = 1<<7 - 1
)
