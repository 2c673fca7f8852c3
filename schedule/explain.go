package schedule

import (
	"fmt"
	"strings"
	"time"
)

// Explain says in English when s is due: what the fields mean, in which zone,
// by which day rule, what happens when the clock changes, and what the rules do.
func (s *Schedule) Explain() string {
	var texts []string
	for _, p := range s.parts {
		texts = append(texts, p.explain())
	}
	text := strings.Join(texts, "; and ")
	if s.rules != nil {
		text += s.rules.explain(s.zone)
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func (c *calendar) explain() string {
	text := c.timeWords()
	days := c.dayWords()
	switch {
	case days != "":
		text += " " + days
	case c.hour != fullHour && !strings.HasPrefix(text, "every "):
		text += " every day"
	}
	if c.month != fullMonth {
		text += " in " + nameList(uint64(c.month), monthName)
	}
	return text + ", " + c.zone.String() + c.clockWords()
}

func (i interval) explain() string {
	text := "every " + spoken(i.period)
	if i.phase == 0 {
		return text + ", counted from 1970-01-01T00:00:00Z"
	}
	return text + ", counted from " + spoken(i.phase) + " after 1970-01-01T00:00:00Z"
}

func (i instant) explain() string {
	return "once, at " + time.Unix(int64(i), 0).UTC().Format(time.RFC3339)
}

// spoken writes n seconds in words: 1 day 12 hours.
func spoken(n int64) string {
	var words []string
	for _, u := range []struct {
		size int64
		name string
	}{{daySeconds, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}} {
		if k := n / u.size; k > 0 {
			words = append(words, plural(k, u.name))
			n -= k * u.size
		}
	}
	if len(words) == 1 {
		return strings.TrimPrefix(words[0], "1 ")
	}
	return strings.Join(words, " ")
}

func plural(n int64, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// clockWords says what a change of the clock does to c, for zones that have any.
func (c *calendar) clockWords() string {
	if segmentAt(c.zone, someday).end > someday+2*366*daySeconds {
		return ""
	}
	if c.wildcard() && c.clock.overlap == OverlapBoth {
		return ". It follows real time when the clock changes"
	}
	repeated := map[Overlap]string{OverlapFirst: "the first time", OverlapSecond: "the second time", OverlapBoth: "both times"}[c.clock.overlap]
	skipped := "does not run"
	if c.clock.gap {
		skipped = "runs once right after"
	}
	return ". A time the clock skips " + skipped + ", a time it shows twice runs " + repeated
}
