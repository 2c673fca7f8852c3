package main

import (
	"fmt"
	"io"
	"net/http"

	"github.com/spf13/cobra"
)

func logsCommand() *cobra.Command {
	var r remote
	var follow bool
	cmd := r.asking(&cobra.Command{
		Use: "logs RUN", Short: "Show what a run printed, whichever replica it ran on",
		Long: "Of a run that printed much the beginning and the end are kept; what is missing\n" +
			"is said in brackets.\n\n",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := r.client()
			if err != nil {
				return err
			}
			place := path("runs", args[0], "log")
			if follow {
				place += "?follow=true"
			}
			res, err := c.send(cmd.Context(), http.MethodGet, place, nil, "")
			if err != nil {
				return err
			}
			defer res.Body.Close()
			if _, err := io.Copy(cmd.OutOrStdout(), res.Body); err != nil && cmd.Context().Err() == nil {
				return fmt.Errorf("%s: %w", c.base, err)
			}
			return nil // whoever interrupts it has seen enough
		},
	})
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on until the run has ended")
	return cmd
}
