package daemon

import (
	"context"
	"sync"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
)

// definitions finds jobs by name.
type definitions map[string]*config.Job

func define(list []config.Job) definitions {
	all := make(definitions, len(list))
	for i := range list {
		all[list[i].Name] = &list[i]
	}
	return all
}

// find returns the definition of a job.
func (d definitions) find(name string) (jobs.Job, bool) {
	if j := d[name]; j != nil {
		return j.Job, true
	}
	return jobs.Job{}, false
}

// logLimit is how many bytes are kept of what a run of a job prints.
func (d definitions) logLimit(name string) int {
	switch j := d[name]; {
	case j == nil, j.LogLimit < 0:
		return 0
	case j.LogLimit > 0:
		return j.LogLimit
	}
	return jobs.DefaultLogLimit
}

// newOutput returns what keeps the output of runs; nil if nothing does.
func newOutput(m *Memory, limit func(job string) int) *journal.Output {
	if m == nil || m.Output == nil {
		return nil
	}
	return journal.NewOutput(m.Output, limit)
}

// remembered is what the API may read of the cluster's memory.
func (deps *Deps) remembered() *admin.Memory {
	if deps.Memory == nil {
		return nil
	}
	m := &admin.Memory{Journal: deps.Memory.Journal}
	if deps.Memory.Output != nil {
		m.Output = deps.Memory.Output
	}
	if deps.Memory.Inquiry != nil {
		m.Inquiry = deps.Memory.Inquiry
	}
	if deps.Memory.Feed != nil {
		m.Feed = deps.Memory.Feed
	}
	if deps.Members != nil {
		m.Members = deps.Members
	}
	return m
}

// keepOutput writes what runs print until undo runs, which is after the last of
// them has ended.
func (d *Daemon) keepOutput(ctx context.Context, undo *teardown) {
	if d.output == nil {
		return
	}
	writing, stop := context.WithCancel(context.WithoutCancel(ctx))
	var writer sync.WaitGroup
	writer.Go(func() { _ = d.output.Run(writing) }) // always nil
	undo.push("output of runs", func(ctx context.Context) error {
		stop()
		if err := wait(ctx, &writer); err != nil {
			return err
		}
		if lost := d.output.Lost(); lost > 0 {
			d.log.Warn("some output of runs was not kept", "bytes", lost)
		}
		return nil
	})
}
