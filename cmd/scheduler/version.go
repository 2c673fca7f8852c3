package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/telemetry"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print which program this is", Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := telemetry.ReadBuild()
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "scheduler %s\nrevision  %s\nbuilt by  %s for %s/%s\n",
				b.Version, b.Revision, b.Go, runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
