package schedule

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// farthest is 2100-01-01 on the wall: occasions of rules without an end are
// known until then.
const farthest = 4102444800

// expand adds the occasions of e to the calendar.
func (r *icalReader) expand(e *icalEvent) {
	if e.broken || e.cancelled {
		return
	}
	gone := map[int64]bool{}
	for _, t := range e.without {
		gone[e.begin(t)] = true
	}
	if len(e.rules) > 0 {
		for _, t := range r.replaced[e.uid] {
			gone[e.begin(t)] = true
		}
	}
	r.occasion(e, e.start.wall, gone)
	for _, t := range e.more {
		r.occasion(e, e.begin(t), gone)
	}
	r.b.c.spans = append(r.b.c.spans, kept(e.periods)...)
	for _, text := range e.rules {
		if err := r.recur(e, text, gone); err != nil {
			r.b.fault(e.entry, "RRULE %q: %s", clip(text), err)
			return
		}
	}
}

// begin returns t as an occasion of e begins: on its wall, and for whole days at
// midnight.
func (e *icalEvent) begin(t icalTime) int64 {
	w := t.in(e.start.zone).wall
	if e.start.date {
		_, past := floorDiv(w, daySeconds)
		w -= int64(past)
	}
	return w
}

// kept returns the members of list that are not empty.
func kept(list []stretch) []stretch {
	var some []stretch
	for _, s := range list {
		if s.start < s.end {
			some = append(some, s)
		}
	}
	return some
}

// occasion adds one occasion of e, which begins at a time on the wall.
func (r *icalReader) occasion(e *icalEvent, wall int64, gone map[int64]bool) {
	if gone[wall] {
		return
	}
	if e.start.date {
		first, _ := floorDiv(wall, daySeconds)
		if days := e.wall / daySeconds; days > 0 {
			r.b.c.days = append(r.b.c.days, stretch{first, first + days})
		}
		return
	}
	s := stretch{start: firstOf(e.start.zone, wall)}
	s.end = firstOf(e.start.zone, wall+e.wall) + e.exact
	r.b.c.spans = append(r.b.c.spans, kept([]stretch{s})...)
}

// recur adds what the rule in text makes of e. Rules are followed on the wall, as if
// it were UTC, so that they do not depend on changes of the clock. A panic of the
// library is an error.
func (r *icalReader) recur(e *icalEvent, text string, gone map[int64]bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the library gave up: %v", p)
		}
	}()
	if r.recurring++; r.recurring > maxRecurring {
		r.over = true
		return fmt.Errorf("more than %d events recur", maxRecurring)
	}
	o, err := r.option(e, text)
	if err != nil {
		return err
	}
	rule, err := rrule.NewRRule(*o)
	if err != nil {
		return err
	}
	next := rule.Iterator()
	for n := 0; ; n++ {
		t, ok := next()
		if !ok && n == 0 && e.start.wall < farthest {
			r.over = true // finding that out takes long: once is enough
			return errors.New("never comes: nothing matches it between DTSTART and UNTIL")
		}
		if !ok {
			return nil
		}
		if r.left--; r.left < 0 {
			r.over = true
			return fmt.Errorf("the rules of the file stand for more than %d occasions until 2100: give them an end with UNTIL or COUNT", maxOccasions)
		}
		r.occasion(e, t.Unix(), gone)
	}
}

// option reads a rule and refuses what would take long or mean nothing.
func (r *icalReader) option(e *icalEvent, text string) (*rrule.ROption, error) {
	text = strings.ToUpper(text)
	until := int64(farthest)
	var words []string
	for word := range strings.SplitSeq(strings.Trim(text, ";"), ";") {
		if value, ok := strings.CutPrefix(word, "UNTIL="); ok {
			t, err := icalMoment(value, e.start.zone)
			if err != nil {
				return nil, fmt.Errorf("UNTIL %w", err)
			}
			if t.date && !e.start.date {
				t.wall += daySeconds - 1 // that day included
			}
			until = min(until, t.in(e.start.zone).wall)
			continue
		}
		words = append(words, word)
	}
	o, err := rrule.StrToROption(strings.Join(words, ";"))
	if err != nil {
		return nil, err
	}
	o.Dtstart, o.Until = time.Unix(e.start.wall, 0).UTC(), time.Unix(until, 0).UTC()
	return o, checkRule(o)
}

// checkRule holds o to RFC 5545 and to limits.
func checkRule(o *rrule.ROption) error {
	lists := len(o.Bysetpos) + len(o.Bymonth) + len(o.Bymonthday) + len(o.Byyearday) + len(o.Byweekno) + len(o.Byweekday)
	switch {
	case o.Freq > rrule.DAILY:
		return errors.New("FREQ must be YEARLY, MONTHLY, WEEKLY or DAILY: what recurs more often leaves nothing to schedule")
	case o.Interval < 0 || o.Interval > 10_000:
		return errors.New("INTERVAL must be from 1 to 10000")
	case o.Count < 0:
		return errors.New("COUNT must be at least 1")
	case len(o.Byeaster) > 0:
		return errors.New("BYEASTER is no part of RFC 5545")
	case len(o.Byweekno) > 0 && o.Freq != rrule.YEARLY:
		return errors.New("BYWEEKNO is only for FREQ=YEARLY")
	case len(o.Byyearday) > 0 && o.Freq != rrule.YEARLY:
		return errors.New("BYYEARDAY is only for FREQ=YEARLY")
	case lists > 500:
		return errors.New("its lists have more than 500 values")
	case max(1, len(o.Byhour))*max(1, len(o.Byminute))*max(1, len(o.Bysecond)) > 24:
		return errors.New("it comes more than 24 times a day")
	}
	return nil
}
