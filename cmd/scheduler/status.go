package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

func statusCommand() *cobra.Command {
	var r remote
	var strict bool
	cmd := r.showing(&cobra.Command{
		Use: "status", Short: "Tell how the cluster is, on one screen; exit code 1 if it is not healthy",
		Long: "Healthy is: replicas live, the one that was asked can run jobs, and the store\n" +
			"answers. With --strict also: no job is failing, and all replicas have one\n" +
			"configuration.\n\n",
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			var text json.RawMessage
			if err := s.get(cli.Path("cluster"), &text); err != nil {
				return err
			}
			if err := showRaw(s, text, func(c *admin.Cluster) error { return s.showCluster(c, strict) }); err != nil {
				return err
			}
			var c admin.Cluster
			if err := json.Unmarshal(text, &c); err != nil {
				return fmt.Errorf("%s does not answer as Solocron does: %w", s.Server(), err)
			}
			if len(ailments(&c, strict)) > 0 {
				return cli.Quit(cli.Failure)
			}
			return nil
		},
	})
	cmd.Flags().BoolVar(&strict, "strict", false, "failing jobs and different configurations are not healthy either")
	return cmd
}

// ailments are why a cluster is not healthy.
func ailments(c *admin.Cluster, strict bool) []string {
	var all []string
	if len(c.Replicas) == 0 {
		all = append(all, "no replica is known to live")
	}
	for _, why := range c.Readiness {
		all = append(all, "not ready: "+why)
	}
	switch {
	case c.Store != nil && !c.Store.Answers:
		all = append(all, "the store does not answer: "+c.Store.Trouble)
	case c.Stale:
		all = append(all, "the store gives no answer: this is what the replica remembers")
	}
	if strict && len(c.Failing) > 0 {
		all = append(all, plural(c.States[admin.JobFailing], "job")+" failing")
	}
	if strict && c.Drift {
		all = append(all, "replicas have different configurations")
	}
	return all
}

// showCluster writes how the cluster is.
func (s *session) showCluster(c *admin.Cluster, strict bool) error {
	var f cli.Facts
	f.Add("namespace", c.Namespace)
	wrong := ailments(c, strict)
	if len(wrong) == 0 {
		f.Add("status", "healthy")
	}
	for _, why := range wrong {
		f.Add("status", "unhealthy ("+why+")")
	}
	f.Add("jobs", fmt.Sprintf("%d (%s)", c.Jobs, countsOf(c.States)))
	f.Add("runs", fmt.Sprintf("%d running, %d waiting", c.Running, c.Waiting))
	f.Add("replicas", fmt.Sprintf("%d", len(c.Replicas)))
	f.Add("clocks", "at most "+c.MaxOffset+" from the store's")
	if c.Store != nil {
		f.Add("store", storeOf(c.Store))
	}
	if c.Drift {
		f.Add("configurations", countsOf(c.Revisions))
	}
	if err := s.view.Facts(f); err != nil {
		return err
	}
	if len(c.Failing) == 0 {
		return nil
	}
	t := cli.Table{Head: []string{"FAILING", "STATUS", "RUN", "ENDED", "ERROR"}, Status: 2}
	for i := range c.Failing {
		x := &c.Failing[i]
		t.Rows = append(t.Rows, []string{x.Job, x.Run.Status, x.Run.ID, s.view.Moment(x.Run.Ended), cli.Clip(x.Run.Error, maxNote)})
	}
	if err := s.view.Line(""); err != nil {
		return err
	}
	return s.view.Table(t)
}

func storeOf(x *admin.Store) string {
	text := "answers"
	if !x.Answers {
		text = "does not answer: " + x.Trouble
	}
	if x.Breaker != "" {
		text += ", breaker " + x.Breaker
	}
	return text
}
