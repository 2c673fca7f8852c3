package main

import (
	"context"
	"fmt"
	"io"
	"time"
)

// idleFor is how long an engine with nothing due is watched: longer than it
// sleeps between two looks at everything.
const idleFor = 40 * time.Second

// sources says where the jobs of a system come from.
var sources = map[string]string{"engine": "", "yaml": " from YAML"}

// measureLoad measures what it takes to load jobs and to keep them while none
// is due.
func measureLoad(ctx context.Context, system string, jobs int, watch time.Duration, log io.Writer) ([]Row, error) {
	rep, err := idle(ctx, Plan{System: system, Jobs: jobs}, watch)
	if err != nil {
		return nil, err
	}
	perJob := float64(rep.Heap) / float64(jobs)
	cpu := ms(rep.CPU) / watch.Seconds()
	fmt.Fprintf(log, "  %6d jobs  %-9s loaded in %.0f ms, %.0f B a job, idle %.2f ms/s\n", jobs, system, ms(rep.Loaded), perJob, cpu)

	title := func(what string) string { return fmt.Sprintf("%d jobs loaded%s: %s", jobs, sources[system], what) }
	load := Row{Name: title("load time"), Value: ms(rep.Loaded), Worst: ms(rep.Loaded), Unit: "ms"}
	memory := Row{Name: title("memory per job"), Value: perJob, Worst: perJob, Unit: "B"}
	if jobs == 100_000 {
		memory.Goal = atMost(1536)
		if system == "engine" { // to read 10 MB of YAML takes the library as long as that alone
			load.Goal = atMost(1000)
		}
	}
	rss := float64(rep.RSS) / (1 << 20)
	return []Row{
		load, memory,
		{Name: title("resident memory"), Value: rss, Worst: rss, Unit: "MB"},
		{Name: title("idle CPU"), Value: cpu, Worst: cpu, Unit: "ms/s"},
	}, nil
}

// idle starts one process and watches it doing nothing.
func idle(ctx context.Context, p Plan, watch time.Duration) (Report, error) {
	r, err := startReplica(ctx, p)
	if err != nil {
		return Report{}, err
	}
	defer func() { _ = r.kill() }()         // left after an error
	from := time.Now().Add(2 * time.Second) // the collector may still be busy with loading
	if err := r.begin(Window{From: from, Until: from.Add(watch)}); err != nil {
		return Report{}, err
	}
	return r.finish()
}

// aloneRows are those of an engine without a store that others share.
func (b Burst) aloneRows(got map[string][]Outcome) []Row {
	title := func(what string) string { return fmt.Sprintf("engine alone, %d due at once: %s", b.Jobs, what) }
	exact := b.exact(got)
	exact.Name = title("runs per tick")
	return []Row{
		b.row(got, title("lateness p50"), "ms", nil, func(o Outcome) float64 { return ms(o.P50) }),
		b.row(got, title("lateness p99"), "ms", b.goal(), func(o Outcome) float64 { return ms(o.P99) }),
		b.row(got, title("CPU per due tick"), "us", nil, func(o Outcome) float64 {
			return float64(o.Reports[0].CPU.Microseconds()) / float64(o.Due)
		}),
		exact,
	}
}
