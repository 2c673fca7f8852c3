package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

func jobGroup() *cobra.Command {
	cmd := group("job", "List, show, trigger, pause and resume jobs")
	cmd.AddCommand(jobListCommand(), jobGetCommand(), triggerCommand(), pauseCommand(), resumeCommand(), skipNextCommand(), backfillCommand())
	return cmd
}

func jobListCommand() *cobra.Command {
	var (
		r                          remote
		labels, status, sort, text string
		limit                      int
	)
	cmd := r.showing(&cobra.Command{
		Use: "list", Short: "List jobs: how they stand, when they are due, how they last ended",
		Example: "  scheduler job list -l team=billing --status failing,paused --sort next",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			order, known := map[string]string{"name": "name", "next": "nextRun", "last": "-lastRun"}[sort]
			if !known {
				return usagef("--sort %q is none of name, next, last", clip(sort))
			}
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			wish := []string{"labelSelector", labels, "q", text, "sort", order}
			if strings.Contains(status, ",") {
				return s.jobsWith(cli.Query(cli.Path("jobs"), wish...), strings.Split(status, ","), limit)
			}
			return listing(s, cli.Query(cli.Path("jobs"), append(wish, "status", status)...), "pageSize", limit, s.tableOfJobs)
		},
	})
	f := cmd.Flags()
	f.StringVarP(&labels, "selector", "l", "", "only jobs with these labels: team=billing,tier!=test,!legacy")
	f.StringVar(&status, "status", "", "only jobs that stand so, with commas: suspended, paused, running, failing, ok, idle")
	f.StringVar(&sort, "sort", "name", "name, next or last")
	f.StringVar(&text, "search", "", "only jobs with this text in the name, kind, schedule or owner")
	f.IntVar(&limit, "limit", 1000, "how many jobs")
	fixed(cmd, "sort", "name", "next", "last")
	return cmd
}

// jobsWith lists the jobs that stand in one of some ways, of which the API takes one.
func (s *session) jobsWith(path string, states []string, limit int) error {
	for _, state := range states {
		if !slices.Contains(jobStates(), state) {
			return usagef("--status %q is none of %s", clip(state), strings.Join(jobStates(), ", "))
		}
	}
	list, err := s.All(s.cmd.Context(), path, "pageSize", maxItems)
	if err != nil {
		return err
	}
	jobs, err := cli.Decode[admin.Job](list)
	if err != nil {
		return err
	}
	all := list.Items
	list.Items = nil
	for i := range jobs {
		if slices.Contains(states, jobs[i].State) && len(list.Items) < limit {
			list.Items = append(list.Items, all[i])
		}
	}
	return showList(s, list, s.tableOfJobs)
}

func jobStates() []string {
	return []string{admin.JobSuspended, admin.JobPaused, admin.JobRunning, admin.JobFailing, admin.JobOK, admin.JobIdle}
}

// tableOfJobs is jobs in columns.
func (s *session) tableOfJobs(jobs []admin.Job) cli.Table {
	t := cli.Table{
		Head: []string{"JOB", "SCHEDULE", "ZONE", "STATUS", "NEXT", "LAST", "RUNNING", "KIND", "OWNER", "LABELS"}, Wide: 3, Status: 4, Empty: "no jobs",
	}
	counts := map[string]int{}
	for i := range jobs {
		j := &jobs[i]
		counts[j.State]++
		running := "-"
		if j.Running != nil {
			running = j.Running.ID
		}
		t.Rows = append(t.Rows, []string{
			j.Job, j.Schedule, j.TimeZone, j.State, dash(s.view.Until(j.NextRun)), dash(s.lastOf(j)), running, j.Kind, j.Owner, labelsOf(j.Labels),
		})
	}
	if s.view.Terminal() && !s.view.Quiet && len(jobs) > 0 {
		s.view.Note("%s (%s)", plural(len(jobs), "job"), countsOf(counts))
	}
	return t
}

// lastOf says how a job last ended, and when.
func (s *session) lastOf(j *admin.Job) string {
	if j.LastRun == nil {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", j.LastRun.Status, s.view.Moment(j.LastRun.Ended), cli.Seconds(j.LastRun.Seconds)))
}

func labelsOf(labels map[string]string) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		all = append(all, name+"="+labels[name])
	}
	return strings.Join(all, ",")
}

// countsOf says how many there are of each sort.
func countsOf(counts map[string]int) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf("%d %s", counts[name], name))
	}
	return strings.Join(all, ", ")
}

// dash is text, or a dash for none.
func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
