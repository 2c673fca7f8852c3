package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

// startFromYAML is startEngine with its jobs read from YAML, as a replica does
// when it starts. None of them is due while we look.
func startFromYAML(ctx context.Context, p Plan, _ *Recorder, loaded func()) (func() error, error) {
	nothing := jobs.Func(func(context.Context, jobs.Run) error { return nil })
	cfg, err := config.Parse("bench.yaml", p.Input, jobs.Kinds(map[string]jobs.Func{"bench.nothing": nothing}))
	if err != nil {
		return nil, err
	}
	store := new(memlease.Store)
	elector, err := election.New(store, "alone", election.Config{})
	if err != nil {
		return nil, err
	}
	s := scheduler.New(elector, scheduler.Config{Ledger: store})
	for _, j := range cfg.Jobs {
		if err := s.AddSchedule(j.Schedule, j.Job); err != nil {
			return nil, err
		}
	}
	loaded()
	ctx, cancel := context.WithCancel(ctx)
	return runInBackground(ctx, cancel, s), nil
}

// writeYAML writes n jobs as people do, at 1,440 different minutes of a day ahead.
func writeYAML(n int) []byte {
	var b bytes.Buffer
	b.WriteString("namespace: bench\njobs:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - name: %s\n    schedule: %q\n    func: bench.nothing\n", JobName(i), idleSpec(i))
	}
	return b.Bytes()
}
