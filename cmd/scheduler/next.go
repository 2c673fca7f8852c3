package main

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

const maxNext = 1000

// asking is what next is asked.
type asking struct {
	remote
	q    question
	n    int
	from string
}

func nextCommand() *cobra.Command {
	var a asking
	cmd := &cobra.Command{
		Use: "next EXPR|JOB", Short: "Explain a schedule or a job, and show when it is due next",
		Long: "Say in words what a schedule means, and show its next moments: those after now\n" +
			"or after --from, with a note where one is unusual. A single word is the name of\n" +
			"a job in the file of -c, or on the server if --server is given or there is no\n" +
			"file. What is allowed but hardly meant goes to stderr.\n\n" + exitCodesHelp,
		Example: `  scheduler next "30 2 * * *" --tz Europe/Berlin --from 2027-03-27 -n 3
  scheduler next nightly-report -c config.yaml -n 10
  scheduler next -o json -- "*/15 * * * *"`,
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.n < 1 || a.n > maxNext {
				return usagef("-n %d is not between 1 and %d", a.n, maxNext)
			}
			zone := a.wish.Zone
			a.wish.Zone, a.q.zone = "", zone // here it is that of the expression
			s, err := a.open(cmd)
			if err != nil {
				return err
			}
			a.q.fileGiven = cmd.Flags().Changed("config")
			if a.remotely(args) {
				return a.askServer(s, args[0])
			}
			return a.explain(s, args)
		},
	}
	f := cmd.Flags()
	f.IntVarP(&a.n, "number", "n", 5, "how many moments")
	f.StringVar(&a.from, "from", "", "show what follows this time: RFC 3339, or a date or time in the zone of the schedule")
	f.StringVarP(&a.wish.Output, "output", "o", "table", "table, json, jsonl or yaml")
	f.StringVar(&a.wish.Zone, "tz", "", "time zone of the expression, an IANA name (default UTC)")
	f.StringVar(&a.q.key, "key", "", "job the expression belongs to, as NAMESPACE/NAME: decides H and the phase of @every")
	f.BoolVar(&a.q.seconds, "seconds", false, "the expression has six fields, seconds first")
	f.StringVarP(&a.q.file, "config", "c", "config.yaml", "file that holds the job")
	a.reaching(cmd)
	return cmd
}

// remotely reports whether the server is to be asked.
func (a *asking) remotely(words []string) bool {
	if len(words) != 1 || !jobName.MatchString(words[0]) || a.q.fileGiven {
		return false
	}
	if a.options.Server != "" {
		return true
	}
	_, err := os.Stat(a.q.file)
	return errors.Is(err, fs.ErrNotExist) && os.Getenv("SOLOCRON_SERVER") != ""
}

// explain says what a schedule of no server means.
func (a *asking) explain(s *session, words []string) error {
	found, err := a.q.ask(words)
	if err != nil {
		return err
	}
	now := time.Now()
	after := now
	if a.from != "" {
		if after, err = readTime("--from", a.from, found.sched.Location()); err != nil {
			return err
		}
	}
	found.warn(s.view.Err)
	v := look(found.sched, after, a.n)
	if s.view.Format.ForPeople() {
		return v.table(s.view.Out, now)
	}
	return s.view.Machine(v)
}

// askServer shows when a job is due, as things are there.
func (a *asking) askServer(s *session, job string) error {
	if a.q.zone != "" || a.q.key != "" || a.q.seconds {
		return usagef("--tz, --key and --seconds are for an expression: the job %q says these itself", clip(job))
	}
	s.job = job
	from := ""
	if a.from != "" {
		at, err := s.tickOf(job, a.from)
		if err != nil {
			return err
		}
		from = at.UTC().Format(time.RFC3339)
	}
	path := cli.Query(cli.Path("jobs", job, "next"), "n", strconv.Itoa(a.n), "from", from)
	return showing(s, cli.Call{Path: path}, s.showNexts)
}

// showNexts writes when a job is due.
func (s *session) showNexts(n *admin.Nexts) error {
	var f cli.Facts
	f.Add("job", n.Job)
	f.Add("schedule", strings.TrimSpace(n.Schedule))
	f.Add("zone", n.TimeZone)
	if err := errors.Join(s.view.Facts(f), s.view.Line("")); err != nil {
		return err
	}
	t := cli.Table{Head: []string{"#", "LOCAL", "UTC", "FROM NOW", "RUNS", "NOTE"}, Empty: "no moments: " + n.Reason}
	for i := range n.Items {
		u := &n.Items[i]
		runs := "yes"
		if !u.Runs {
			runs = "no"
		}
		t.Rows = append(t.Rows, []string{
			strconv.Itoa(i + 1), u.Time.Format(wallLayout), u.UTC.Format(time.RFC3339), cli.FromNow(time.Until(u.UTC)), runs, u.Note,
		})
	}
	return s.view.Table(t)
}
