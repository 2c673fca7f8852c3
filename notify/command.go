package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

const (
	commandTimeout = 30 * time.Second // of a program, until it is told to stop
	commandGrace   = 2 * time.Second  // and then until it is killed
	maxVariable    = 64 << 10         // bytes of a variable: the kernel takes 128 KiB
)

// command runs a program for each delivery, with the message in its environment. What
// the program leaves running ends with it; the last line that it printed is in the
// error if it fails.
type command struct {
	settings config.CommandAlert
	guard    []string
}

// Send implements Sender.
func (c *command) Send(ctx context.Context, d *Delivery) error {
	ctx, cancel := context.WithTimeoutCause(ctx, commandTimeout, fmt.Errorf("it took longer than %s", commandTimeout))
	defer cancel()
	first := &d.Messages[0]
	run := jobs.Command{
		Argv: c.settings.Argv, Guard: c.guard,
		Exec: jobs.Exec{Env: c.environ(d), StopGrace: commandGrace, Withheld: c.settings.Withheld},
	}
	return run.Run(ctx, jobs.Run{ID: d.ID, Job: first.Job, Tick: first.Tick, Attempt: d.Try, Manual: true})
}

// environ is what the program is told.
func (c *command) environ(d *Delivery) map[string]jobs.Secret {
	first := &d.Messages[0]
	env := maps.Clone(c.settings.Env)
	if env == nil {
		env = map[string]jobs.Secret{}
	}
	all, err := json.Marshal(d.Messages)
	if err != nil || len(all) > maxVariable {
		all, _ = json.Marshal(d.Messages[:1]) // texts, numbers and times
	}
	for name, value := range map[string]string{
		"ID": d.ID, "EVENT": string(first.Kind), "TITLE": d.Title(), "TEXT": short(d.Text(), maxVariable),
		"JOB": first.Job, "RUN": first.Run, "ERROR": first.Error, "MESSAGES": strconv.Itoa(len(d.Messages)), "JSON": string(all),
	} {
		env["NOTIFY_"+name] = jobs.Secret{Literal: value}
	}
	return env
}
