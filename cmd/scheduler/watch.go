package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/scheduler"
)

func watchCommand() *cobra.Command {
	var (
		r       remote
		timeout time.Duration
		follow  bool
	)
	cmd := r.showing(&cobra.Command{
		Use: "watch RUN", Short: "Wait for the end of a run; the exit code is that of the run",
		Long: "Each change is a line. It exits by how the run ended also when that has happened\n" +
			"before.\n\n",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if timeout < 0 {
				return usagef("--timeout %s is negative", timeout)
			}
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			w := &waiting{session: s, run: args[0], timeout: timeout, follow: follow}
			if s.view.Format.ForPeople() {
				w.changed = s.sayChange
			}
			return s.awaitEnd(w)
		},
	})
	cmd.Flags().DurationVar(&timeout, "timeout", 0, "wait no longer than this; exit code 124")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "show what the run prints meanwhile")
	return cmd
}

// sayChange says how far a run is that has not ended.
func (s *session) sayChange(x *admin.Run) {
	if x.State == scheduler.RunEnded || s.view.Live && s.view.Terminal() {
		return // the end is said elsewhere; a terminal has a line that changes
	}
	// Whoever does not read it will not miss it.
	_ = s.view.Line("%s %s", s.view.Moment(time.Now()), progressOf(x))
}
