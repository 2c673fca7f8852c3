package main

import (
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

func whyCommand() *cobra.Command {
	var r remote
	return r.showing(&cobra.Command{
		Use: "why JOB TICK", Short: "Tell what became of a tick, and why",
		Long: "TICK is a moment of the job's schedule: 02:30 (today), 2026-11-29T02:30, both in\n" +
			"the job's zone, or one with an offset such as 2026-11-29T01:30:00Z.\n\n",
		Example: "  scheduler why nightly-report 02:30",
		Args:    args(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			s.job = args[0]
			at, err := s.tickOf(args[0], args[1])
			if err != nil {
				return err
			}
			path := cli.Path("jobs", args[0], "ticks", at.UTC().Format(time.RFC3339Nano))
			return showing(s, cli.Call{Path: path}, s.tell)
		},
	})
}

// tell writes a story for people, whose times are on the wall of the job's zone.
func (s *session) tell(x *admin.Story) error {
	text := x.Job + ", " + x.Tick.Format(wallLayout) + " " + x.TimeZone
	if x.Run != nil {
		text += ", run " + x.Run.ID
	}
	lines := append([]string{text}, x.Story...)
	for _, id := range x.Silent {
		lines = append(lines, id+" lives and gave no answer")
	}
	for _, line := range lines {
		if err := s.view.Line("%s", line); err != nil {
			return err
		}
	}
	return nil
}

var clockOnly = regexp.MustCompile(`^\d\d:\d\d(:\d\d)?$`)

// tickOf reads a moment that somebody typed, on the wall of the zone of job unless it
// has an offset.
func (s *session) tickOf(job, text string) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	var d struct {
		TimeZone string `json:"timeZone"`
	}
	if err := s.get(cli.Path("jobs", job), &d); err != nil {
		return time.Time{}, err
	}
	zone, err := readZone(d.TimeZone)
	if err != nil {
		return time.Time{}, err
	}
	if clockOnly.MatchString(text) {
		text = time.Now().In(zone).Format(time.DateOnly) + "T" + text
	}
	return readTime("time", text, zone)
}
