package config

import (
	"fmt"
	"strings"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
)

// Warning is something that is allowed but hardly meant, or good to know.
type Warning struct {
	Line int    // where the job begins in the file
	Path string // jobs[nightly-report].schedule
	Msg  string
}

// String returns the path and the message.
func (w Warning) String() string { return w.Path + " " + w.Msg }

const (
	maxWarnings = 1000
	foresight   = 366 * 24 * time.Hour // in which changes of the clock are looked at
)

// Warnings returns what people should look at in a configuration that is good,
// seen from now: steps that are wider than their field, moments that a change of
// the clock skips within a year, schedules that are over, a \% from a crontab. In
// the order of the file, at most 1000.
func (c *Config) Warnings(now time.Time) []Warning {
	var list []Warning
	clocks := map[*time.Location][]time.Time{}
	for i := range c.Jobs {
		j := &c.Jobs[i]
		for _, msg := range scheduleWarnings(j, clocks, now) {
			list = append(list, Warning{j.Line, "jobs[" + j.Name + "].schedule", msg})
		}
		if s, ok := j.Runner.(*jobs.Shell); ok && strings.Contains(s.Text, `\%`) {
			list = append(list, Warning{j.Line, "jobs[" + j.Name + "].shell", `holds \%: in a crontab that is a percent sign, here the backslash stays`})
		}
		if len(list) >= maxWarnings {
			return list[:maxWarnings]
		}
	}
	return list
}

func scheduleWarnings(j *Job, clocks map[*time.Location][]time.Time, now time.Time) []string {
	if j.Schedule == nil {
		return nil
	}
	list := j.Schedule.Warnings()
	if j.Schedule.Next(now).IsZero() {
		return append(list, "is over: no moment comes after "+now.UTC().Format(time.RFC3339))
	}
	zone := j.Schedule.Location()
	changes, ok := clocks[zone]
	if !ok {
		changes = clockChanges(zone, now)
		clocks[zone] = changes
	}
	if note := skippedMoment(j.Schedule, changes); note != "" {
		list = append(list, note)
	}
	return list
}

// clockChanges lists when the clock of zone is put forward or back within foresight.
func clockChanges(zone *time.Location, now time.Time) []time.Time {
	var list []time.Time
	for t := now.In(zone); ; {
		_, end := t.ZoneBounds()
		if end.IsZero() || end.Sub(now) > foresight {
			return list
		}
		list = append(list, end)
		t = end
	}
}

// skippedMoment is the note on the first moment of s that stands for one that the
// clock skips, "" if there is none at these changes.
func skippedMoment(s *schedule.Schedule, changes []time.Time) string {
	for _, change := range changes {
		tick := s.Next(change.Add(-time.Second))
		if tick.IsZero() || tick.Sub(change) > time.Minute {
			continue
		}
		if note, _, _ := strings.Cut(s.Note(tick), ";"); strings.Contains(note, "not exist") {
			_, rest, _ := strings.Cut(s.Note(tick), "; ")
			then, _, _ := strings.Cut(rest, ";")
			return fmt.Sprintf("%s (%s): %s", note, s.Location(), then)
		}
	}
	return ""
}
