package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

func replicaGroup() *cobra.Command {
	cmd := group("replica", "Look at the processes of the cluster")
	var r remote
	cmd.AddCommand(r.showing(&cobra.Command{
		Use: "list", Short: "List the replicas that live",
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			var list cli.List
			if err := s.get(cli.Path("replicas"), &list); err != nil {
				return err
			}
			if string(list.More["drift"]) == "true" {
				s.view.Note("the replicas have different configurations")
			}
			return showList(s, &list, s.tableOfReplicas)
		},
	}))
	return cmd
}

func (s *session) tableOfReplicas(list []admin.Replica) cli.Table {
	t := cli.Table{
		Head: []string{"REPLICA", "STATE", "VERSION", "REVISION", "STARTED", "CLOCK", "RUNS", "LAST SEEN", "RUNNING"},
		Wide: 2, Status: 2, Empty: "no replica lives",
	}
	for i := range list {
		x := &list[i]
		t.Rows = append(t.Rows, []string{
			x.ID, x.State, x.Version, x.Revision, s.view.Moment(x.Started), x.ClockOffset, fmt.Sprint(len(x.Running)),
			s.view.Moment(x.LastSeen), strings.Join(x.Running, ","),
		})
	}
	return t
}

func activityGroup() *cobra.Command {
	cmd := group("activity", "Look at what people did")
	var r remote
	var limit int
	list := r.showing(&cobra.Command{
		Use: "list", Short: "List what people did, the latest first",
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			return listing(s, cli.Path("activity"), "limit", limit, s.tableOfDeeds)
		},
	})
	list.Flags().IntVar(&limit, "limit", 50, "how many deeds")
	cmd.AddCommand(list)
	return cmd
}

func (s *session) tableOfDeeds(list []admin.Deed) cli.Table {
	t := cli.Table{Head: []string{"WHEN", "WHO", "WHAT", "ABOUT", "REASON", "FROM", "VIA"}, Wide: 2, Empty: "nothing is remembered"}
	for i := range list {
		d := &list[i]
		about := d.Run
		if about == "" {
			about = d.Job
		}
		t.Rows = append(t.Rows, []string{s.view.Moment(d.At), d.Who, d.What, about, cli.Clip(d.Reason, maxNote), d.From, d.Via})
	}
	return t
}
