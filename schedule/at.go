package schedule

import (
	"fmt"
	"strings"
	"time"
)

// instant is @at: one moment, in Unix seconds.
type instant int64

// parseAt reads the time after @at.
func parseAt(spec, text string, o Options) (moments, *ParseError) {
	fail := func(msg, fix string) (moments, *ParseError) {
		return nil, &ParseError{
			Spec: clip(spec), Pos: strings.Index(spec, "@at") + 1, Token: clip("@at " + text), Msg: msg, Fix: fix,
		}
	}
	t, local, ok := readTime(text)
	switch {
	case !ok:
		return fail("is not a time", "write one such as @at 2027-03-01T09:00, or with an offset @at 2027-03-01T09:00:00+01:00")
	case t.Nanosecond() != 0:
		return fail("has a fraction of a second", "write whole seconds")
	case t.Year() < 1970:
		return fail("is before 1970", "write a year from 1970 to 9999")
	}
	if !local {
		return instant(t.Unix()), nil
	}
	at, ok := moment(t, o)
	if !ok {
		return fail(fmt.Sprintf("does not exist in %s, where the clock jumps over it", o.Zone), "choose another time")
	}
	return instant(at), nil
}

// readTime reads a time with an offset, or without one: then it is a time on
// the wall, given as if in UTC.
func readTime(text string) (t time.Time, local, ok bool) {
	text = strings.Replace(text, " ", "T", 1)
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, false, true
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true, true
		}
	}
	return time.Time{}, true, false
}

// moment returns when the wall in o.Zone shows t, under the rules of o. It asks
// a calendar that knows this one time of day and day of the year.
func moment(t time.Time, o Options) (int64, bool) {
	c := &calendar{
		second: 1 << t.Second(), minute: 1 << t.Minute(), hour: 1 << t.Hour(),
		dom: 1 << t.Day(), month: 1 << t.Month(), dow: fullDow, zone: o.Zone,
	}
	c.stars[dow] = true
	if o.Overlap == OverlapBoth {
		o.Overlap = OverlapFirst // once is once
	}
	c.settle(o)
	at, ok := c.next(t.Unix() - farWall)
	return at, ok && at <= t.Unix()+farWall+maxGap
}

func (i instant) next(from int64) (int64, bool) { return int64(i), int64(i) >= from }

func (i instant) prev(to int64) (int64, bool) { return int64(i), int64(i) <= to }

func (i instant) canonical() string {
	return "@at " + time.Unix(int64(i), 0).UTC().Format(time.RFC3339)
}
