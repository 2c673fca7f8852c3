package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/solocron/solocron/schedule"
)

// readZone loads the zone that --tz names; none means UTC.
func readZone(name string) (*time.Location, error) {
	if name == "" {
		return time.UTC, nil
	}
	zone, err := schedule.LoadZone(name)
	if err != nil {
		return nil, configError{fmt.Errorf("--tz: %w", err)}
	}
	return zone, nil
}

// readTime reads a time that flag was given: one with an offset, or a date or
// time on the wall in zone. Of a time that the wall shows twice it takes the first.
func readTime(flag, text string, zone *time.Location) (time.Time, error) {
	written := strings.Replace(strings.TrimSpace(text), " ", "T", 1)
	if t, err := time.Parse(time.RFC3339, written); err == nil {
		return t, nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02T15:04:05"} {
		wall, err := time.Parse(layout, written)
		if err != nil {
			continue
		}
		t, ok := onWall(wall, zone)
		if !ok {
			return time.Time{}, configError{fmt.Errorf("%s %q does not exist in %s: the clock jumps over it", flag, clip(text), zone)}
		}
		return t, nil
	}
	return time.Time{}, configError{fmt.Errorf("%s %q is not a time: write one such as 2027-03-27T00:00:00+01:00, or 2027-03-27 or 2027-03-27T02:30 in the zone %s", flag, clip(text), zone)}
}

// onWall returns the first moment at which the wall in zone shows what the one
// in UTC shows at wall.
func onWall(wall time.Time, zone *time.Location) (time.Time, bool) {
	for _, near := range []time.Duration{-26 * time.Hour, 26 * time.Hour} {
		_, offset := wall.Add(near).In(zone).Zone()
		t := wall.Add(-time.Duration(offset) * time.Second).In(zone)
		if t.Format(time.DateTime) == wall.Format(time.DateTime) {
			return t, true
		}
	}
	return time.Time{}, false
}
