package schedule

import (
	"fmt"
	"strings"
	"time"
)

// The periods @every takes.
const (
	minPeriod = time.Second
	maxPeriod = 366 * 24 * time.Hour
)

// interval is @every: the moments phase, phase+period, ... counted from the
// Unix epoch in both directions, in seconds. So every replica has the same
// moments, whenever it was started.
type interval struct{ period, phase int64 }

// phases is how many different phases the jobs of one period have at most:
// enough to spread them, few enough that the engine wakes once for many.
const phases = 1024

// parseEvery reads the duration after @every.
func parseEvery(spec, text string, o Options) (moments, *ParseError) {
	period, msg, fix := duration(text)
	if msg != "" {
		return nil, &ParseError{
			Spec: clip(spec), Pos: strings.Index(spec, "@every") + 1, Token: clip("@every " + text), Msg: msg, Fix: fix,
		}
	}
	i := interval{period: int64(period / time.Second)}
	if o.Key != "" {
		i.phase = i.period * int64(fnv(o.Key)%phases) / phases
	}
	return i, nil
}

// duration reads a period such as 90s, 1h30m or 1d12h.
func duration(text string) (d time.Duration, msg, fix string) {
	if text == "" {
		return 0, "has no period", "write one such as @every 15m"
	}
	if strings.Trim(text, "0123456789") == "" {
		return 0, "has no unit", "write " + clip(text) + "s, " + clip(text) + "m or " + clip(text) + "h"
	}
	days, rest, hasDays := strings.Cut(text, "d")
	if !hasDays {
		days, rest = "0", text
	}
	n, ok := number(days)
	if ok && rest != "" {
		var err error
		d, err = time.ParseDuration(rest)
		ok = err == nil && rest[0] != '+' && rest[0] != '-'
		if err == nil && rest[0] == '-' {
			return 0, "is negative", "write a period from 1s to 366d"
		}
	}
	if !ok {
		return 0, "is not a period", "write numbers with d, h, m and s, such as 15m or 1d12h"
	}
	// Judged before they are added: neither part nor the sum overflows.
	if n > 366 || d > maxPeriod || time.Duration(n)*24*time.Hour+d > maxPeriod {
		return 0, "is longer than 366 days", "write @yearly, or fields"
	}
	d += time.Duration(n) * 24 * time.Hour
	if d < minPeriod {
		return 0, "is shorter than a second", "write a period from 1s to 366d"
	}
	if d%time.Second != 0 {
		return 0, "is not in whole seconds", fmt.Sprintf("write %s", d.Round(time.Second))
	}
	return d, "", ""
}

func (i interval) next(from int64) (int64, bool) {
	k, past := floorDiv(from-i.phase, i.period)
	if past > 0 {
		k++
	}
	return k*i.period + i.phase, true
}

func (i interval) prev(to int64) (int64, bool) {
	k, _ := floorDiv(to-i.phase, i.period)
	return k*i.period + i.phase, true
}

func (i interval) canonical() string {
	return "@every " + seconds(i.period).String() + "+" + seconds(i.phase).String()
}

func seconds(n int64) time.Duration { return time.Duration(n) * time.Second }
