package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/config/schema"
)

func configGroup() *cobra.Command {
	cmd := group("config", "Check, compare and import configuration files")
	cmd.AddCommand(validateCommand(), diffCommand(), showConfigCommand(), schemaCommand(), importGroup())
	return cmd
}

func schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON Schema of configuration files, for editors",
		Long: "Print the JSON Schema of configuration files. With it editors complete and check\n" +
			"while a file is written:\n\n" +
			"  scheduler config schema > scheduler.schema.json\n" +
			"  # yaml-language-server: $schema=scheduler.schema.json    (first line of the file)\n\n" + exitCodesHelp,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := schema.For(kinds())
			if err != nil {
				return fmt.Errorf("schema: %w", err)
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
}

func showConfigCommand() *cobra.Command {
	var r remote
	var replica string
	var x inForce
	cmd := r.showing(&cobra.Command{
		Use: "show", Short: "Show which configuration each replica runs by, or a file as it is in force",
		Long: "With --effective no server is asked: the file of -c is written out with what it\n" +
			"leaves out, and with SCHEDULER_* of this environment and --set, as serve would take\n" +
			"it. A comment says where a value is set: the line of the file, its defaults, the\n" +
			"variable or --set; the rest is by default. Secrets are not read, and one that\n" +
			"stands in the file is not shown.\n\n",
		Example: "  scheduler config show\n  scheduler config show --effective -c config.yaml --set lease.ttl=1m",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case x.wanted && replica != "":
				return usagef("--effective is of a file, --replica of the cluster")
			case x.wanted:
				view, err := r.view(cmd)
				if err != nil {
					return err
				}
				return x.show(view)
			}
			if err := x.unused(cmd); err != nil {
				return err
			}
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			return showing(s, cli.Call{Path: cli.Path("config")}, func(c *admin.Config) error { return s.showConfig(c, replica) })
		},
	})
	f := cmd.Flags()
	f.StringVar(&replica, "replica", "", "only this replica, in a table")
	f.BoolVar(&x.wanted, "effective", false, "write the file of -c out with all defaults, as YAML or, with -o json, as JSON")
	f.StringVarP(&x.file, "config", "c", "config.yaml", "configuration file for --effective")
	f.StringToStringVar(&x.set, "set", nil, "override a setting for --effective: key=value")
	return cmd
}

// showConfig writes what is known of configurations.
func (s *session) showConfig(c *admin.Config, replica string) error {
	if c.Stale {
		s.view.Note("the store gives no answer: this may be incomplete")
	}
	for _, problem := range c.Problems {
		s.view.Note("warning: %s", problem)
	}
	if l := c.Loaded; l != nil && replica == "" {
		var f cli.Facts
		f.Add("namespace", l.Namespace)
		f.Add("file", l.File)
		f.Add("revision", l.Revision)
		f.Add("jobs", fmt.Sprint(l.Jobs))
		f.Add("loaded", s.view.Moment(l.At))
		if err := s.view.Facts(f); err != nil {
			return err
		}
		if len(c.Replicas) > 0 {
			if err := s.view.Line(""); err != nil {
				return err
			}
		}
	}
	t := cli.Table{Head: []string{"REPLICA", "REVISION", "VERSION"}, Empty: "no replica tells"}
	for _, x := range c.Replicas {
		if replica == "" || replica == x.Replica {
			t.Rows = append(t.Rows, []string{x.Replica, dash(x.Revision), dash(x.Version)})
		}
	}
	if replica != "" && len(t.Rows) == 0 {
		return cli.Exit(cli.Missing, fmt.Errorf("no replica %q lives", clip(replica)))
	}
	return s.view.Table(t)
}
