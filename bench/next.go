package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/solocron/solocron/schedule"
)

// nextCase is a schedule whose Next is measured against robfig's.
type nextCase struct {
	spec, zone string
	limit      float64 // nanoseconds a call may take
}

// nextCases are what files are full of, and then what costs the most: days that
// seldom come, and times that the clock often jumps over.
func nextCases() []nextCase {
	const common, worst = 2000, 50_000
	return []nextCase{
		{"* * * * *", "UTC", common},
		{"*/15 * * * *", "Europe/Berlin", common},
		{"30 2 * * *", "Europe/Berlin", common},
		{"0 9 * * 1-5", "America/New_York", common},
		{"0 0 1 * *", "Africa/Cairo", common},
		{"0 0 29 2 *", "Europe/Berlin", worst},
		{"0 0 29 2 */7", "Australia/Lord_Howe", worst},
		{"*/30 2 8 3 *", "America/New_York", worst},
	}
}

// nextRows measures Next of both, alternately, in blocks of calls.
func nextRows(ctx context.Context, blocks int, block time.Duration, log io.Writer) ([]Row, error) {
	var rows []Row
	for _, c := range nextCases() {
		ours, theirs, err := c.parse()
		if err != nil {
			return nil, fmt.Errorf("%q: %w", c.spec, err)
		}
		var us, them []float64
		for range blocks {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			us = append(us, perCall(ours.Next, block))
			them = append(them, perCall(theirs.Next, block))
		}
		rows = append(rows, c.row(us, them))
		fmt.Fprintf(log, "  %-14s %-20s %6.0f ns, robfig %8.0f ns\n", c.spec, c.zone, Median(us), Median(them))
	}
	return rows, nil
}

// parse reads c as ours and as robfig's.
func (c nextCase) parse() (*schedule.Schedule, cron.Schedule, error) {
	zone, err := schedule.LoadZone(c.zone)
	if err != nil {
		return nil, nil, err
	}
	ours, err := schedule.Parse(c.spec, schedule.Options{Zone: zone})
	if err != nil {
		return nil, nil, err
	}
	theirs, err := cron.ParseStandard("CRON_TZ=" + c.zone + " " + c.spec)
	return ours, theirs, err
}

// perCall returns the nanoseconds one call takes on average, over a block of
// at least that length and from moments spread over a year.
func perCall(next func(time.Time) time.Time, block time.Duration) float64 {
	from := time.Date(2026, 3, 1, 12, 34, 56, 0, time.UTC)
	const spread = 64 // moments, about 5.7 days apart
	begun := time.Now()
	for calls := spread; ; calls += spread {
		for i := range spread {
			next(from.Add(time.Duration(i) * 137 * time.Hour))
		}
		if took := time.Since(begun); took >= block {
			return float64(took.Nanoseconds()) / float64(calls)
		}
	}
}

// row compares the medians of both.
func (c nextCase) row(ours, theirs []float64) Row {
	us, them := Median(ours), Median(theirs)
	return Row{
		Name: fmt.Sprintf("next moment of %s in %s", c.spec, c.zone), Value: us, Worst: slices.Max(ours),
		Unit: "ns", Goal: atMost(c.limit), Ratios: []Ratio{{Peer: "robfig", Value: them, Ratio: us / them}},
	}
}
