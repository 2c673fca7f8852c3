package main

import (
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

// reasoned is a command that acts, and may be told why.
type reasoned struct {
	remote
	reason string
	dryRun bool
}

func (r *reasoned) flags(cmd *cobra.Command) *cobra.Command {
	r.showing(cmd)
	cmd.Flags().StringVar(&r.reason, "reason", "", "why, for those who read the history")
	cmd.Flags().BoolVar(&r.dryRun, "dry-run", false, "say what would happen, and do nothing")
	return cmd
}

// body is what is sent, with one more member if it has a value.
func (r *reasoned) body(name, value string) map[string]string {
	body := map[string]string{"reason": r.reason}
	if value != "" {
		body[name] = value
	}
	return body
}

// each does something for each of some names, in one session, until one fails.
func (r *reasoned) each(cmd *cobra.Command, names []string, do func(s *session, name string) error) error {
	s, err := r.open(cmd)
	if err != nil {
		return err
	}
	for _, name := range names {
		s.job = name
		if err := do(s, name); err != nil {
			return err
		}
	}
	return nil
}

// rehearse looks at a job, and says what would happen to it.
func (s *session) rehearse(job, what string) error {
	return showing(s, cli.Call{Path: cli.Path("jobs", job)}, func(j *admin.JobDetails) error {
		return s.view.Line("would %s %s, which is %s", what, j.Status.Job, j.State)
	})
}

func pauseCommand() *cobra.Command {
	var (
		r     reasoned
		until string
		span  time.Duration
	)
	cmd := r.flags(&cobra.Command{
		Use: "pause JOB…", Short: "Skip the ticks of jobs until they are resumed, or for a time",
		Long: "What runs goes on, and trigger still works. To pause what is paused is no error.\n\n",
		Example: "  scheduler job pause nightly-report --for 2h --reason \"database upgrade\"\n" +
			"  scheduler job pause nightly-report --until 2026-12-01T06:00",
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if until != "" && span != 0 || span < 0 {
				return usagef("either --until or --for, which is more than 0")
			}
			return r.each(cmd, args, func(s *session, job string) error {
				if r.dryRun {
					return s.rehearse(job, "pause")
				}
				return r.pause(s, job, until, span)
			})
		},
	})
	cmd.Flags().StringVar(&until, "until", "", "ticks before this time: RFC 3339, or a time in the job's zone")
	cmd.Flags().DurationVar(&span, "for", 0, "for this time from now, such as 2h30m")
	return cmd
}

// pause closes a job for its ticks.
func (r *reasoned) pause(s *session, job, until string, span time.Duration) error {
	call := cli.Call{Method: http.MethodPost, Path: cli.Path("jobs", job, "pause"), Body: r.body("", ""), Again: true}
	switch {
	case span > 0:
		call.Path, call.Body = cli.Path("jobs", job, "snooze"), r.body("for", span.String())
	case until != "":
		at, err := s.tickOf(job, until)
		if err != nil {
			return err
		}
		call.Body = r.body("until", at.UTC().Format(time.RFC3339))
	}
	return s.setGate(job, call)
}

// setGate opens or closes a job.
func (s *session) setGate(job string, call cli.Call) error {
	return showing(s, call, func(g *admin.Gate) error {
		switch {
		case !g.Closed:
			return s.view.Line("open: %s", job)
		case g.Until.IsZero():
			return s.view.Line("paused: %s until it is resumed", job)
		}
		return s.view.Line("paused: %s until %s", job, s.view.Moment(g.Until))
	})
}

func resumeCommand() *cobra.Command {
	var r reasoned
	return r.flags(&cobra.Command{
		Use: "resume JOB…", Short: "End a pause of jobs; what was skipped stays skipped",
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.each(cmd, args, func(s *session, job string) error {
				if r.dryRun {
					return s.rehearse(job, "resume")
				}
				return s.setGate(job, cli.Call{Method: http.MethodPost, Path: cli.Path("jobs", job, "resume"), Body: r.body("", ""), Again: true})
			})
		},
	})
}

func skipNextCommand() *cobra.Command {
	var r reasoned
	return r.flags(&cobra.Command{
		Use: "skip-next JOB", Short: "Skip the next tick of a job, and only that",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.each(cmd, args, func(s *session, job string) error {
				if r.dryRun {
					return showing(s, cli.Call{Path: cli.Query(cli.Path("jobs", job, "next"), "n", "1")}, func(n *admin.Nexts) error {
						if len(n.Items) == 0 {
							return s.view.Line("would skip nothing of %s: %s", job, n.Reason)
						}
						return s.view.Line("would be skipped: %s %s", job, s.view.Moment(n.Items[0].Time))
					})
				}
				// Not sent twice: that would skip two ticks.
				call := cli.Call{Method: http.MethodPost, Path: cli.Path("jobs", job, "skip-next"), Body: r.body("", "")}
				return showing(s, call, func(k *admin.Skipped) error {
					return s.view.Line("will be skipped: %s %s", job, s.view.Moment(k.Tick))
				})
			})
		},
	})
}
