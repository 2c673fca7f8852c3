package main

import (
	"context"
	"fmt"
	"io"
	"time"
)

// sections lists what a run measures, in order.
func sections(server *Server, isShort bool, profiles string, log io.Writer) []section {
	blocks, watch, block := 15, idleFor, 20*time.Millisecond
	mutexRounds, cycles := 9, 8000
	small := Burst{Jobs: 1000, Period: time.Second, Ticks: 10, Rounds: 3, P99: 60, Systems: []string{"solocron", "setnx", "gocron"}}
	large := Burst{Jobs: 10_000, Period: 10 * time.Second, Ticks: 2, Rounds: 3, P99: 400, Systems: small.Systems}
	kept := Burst{Jobs: 100, Period: time.Second, Ticks: 100, Rounds: 1, Systems: small.Systems[:1]}
	loads := []int{10_000, 100_000}
	alone := Burst{Jobs: 100_000, Period: 10 * time.Second, Ticks: 1, Rounds: 3, P99: 500, Systems: []string{"engine", "robfig"}}
	if isShort {
		blocks, watch, block = 5, time.Second, 2*time.Millisecond
		mutexRounds, cycles = 3, 1600
		small.Ticks, small.Rounds = 3, 1
		large.Jobs, large.Ticks, large.Rounds, large.Systems = 2000, 1, 1, small.Systems[:1]
		large.Period, large.P99 = 2*time.Second, 0
		kept.Ticks = 10
		loads = loads[:1]
		alone.Jobs, alone.Period, alone.Rounds, alone.P99 = 10_000, 2*time.Second, 1, 0
	}
	small.Profile, large.Profile, alone.Profile = profiles, profiles, profiles
	burst := func(b Burst) func(context.Context) ([]Row, error) {
		return func(ctx context.Context) ([]Row, error) {
			got, err := b.measure(ctx, server, log)
			if err != nil {
				return nil, err
			}
			return b.rows(got), nil
		}
	}
	return []section{
		{"next", func(ctx context.Context) ([]Row, error) { return nextRows(ctx, blocks, block, log) }},
		{"claim", func(ctx context.Context) ([]Row, error) { return claimRows(ctx, server, blocks, 400, log) }},
		{"mutex", func(ctx context.Context) ([]Row, error) { return mutexRows(ctx, server, mutexRounds, cycles, log) }},
		{"small", burst(small)},
		{"large", burst(large)},
		{"journal", func(ctx context.Context) ([]Row, error) {
			got, err := kept.measure(ctx, server, log)
			if err != nil {
				return nil, err
			}
			return kept.keptRows(got), nil
		}},
		{"load", func(ctx context.Context) ([]Row, error) {
			var rows []Row
			for _, n := range loads {
				for _, system := range []string{"engine", "yaml"} {
					more, err := measureLoad(ctx, system, n, watch, log)
					if err != nil {
						return nil, err
					}
					rows = append(rows, more...)
				}
			}
			return rows, nil
		}},
		{"engine", func(ctx context.Context) ([]Row, error) {
			got, err := alone.measure(ctx, nil, log)
			if err != nil {
				return nil, err
			}
			return alone.aloneRows(got), nil
		}},
	}
}

// section is a part of a run that can be asked for alone.
type section struct {
	name string
	rows func(context.Context) ([]Row, error)
}

// claimRows measures single claims and batches.
func claimRows(ctx context.Context, server *Server, blocks, perBlock int, log io.Writer) ([]Row, error) {
	f, err := measureClaims(ctx, server, blocks, perBlock)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(log, "  claim %.1f us, the same EVALSHA sent bare %.1f us, one that does nothing %.1f us; %.0f claims/s one by one, %.0f in batches\n",
		f.Claim*1e6, f.Bare*1e6, f.Nothing*1e6, f.Single, f.Batched)
	gain := f.Batched / f.Single
	return []Row{
		{
			Name: "a claim against its own EVALSHA sent bare", Value: f.Ratio, Worst: f.Ratio, Unit: "x", Goal: atMost(1.3),
			Comment: fmt.Sprintf("%s us against %s us, medians: what the store adds in the client", short(f.Claim*1e6), short(f.Bare*1e6)),
		},
		{
			Name: "a claim against an EVALSHA that does nothing", Value: f.Claim / f.Nothing, Worst: f.Claim / f.Nothing, Unit: "x",
			Comment: fmt.Sprintf("%s us against %s us, medians: with what it does in the server", short(f.Claim*1e6), short(f.Nothing*1e6)),
		},
		{
			Name: "claims per second, batched against one by one", Value: gain, Worst: gain, Unit: "x", Goal: atLeast(5),
			Comment: fmt.Sprintf("%.0f/s against %.0f/s", f.Batched, f.Single),
		},
	}, nil
}
