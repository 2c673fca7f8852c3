package main

import (
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/config"
)

// againstServer stands for what the replica runs by.
const againstServer = "server"

func diffCommand() *cobra.Command {
	var r remote
	var against string
	cmd := r.showing(&cobra.Command{
		Use: "diff FILE", Short: "Show what a change to this file would change; exit code 1 if there is anything",
		Long: "Compare a file with another one, field by field, or with what the server runs by.\n" +
			"Of that the API shows names, schedules, zones, kinds, owners, labels and whether\n" +
			"a job is suspended, and whether the file is the same. Next runs are before and\n" +
			"after. \"scheduler plan\" compares all starts of some days.\n\n",
		Example: "  scheduler config diff config.yaml\n  scheduler config diff config.yaml --against old.yaml",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			after, err := loadConfig(args[0], config.Overrides{})
			if err != nil {
				return err
			}
			if against == againstServer {
				return s.diffServer(after)
			}
			before, err := loadConfig(against, config.Overrides{})
			if err != nil {
				return err
			}
			return s.showChanges(config.Diff(before, after, time.Now()), "")
		},
	})
	cmd.Flags().StringVar(&against, "against", againstServer, "server, or the file that there was before")
	return cmd
}

// diffServer compares a file with what the server runs by.
func (s *session) diffServer(after *config.Config) error {
	var c admin.Config
	if err := s.get(cli.Path("config"), &c); err != nil {
		return err
	}
	if c.Loaded != nil && c.Loaded.Revision != "" && c.Loaded.Revision == after.Revision {
		return s.showChanges(nil, "")
	}
	list, err := s.All(s.cmd.Context(), cli.Path("jobs"), "pageSize", maxItems)
	if err != nil {
		return err
	}
	before, err := cli.Decode[admin.Job](list)
	if err != nil {
		return err
	}
	changes := serverChanges(before, after, time.Now())
	note := ""
	if len(changes) == 0 {
		note = "the files differ in something that the API does not show: --against OLD.yaml compares all"
	}
	return s.showChanges(changes, note)
}

// serverChanges is what would become of jobs that are there, as far as the API shows
// it.
func serverChanges(before []admin.Job, after *config.Config, now time.Time) []config.Change {
	old := make(map[string]*admin.Job, len(before))
	for i := range before {
		old[before[i].Status.Job] = &before[i]
	}
	var list []config.Change
	for i := range after.Jobs {
		j := &after.Jobs[i]
		c := config.Change{Kind: config.Added, Job: j.Name, Line: j.Line}
		if j.Schedule != nil && !j.Unscheduled && !j.Suspend {
			if next, ok := nextRun(j.Schedule, now); ok {
				c.After = next.In(j.Schedule.Location())
			}
		}
		if was := old[j.Name]; was != nil {
			delete(old, j.Name)
			c.Kind, c.Fields, c.Before = config.Changed, shownFields(was, j), nextOf(was)
			if len(c.Fields) == 0 {
				continue
			}
		}
		list = append(list, c)
	}
	for i := range before {
		if j := &before[i]; old[j.Status.Job] != nil {
			list = append(list, config.Change{Kind: config.Removed, Job: j.Status.Job, Before: nextOf(j)})
		}
	}
	return list
}

func nextOf(j *admin.Job) time.Time {
	if j.NextRun == nil {
		return time.Time{}
	}
	return *j.NextRun
}

// shownFields are the fields in which a job differs, of those that the API shows.
func shownFields(was *admin.Job, is *config.Job) []config.FieldChange {
	schedule, zone := "", was.TimeZone
	if is.Schedule != nil && !is.Unscheduled {
		schedule, zone = is.Schedule.Spec(), is.Schedule.Location().String()
	}
	var fields []config.FieldChange
	for _, f := range []config.FieldChange{
		{Path: "schedule", Old: was.Schedule, New: schedule},
		{Path: "timeZone", Old: was.TimeZone, New: zone},
		{Path: "kind", Old: was.Kind, New: is.Kind},
		{Path: "suspend", Old: fmt.Sprint(was.Suspend), New: fmt.Sprint(is.Suspend)},
		{Path: "owner", Old: was.Owner, New: is.Owner},
	} {
		if f.Old != f.New {
			fields = append(fields, f)
		}
	}
	if !maps.Equal(was.Labels, is.Labels) {
		fields = append(fields, config.FieldChange{Path: "labels", Old: labelsOf(was.Labels), New: labelsOf(is.Labels)})
	}
	return fields
}

// showChanges writes what differs; that anything does is its error. Note says that
// something does that is not listed.
func (s *session) showChanges(list []config.Change, note string) error {
	if !s.view.Format.ForPeople() {
		if err := s.view.Machine(changesOf(list)); err != nil {
			return err
		}
	} else {
		for i := range list {
			s.showChange(s.view.Out, &list[i])
		}
	}
	if note != "" {
		s.view.Note("%s", note)
	}
	if len(list) > 0 || note != "" {
		return errDiffers
	}
	s.view.Note("no difference")
	return nil
}

// showChange writes what becomes of one job, or of the settings.
func (s *session) showChange(out io.Writer, c *config.Change) {
	name := "settings"
	if c.Job != "" {
		name = "job " + c.Job
	}
	fmt.Fprintf(out, "%s: %s\n", cli.OneLine(name), c.Kind)
	for _, f := range c.Fields {
		fmt.Fprintf(out, "  %s: %s -> %s\n", cli.OneLine(f.Path), dash(cli.OneLine(f.Old)), dash(cli.OneLine(f.New)))
	}
	if !c.Before.Equal(c.After) {
		fmt.Fprintf(out, "  next run: %s -> %s\n", dash(s.view.Moment(c.Before)), dash(s.view.Moment(c.After)))
	}
}
