package schedule

import (
	"fmt"
	"strings"

	"github.com/robfig/cron/v3"
)

// starBit is how robfig marks a field that contains a star; ours stand elsewhere.
const starBit = 1 << 63

// calendar gives the collected fields, written as text, to robfig's parser and
// returns what it made of them.
func (b *builder) calendar(text string) (*calendar, error) {
	if b.changed {
		first := minute
		if b.options.Seconds {
			first = second
		}
		text = strings.Join(b.plain[first:], " ")
	}
	sets, err := robfig(text, b.options.Seconds)
	if err != nil {
		return nil, err
	}
	c := &calendar{
		second: sets.Second &^ starBit, minute: sets.Minute &^ starBit, hour: sets.Hour &^ starBit,
		month: uint16(sets.Month), zone: b.options.Zone, days: b.extra, stars: b.stars,
	}
	if !b.words[dom] {
		c.dom = uint32(sets.Dom)
	}
	if !b.words[dow] {
		c.dow = uint8(sets.Dow)
	}
	c.settle(b.options)
	return c, nil
}

// robfig runs the parser of robfig/cron over text. It must never see a text we
// have not checked, for it panics on some; should one slip through, the panic ends here.
func robfig(text string, seconds bool) (sets *cron.SpecSchedule, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the cron parser gave up: %v", r)
		}
	}()
	options := cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow
	if seconds {
		options |= cron.Second
	}
	s, err := cron.NewParser(options).Parse(text)
	if err != nil {
		return nil, err
	}
	sets, ok := s.(*cron.SpecSchedule)
	if !ok {
		return nil, fmt.Errorf("the cron parser returned a %T", s)
	}
	return sets, nil
}
