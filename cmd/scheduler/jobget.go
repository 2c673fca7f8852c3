package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

// shownMoments is how many next moments and last outcomes a job is shown with.
const shownMoments = 5

func jobGetCommand() *cobra.Command {
	var r remote
	return r.showing(&cobra.Command{
		Use: "get JOB", Short: "Show a job: how it stands, its next and last runs, its policies",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			s.job = args[0]
			return showing(s, cli.Call{Path: cli.Path("jobs", args[0])}, s.showJob)
		},
	})
}

// showJob writes what is known of a job.
func (s *session) showJob(j *admin.JobDetails) error {
	if j.Stale {
		s.view.Note("the store gives no answer: this is what the replica remembers")
	}
	var f cli.Facts
	f.Add("job", j.Status.Job)
	f.Add("kind", j.Kind)
	f.Add("schedule", j.Schedule+" "+j.TimeZone)
	f.Add("status", j.State)
	if j.Gate != nil && j.Gate.Closed {
		f.Add("paused", s.gate(j.Gate))
	}
	if j.Running != nil {
		f.Add("running", fmt.Sprintf("%s, attempt %d", j.Running.ID, j.Running.Attempt))
	}
	if j.NextRun == nil {
		f.Add("next run", "none: "+j.NextRunReason)
	}
	f.Add("next run", s.view.Until(j.NextRun))
	f.Add("last run", s.lastOf(&j.Job))
	f.Add("owner", j.Owner)
	f.Add("description", j.Description)
	f.Add("runbook", j.Runbook)
	f.Add("labels", labelsOf(j.Labels))
	addPolicies(&f, j.Policies)
	addDurations(&f, j.Took)
	for _, p := range j.Params {
		f.Add("param "+p.Name, paramOf(&p))
	}
	if j.Source != nil {
		f.Add("defined", j.Source.String())
	}
	if err := s.view.Facts(f); err != nil {
		return err
	}
	return s.showMoments(j)
}

// gate says until when a job is closed, and why.
func (s *session) gate(g *admin.Gate) string {
	text := "until it is resumed"
	if !g.Until.IsZero() {
		text = "until " + s.view.Moment(g.Until)
	}
	if g.By != "" {
		text += " by " + g.By
	}
	if g.Reason != "" {
		text += ": " + g.Reason
	}
	return text
}

// addDurations tells how long runs take, and whether the timeout suits them.
func addDurations(f *cli.Facts, d *admin.Durations) {
	if d == nil {
		return
	}
	f.Add("runs take", fmt.Sprintf("%s as a rule, %s at most (of %d)", seconds(d.P50Seconds), seconds(d.MaxSeconds), d.Runs))
	if d.NearTimeout > 0 {
		f.Add("near timeout", fmt.Sprintf("%.0f %% of them", 100*d.NearTimeout))
	}
	f.Add("suggested timeout", d.SuggestedTimeout)
}

func seconds(n float64) time.Duration {
	return time.Duration(n * float64(time.Second)).Round(time.Millisecond)
}

func addPolicies(f *cli.Facts, p *admin.Policies) {
	if p == nil {
		return
	}
	f.Add("timeout", p.Timeout)
	f.Add("overlap", p.OverlapPolicy)
	f.Add("deadline", p.StartingDeadline)
	f.Add("catch-up", p.Catchup.Policy)
	if p.Retry != nil {
		f.Add("retry", fmt.Sprintf("up to %d attempts, first after %s", p.Retry.MaxAttempts, p.Retry.InitialInterval))
	}
	f.Add("group", p.ConcurrencyGroup)
	f.Add("mode", p.Mode)
	for _, l := range p.DependsOn {
		f.Add("depends on", fmt.Sprintf("%s, which %s", l.Job, l.Condition))
	}
}

func paramOf(p *admin.Param) string {
	text := p.Type
	switch {
	case p.Required:
		text += ", required"
	case p.Default != "":
		text += ", by default " + p.Default
	}
	if p.Description != "" {
		text += ": " + p.Description
	}
	return text
}

// showMoments writes the next moments of a job and how it last ended.
func (s *session) showMoments(j *admin.JobDetails) error {
	var next admin.Nexts
	if err := s.get(cli.Query(cli.Path("jobs", j.Status.Job, "next"), "n", fmt.Sprint(shownMoments)), &next); err != nil {
		return err
	}
	t := cli.Table{Head: []string{"NEXT", "UTC", "NOTE"}}
	for i := range next.Items {
		u := &next.Items[i]
		t.Rows = append(t.Rows, []string{s.view.Moment(u.Time), u.UTC.Format("2006-01-02T15:04:05Z"), u.Note})
	}
	if len(t.Rows) > 0 {
		if err := s.view.Line(""); err != nil {
			return err
		}
		if err := s.view.Table(t); err != nil {
			return err
		}
	}
	t = cli.Table{Head: []string{"LAST", "STATUS", "ENDED", "TOOK", "ERROR"}, Status: 2}
	for i := range min(len(j.Recent), shownMoments) {
		o := &j.Recent[i]
		t.Rows = append(t.Rows, []string{o.ID, o.Status, s.view.Moment(o.Ended), cli.Seconds(o.Seconds), cli.Clip(o.Error, maxNote)})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	if err := s.view.Line(""); err != nil {
		return err
	}
	return s.view.Table(t)
}
