package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/config"
)

func validateCommand() *cobra.Command {
	var strict bool
	var wish cli.Wish
	cmd := &cobra.Command{
		Use: "validate FILE…", Short: "Check configuration files, all of each at once",
		Long: "Check configuration files. Every fault is one line on stderr, as\n" +
			"file:line:col path message; what is allowed but hardly meant begins with\n" +
			"warning. The environment is not looked at. With -o json all is on stdout, as the\n" +
			"API has it: valid, and problems with file, line, col, path and message.\n\n" + exitCodesHelp,
		Example: "  scheduler config validate config.yaml\n  scheduler config validate jobs/*.yaml -o jsonl | jq -r .message",
		Args:    args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			view, err := wish.View(cmd.OutOrStdout(), cmd.ErrOrStderr(), os.Getenv, time.Now)
			switch {
			case err != nil:
				return err
			case view.Format == cli.FormatName:
				return usagef("-o name: a problem has no name")
			case !view.Format.ForPeople():
				return report(view, args, strict)
			}
			if len(args) == 1 {
				return validate(cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], "", strict)
			}
			bad := false
			for _, file := range args {
				if err := validate(cmd.OutOrStdout(), cmd.ErrOrStderr(), file, file+": ", strict); err != nil {
					bad = true
					exitCode(err, cmd.ErrOrStderr()) // which says what is wrong
				}
			}
			if bad {
				return cli.Quit(cli.BadConfig)
			}
			return nil
		},
	}
	written(cmd, &wish, cli.FormatJSON, cli.FormatLines, cli.FormatYAML)
	cmd.Flags().BoolVar(&strict, "strict", false, "what is hardly meant is a fault, too")
	return cmd
}

// validate checks one file and says that it is good, after prefix.
func validate(out, errOut io.Writer, file, prefix string, strict bool) error {
	cfg, err := loadConfig(file, config.Overrides{})
	if err != nil {
		return err
	}
	warnings := cfg.Warnings(time.Now())
	for _, w := range warnings {
		fmt.Fprintln(errOut, cli.OneLine(fmt.Sprintf("warning %s:%d %s", file, w.Line, w)))
	}
	if strict && len(warnings) > 0 {
		return configError{errors.New(plural(len(warnings), "warning") + " in " + file + ", which --strict refuses")}
	}
	_, err = fmt.Fprintf(out, "%sok: %s\n", prefix, plural(len(cfg.Jobs), "job"))
	return err
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
