package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"
)

// Burst is jobs that are all due in the same second on three replicas, once for
// each system and round.
type Burst struct {
	Jobs    int
	Period  time.Duration
	Ticks   int
	Rounds  int
	P99     float64  // goal, milliseconds; 0: none
	Systems []string // ours first
	Profile string   // directory for CPU profiles; "": none
}

const replicas = 3

// count is how many replicas measure starts: one, if there is no store to share.
func (b Burst) count(server *Server) int {
	if server == nil {
		return 1
	}
	return replicas
}

// goal is nil if no figure is promised for a burst of this size.
func (b Burst) goal() *Goal {
	if b.P99 == 0 {
		return nil
	}
	return atMost(b.P99)
}

// measure runs the systems in turn, rounds times over, so that what else the
// machine does falls on all of them.
func (b Burst) measure(ctx context.Context, server *Server, log io.Writer) (map[string][]Outcome, error) {
	got := make(map[string][]Outcome)
	for round := range b.Rounds {
		for _, sys := range b.Systems {
			c := Cell{System: sys, Replicas: b.count(server), Jobs: b.Jobs, Period: b.Period, Ticks: b.Ticks, Profiles: b.Profile}
			out, err := c.run(ctx, server)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(log, "  round %d/%d  %6d jobs  %-9s p50 %7.1f ms  p99 %7.1f ms  doubled %d  missed %d\n",
				round+1, b.Rounds, b.Jobs, sys, ms(out.P50), ms(out.P99), out.Doubled, out.Missed)
			got[sys] = append(got[sys], out)
		}
	}
	return got, nil
}

// rows compares ours with the peers, figure by figure.
func (b Burst) rows(got map[string][]Outcome) []Row {
	title := func(what string) string { return fmt.Sprintf("%d jobs due at once: %s", b.Jobs, what) }
	rows := []Row{
		b.row(got, title("lateness p50"), "ms", nil, func(o Outcome) float64 { return ms(o.P50) }),
		b.row(got, title("lateness p99"), "ms", b.goal(), func(o Outcome) float64 { return ms(o.P99) }),
		b.row(got, title("Redis commands per run"), "", atMost(0.5), commandsPerRun),
		b.row(got, title("Redis CPU per due tick"), "us", nil, func(o Outcome) float64 {
			return float64(o.Redis.CPU.Microseconds()) / float64(o.Due)
		}),
		b.row(got, title("CPU per replica"), "ms/s", nil, cpuPerSecond),
		b.row(got, title("peak memory per replica"), "MB", nil, peakMB),
	}
	return append(rows, b.exact(got))
}

// keptRows is what many runs of few jobs leave in Redis, and what it takes to
// write it. A history holds 50 rows of a sort, each below 300 bytes; the rest is
// lease records, indexes and what Redis itself adds. So few runs a second fill no
// batch: with sixteen shards and three replicas most commands carry one or two.
func (b Burst) keptRows(got map[string][]Outcome) []Row {
	const perJob = 50*300 + 5000
	title := func(what string) string {
		return fmt.Sprintf("%d runs of %d jobs, with journal: %s", b.Jobs*b.Ticks, b.Jobs, what)
	}
	return []Row{
		b.row(got, title("Redis commands per run"), "", atMost(3), commandsPerRun),
		b.row(got, title("Redis memory per job"), "B", atMost(perJob), func(o Outcome) float64 {
			return float64(o.Redis.Memory) / float64(b.Jobs)
		}),
		b.row(got, title("lateness p99"), "ms", nil, func(o Outcome) float64 { return ms(o.P99) }),
		b.exact(got),
	}
}

// exact is the row about the promise itself: judged by its worst round.
func (b Burst) exact(got map[string][]Outcome) Row {
	r := b.row(got, fmt.Sprintf("%d jobs due at once: runs per tick", b.Jobs), "", exactly(1), Outcome.RunsPerTick)
	r.Must = true
	for _, sys := range b.Systems {
		doubled, missed, due := 0, 0, 0
		for _, o := range got[sys] {
			doubled, missed, due = doubled+o.Doubled, missed+o.Missed, due+o.Due
		}
		if sys == b.Systems[0] && doubled+missed > 0 {
			r.Worst = -1 // errors that cancel out are errors
		}
		r.Comment += fmt.Sprintf("; %s: %d of %d doubled, %d missed", sys, doubled, due, missed)
	}
	r.Ratios, r.Comment = nil, r.Comment[2:]
	return r
}

// row takes the medians of one figure over the rounds.
func (b Burst) row(got map[string][]Outcome, name, unit string, goal *Goal, figure func(Outcome) float64) Row {
	values := figures(got[b.Systems[0]], figure)
	r := Row{Name: name, Value: Median(values), Unit: unit, Goal: goal, Worst: slices.Max(values)}
	for _, peer := range b.Systems[1:] {
		r.Ratios = appendRatio(r.Ratios, peer, r.Value, Median(figures(got[peer], figure)))
	}
	return r
}

func appendRatio(ratios []Ratio, peer string, ours, theirs float64) []Ratio {
	if theirs == 0 {
		return ratios
	}
	return append(ratios, Ratio{Peer: peer, Value: theirs, Ratio: ours / theirs})
}

func figures(outs []Outcome, figure func(Outcome) float64) []float64 {
	values := make([]float64, len(outs))
	for i, o := range outs {
		values[i] = figure(o)
	}
	return values
}

func commandsPerRun(o Outcome) float64 {
	return float64(o.Redis.Commands) / float64(max(o.Runs, 1))
}

// cpuPerSecond is the mean over the replicas.
func cpuPerSecond(o Outcome) float64 {
	var cpu time.Duration
	for _, r := range o.Reports {
		cpu += r.CPU
	}
	return ms(cpu) / o.Window.Seconds() / float64(len(o.Reports))
}

// peakMB is that of the largest replica.
func peakMB(o Outcome) float64 {
	var rss int64
	for _, r := range o.Reports {
		rss = max(rss, r.RSS)
	}
	return float64(rss) / (1 << 20)
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }
