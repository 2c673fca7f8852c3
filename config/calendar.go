package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
	"go.yaml.in/yaml/v3"
)

const (
	maxCalendars    = 100
	maxCalendarFile = 1 << 20 // bytes
)

// calendarFields is what YAML may say about a calendar.
type calendarFields struct {
	Name     string      `yaml:"name"`
	TimeZone string      `yaml:"timeZone"`
	Dates    []string    `yaml:"dates"`
	From     string      `yaml:"from"` // from and to are one more range
	To       string      `yaml:"to"`
	Ranges   []dateRange `yaml:"ranges"`
	Weekdays []string    `yaml:"weekdays"`
	File     string      `yaml:"file"` // iCalendar; relative to the configuration
}

type dateRange struct {
	From string `yaml:"from"`
	To   string `yaml:"to"`
}

// readCalendars reads the list of calendars.
func (l *loader) readCalendars(n *yaml.Node) {
	at := (*trail)(nil).key("calendars")
	switch {
	case n == nil:
		return
	case n.Kind != yaml.SequenceNode:
		l.faults.at(n, at, `must be a list of maps with name and dates, not %s`, what(n))
		return
	case len(n.Content) > maxCalendars:
		l.faults.at(n, at, "holds %d calendars: at most %d", len(n.Content), maxCalendars)
		return
	}
	for i, item := range n.Content {
		l.calendar(target(item), at.key("["+strconv.Itoa(i)+"]"))
	}
}

// calendar reads one calendar and adds it to the configuration.
func (l *loader) calendar(n *yaml.Node, at *trail) {
	if name := find(n, "name"); name != nil && name.Kind == yaml.ScalarNode && badName(name.Value) == "" {
		at = at.up.key("[" + name.Value + "]")
	}
	f := calendarFields{TimeZone: l.config.Defaults.TimeZone}
	before := len(l.faults.faults)
	l.decoder.value(n, reflect.ValueOf(&f).Elem(), at)
	if n.Kind == yaml.MappingNode {
		l.calendarName(n, at, f.Name)
	}
	spec := schedule.CalendarSpec{Name: f.Name, Dates: f.Dates, Ranges: f.allRanges(), Weekdays: f.Weekdays}
	var err error
	if spec.Zone, err = l.zone(f.TimeZone); err != nil && find(n, "timeZone") != nil {
		l.faults.at(nearestNode(n, "timeZone"), at.key("timeZone"), "%s", zoneFault(err))
	}
	if f.File != "" {
		if spec.ICal, err = l.calendarFile(f.File); err != nil {
			l.faults.at(nearestNode(n, "file"), at.key("file"), "%s", err)
		}
	}
	if len(l.faults.faults) > before {
		return
	}
	c, err := schedule.NewCalendar(spec)
	if err != nil {
		l.blameCalendar(err, n, at, &f)
		return
	}
	l.calendars[f.Name] = c
	l.config.Calendars = append(l.config.Calendars, c)
}

// allRanges returns the ranges of f, the one without a list last.
func (f *calendarFields) allRanges() []schedule.Range {
	var list []schedule.Range
	for _, r := range f.Ranges {
		list = append(list, schedule.Range(r))
	}
	if f.From != "" || f.To != "" {
		list = append(list, schedule.Range{From: f.From, To: f.To})
	}
	return list
}

// calendarName checks the name of the calendar n, and makes it known even if
// the rest of it has faults.
func (l *loader) calendarName(n *yaml.Node, at *trail, name string) {
	place := nearestNode(n, "name")
	switch msg := badName(name); {
	case name == "":
		l.faults.at(place, at.key("name"), "is missing: every calendar needs a name")
		return
	case msg != "":
		l.faults.at(place, at.key("name"), "%s", msg)
		return
	}
	if line, taken := l.calendarLines[name]; taken {
		l.faults.at(place, at.key("name"), "%s", twice(line, place.Line))
		return
	}
	l.calendarLines[name] = place.Line
	l.calendars[name] = nil
}

// noCalendar says that there is no calendar called name.
func (l *loader) noCalendar(name string) string {
	names := slices.Sorted(maps.Keys(l.calendars))
	if len(names) == 0 {
		return quote(name) + " is no calendar: there are none below the key calendars at the top of the file"
	}
	if guess := jobs.Nearest(name, names); guess != "" {
		return quote(name) + " is no calendar: did you mean " + guess + "?"
	}
	return quote(name) + " is no calendar: there are " + listed(names)
}

// calendarFile reads an iCalendar file, at most a little more than is allowed of it.
func (l *loader) calendarFile(path string) ([]byte, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(l.faults.file), path)
	}
	info, err := os.Stat(path)
	if missing, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fmt.Errorf("%s: %w", quote(path), missing.Err)
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", quote(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxCalendarFile+1))
	if err == nil && len(data) == 0 {
		err = fmt.Errorf("%s is empty", quote(path))
	}
	return data, err
}

// blameCalendar turns the faults of a calendar into faults at the fields they are about.
func (l *loader) blameCalendar(err error, n *yaml.Node, at *trail, f *calendarFields) {
	if many, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // the parts are what is wanted
		for _, one := range many.Unwrap() {
			l.blameCalendar(one, n, at, f)
		}
		return
	}
	fault, ok := errors.AsType[*schedule.CalendarError](err)
	if !ok {
		l.faults.at(n, at, "%s", err)
		return
	}
	if event, ok := strings.CutPrefix(fault.Entry, "ICal"); ok {
		l.faults.at(nearestNode(n, "file"), at.key("file"), "%s", strings.TrimPrefix(event+" "+fault.Msg, " "))
		return
	}
	if fault.Entry == "Dates" && len(f.Dates) == 0 {
		l.faults.at(n, at, "%s", fault.Msg)
		return
	}
	place, path := walk(n, f.path(fault.Entry), at)
	l.faults.at(place, path, "%s", fault.Msg)
}

// path returns the entry of a CalendarSpec as YAML calls it.
func (f *calendarFields) path(entry string) string {
	if bound, ok := strings.CutPrefix(entry, fmt.Sprintf("Ranges[%d].", len(f.Ranges))); ok {
		return strings.ToLower(bound)
	}
	return strings.ToLower(entry)
}
