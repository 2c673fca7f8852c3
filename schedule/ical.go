package schedule

import (
	"bytes"
	"fmt"
	"time"

	ics "github.com/arran4/golang-ical"
)

// Limits on what an iCalendar file holds.
const (
	maxICal       = 1 << 20 // bytes
	maxICalLine   = 16 << 10
	maxNesting    = 8
	maxEvents     = 10_000
	maxRecurring  = 2_000   // events with rules
	maxOccasions  = 200_000 // of all of them together
	maxICalFaults = 20      // after which reading stops
)

// icalHead begins every iCalendar file.
const icalHead = "BEGIN:VCALENDAR"

// ical adds the events of an iCalendar file.
func (b *calendarBuilder) ical(data []byte) {
	lean, msg := leanICal(data)
	if msg != "" {
		b.fault("ICal", "%s", msg)
		return
	}
	file, err := parseICal(lean)
	if err != nil {
		b.fault("ICal", "is no iCalendar file (RFC 5545): %s", clip(err.Error()))
		return
	}
	r := icalReader{b: b, zones: map[string]*time.Location{}, left: maxOccasions, replaced: map[string][]icalTime{}}
	events := file.Events()
	if len(events) == 0 {
		b.fault("ICal", "holds no events (VEVENT): nothing would be excluded")
	}
	list := make([]icalEvent, len(events))
	for i, e := range events {
		list[i] = r.read(i, e)
	}
	for i := range list {
		if r.over || len(b.faults) > maxICalFaults {
			return
		}
		r.expand(&list[i])
	}
}

// parseICal runs the parser of the library. A panic of it is an error.
func parseICal(data []byte) (file *ics.Calendar, err error) {
	defer func() {
		if p := recover(); p != nil {
			file, err = nil, fmt.Errorf("the parser gave up: %v", p)
		}
	}()
	return ics.ParseCalendar(bytes.NewReader(data))
}

// leanICal unfolds the lines of an iCalendar file and keeps those that say when
// something is. The library never sees the rest: descriptions and
// attachments are long, and it takes more than proportional time for lines that are.
func leanICal(data []byte) (lean []byte, msg string) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\n "), nil)
	data = bytes.ReplaceAll(data, []byte("\n\t"), nil)
	depth, events := 0, 0
	for line := range bytes.Lines(data) {
		name := line[:max(0, bytes.IndexAny(line, ":;"))]
		if !keptInICal(string(bytes.ToUpper(name))) {
			continue
		}
		switch {
		case len(line) > maxICalLine:
			return nil, fmt.Sprintf("holds a %s of more than %d bytes", name, maxICalLine)
		case bytes.EqualFold(name, []byte("BEGIN")):
			depth++
		case bytes.EqualFold(name, []byte("END")):
			depth--
		}
		if bytes.HasPrefix(line, []byte("BEGIN:VEVENT")) {
			events++
		}
		if depth > maxNesting {
			return nil, fmt.Sprintf("is nested too deep: at most %d levels", maxNesting)
		}
		if events > maxEvents {
			return nil, fmt.Sprintf("holds too many events: at most %d", maxEvents)
		}
		lean = append(lean, line...)
	}
	if len(lean) < len(icalHead) || !bytes.EqualFold(lean[:len(icalHead)], []byte(icalHead)) {
		return nil, "is no iCalendar file: it must begin with " + icalHead
	}
	if depth > 0 {
		return nil, "ends before its last END: the file is cut off"
	}
	return lean, ""
}

// keptInICal says whether a property matters for when an event is, or for what
// a message calls it.
func keptInICal(name string) bool {
	switch name {
	case "BEGIN", "END", "DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "UID", "SUMMARY", "STATUS":
		return true
	}
	return false
}
