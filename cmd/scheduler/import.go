package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/config/importer"
)

func importGroup() *cobra.Command {
	cmd := group("import", "Turn what another scheduler runs into a configuration file")
	cmd.AddCommand(importCrontabCommand(), importKubernetesCommand())
	return cmd
}

func importCrontabCommand() *cobra.Command {
	var strict bool
	var o importer.Options
	cmd := &cobra.Command{
		Use: "crontab FILE|-", Short: "Translate a crontab; - reads stdin",
		Long: "Print a configuration file on stdout, and on stderr what was left out or means\n" +
			"something else. Nothing is run.\n\n" + exitCodesHelp,
		Example: "  crontab -l | scheduler config import crontab - --tz Europe/Berlin > jobs.yaml",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Name = args[0]
			if o.Name == "-" {
				o.Name = "crontab -l"
			}
			return translate(cmd, args[0], strict, func(r io.Reader) (importer.Result, error) { return importer.Crontab(r, o) })
		},
	}
	cmd.Flags().BoolVar(&o.System, "system", false, "a user stands before each command, as in /etc/crontab")
	cmd.Flags().StringVar(&o.TimeZone, "tz", "", "zone that cron ran in, an IANA name (default UTC, with a note)")
	strictly(cmd, &strict)
	return cmd
}

func importKubernetesCommand() *cobra.Command {
	var strict bool
	cmd := &cobra.Command{
		Use: "k8s FILE|-", Aliases: []string{"kubernetes"}, Short: "Translate CronJob objects of Kubernetes; - reads stdin",
		Long: "Print a configuration file on stdout, and on stderr what was left out or means\n" +
			"something else.\n\n" + exitCodesHelp,
		Example: "  kubectl get cronjobs -o yaml | scheduler config import k8s - > jobs.yaml",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return translate(cmd, args[0], strict, importer.CronJob)
		},
	}
	strictly(cmd, &strict)
	return cmd
}

func strictly(cmd *cobra.Command, strict *bool) {
	cmd.Flags().BoolVar(strict, "strict", false, "exit code 1 if anything was left out")
}

// translate prints what read makes of a file.
func translate(cmd *cobra.Command, file string, strict bool, read func(io.Reader) (importer.Result, error)) error {
	in := cmd.InOrStdin()
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return configError{err}
		}
		defer f.Close()
		in = f
	}
	result, err := read(in)
	if err != nil {
		return configError{fmt.Errorf("%s: %w", file, err)}
	}
	if _, err := cmd.OutOrStdout().Write(result.YAML); err != nil {
		return err
	}
	for _, n := range result.Notes {
		fmt.Fprintln(cmd.ErrOrStderr(), cli.OneLine(n.String()))
	}
	fmt.Fprintln(cmd.ErrOrStderr(), plural(result.Jobs, "job")+", "+plural(len(result.Notes), "note"))
	if strict && result.Lost() {
		return errors.New("some of it was left out, which --strict refuses")
	}
	return nil
}
