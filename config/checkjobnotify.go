package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

const (
	maxAfter     = 1000
	minRemind    = time.Minute
	maxNotifySet = 20 // channels, silences
)

// checkJobNotify looks at whom a job tells what, whose zone is zone, nil if unknown.
func (l *loader) checkJobNotify(e *entry, zone *time.Location) {
	f := &e.fields
	if n := e.value("notify"); n != nil && e.ok("notify") {
		faults := l.policyFaults(&f.Notify, zone)
		if len(f.Notify.To) == 0 && find(n, "to") == nil {
			faults = append(faults, notifyFault{"to", "is missing: names of channels below notify.channels, or [] to tell nobody"})
		}
		for _, x := range faults {
			place, path := walk(n, x.path, e.at.key("notify"))
			l.faults.at(place, path, "%s", x.msg)
		}
	}
	if len(f.Notify.To) == 0 {
		f.Notify = NotifyPolicy{} // nobody is told anything: the rest means nothing
	}
	if n := e.value("expect"); n != nil && e.ok("expect") {
		for _, x := range f.Expect.faults(e.byHand) {
			place, path := walk(n, x.path, e.at.key("expect"))
			l.faults.at(place, path, "%s", x.msg)
		}
	}
	if n := e.value("ping"); n != nil && e.ok("ping") {
		if err := badLiteral(f.Ping); err != nil {
			l.faults.at(n, e.at.key("ping"), "%s", err)
		}
	}
}

func (x Expect) faults(byHand bool) []notifyFault {
	switch {
	case byHand:
		return []notifyFault{{"", "has no effect: the job has no schedule, so it is expected at no time"}}
	case x.StartWithin == 0 && x.FinishWithin == 0:
		return []notifyFault{{"", "says nothing: write startWithin, finishWithin or both, such as { startWithin: 2m, finishWithin: 45m }"}}
	case x.FinishWithin != 0 && x.FinishWithin < x.StartWithin:
		return []notifyFault{{"finishWithin", "is counted from the tick too: it must not be less than startWithin"}}
	}
	var list []notifyFault
	for _, d := range []struct {
		path string
		span time.Duration
	}{{"startWithin", x.StartWithin}, {"finishWithin", x.FinishWithin}} {
		if msg := tooLong(d.span, maxSpan, "366d"); msg != "" || d.span != 0 && d.span < time.Second {
			list = append(list, notifyFault{d.path, "must be from 1s to 366d"})
		}
	}
	return list
}

// policyFaults reports what is wrong with p, and reads its silences in zone, nil
// for UTC.
func (l *loader) policyFaults(p *NotifyPolicy, zone *time.Location) []notifyFault {
	var list []notifyFault
	add := func(path, msg string) { list = append(list, notifyFault{path, msg}) }
	for i, event := range p.On {
		switch {
		case !slices.Contains(NotifyEvents(), event):
			add(itemKey("on", i), badWord(string(event), notifyWords()))
		case slices.Contains(p.On[:i], event):
			add(itemKey("on", i), "is there twice")
		}
	}
	if len(p.To) > maxNotifySet {
		add("to", fmt.Sprintf("names %d channels: at most %d", len(p.To), maxNotifySet))
	}
	for i, name := range p.To[:min(len(p.To), maxNotifySet)] {
		switch _, known := l.config.Notify.Channels[name]; {
		case !known:
			add(itemKey("to", i), l.noChannel(name))
		case slices.Contains(p.To[:i], name):
			add(itemKey("to", i), "is there twice")
		}
	}
	if msg := outside(p.After, 1, maxAfter); msg != "" {
		add("after", msg)
	}
	if p.Remind != 0 && p.Remind < minRemind || p.Remind > maxSpan {
		add("remind", "must be 0 for never, or from 1m to 366d")
	}
	if msg := tooLong(p.Same, maxSpan, "366d"); msg != "" {
		add("same", msg)
	}
	if len(p.Silence) > maxNotifySet {
		add("silence", fmt.Sprintf("has %d entries: at most %d", len(p.Silence), maxNotifySet))
		return list
	}
	for i := range p.Silence {
		w, msg := p.Silence[i].window(zone)
		if p.Silence[i].Window = w; msg != "" {
			add(itemKey("silence", i), msg)
		}
	}
	return list
}

func notifyWords() []string {
	var words []string
	for _, e := range NotifyEvents() {
		words = append(words, string(e))
	}
	return words
}

// noChannel says that there is no channel called name.
func (l *loader) noChannel(name string) string {
	names := slices.Sorted(maps.Keys(l.config.Notify.Channels))
	if len(names) == 0 {
		return quote(name) + " is no channel: there are none below notify.channels at the top of the file"
	}
	return quote(name) + " is no channel" + meantName(name, names, "")
}

const badSilence = "must be { from: \"22:00\", to: \"06:00\" }, with weekdays: [sat, sun] if it is not each day, or { until: 2026-12-01T08:00:00Z }"

// window reads s in zone, nil for UTC; msg says what is wrong with it.
func (s Silence) window(zone *time.Location) (w QuietWindow, msg string) {
	if zone == nil {
		zone = time.UTC
	}
	if s.Until != "" {
		if s.From != "" || s.To != "" || len(s.Weekdays) > 0 {
			return w, "has until beside from, to or weekdays: they are two entries of the list"
		}
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
			if t, err := time.ParseInLocation(layout, s.Until, zone); err == nil {
				return QuietWindow{Until: t}, ""
			}
		}
		return w, badSilence
	}
	from, ok := clockMinutes(s.From)
	to, also := clockMinutes(s.To)
	if !ok || !also {
		return w, badSilence
	}
	w.From, w.To = from, to
	names := []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}
	for _, day := range s.Weekdays {
		i := slices.Index(names, day)
		if i < 0 {
			return w, "weekday " + badWord(day, names)
		}
		w.Days[i] = true
	}
	if len(s.Weekdays) == 0 {
		w.Days = [7]bool{true, true, true, true, true, true, true}
	}
	return w, ""
}

// clockMinutes reads 22:00 as minutes after midnight.
func clockMinutes(s string) (int, bool) {
	const hours, minutes = 24, 60
	if len(s) != len("15:04") || s[2] != ':' {
		return 0, false
	}
	h, err := strconv.ParseUint(s[:2], 10, 8)
	m, also := strconv.ParseUint(s[3:], 10, 8)
	return int(h)*minutes + int(m), err == nil && also == nil && h < hours && m < minutes
}
