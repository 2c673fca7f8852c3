package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/config"
)

func validateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "validate FILE", Short: "Check a configuration file, all of it at once",
		Long: "Check a configuration file. Every fault is one line on stderr, as\n" +
			"file:line:col path message. The environment is not looked at.\n\n" + exitCodesHelp,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := loadConfig(args[0], config.Overrides{})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "ok: %s\n", plural(len(cfg.Jobs), "job"))
			return err
		},
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
