package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

const healthLimit = 5 * time.Second

func healthcheckCommand() *cobra.Command {
	var r remote
	var ready bool
	cmd := r.asking(&cobra.Command{
		Use: "healthcheck", Short: "Ask a replica whether it lives: exit code 0 or 1",
		Long: "For compose files and images without curl. --server may be the listener of the\n" +
			"probes.\n\n",
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := r.open(cmd)
			if err != nil {
				return err
			}
			path := "/livez"
			if ready {
				path = "/readyz"
			}
			ctx, cancel := context.WithTimeoutCause(cmd.Context(), healthLimit, errors.New("no answer within "+healthLimit.String()))
			defer cancel()
			res, err := s.Send(ctx, http.MethodGet, path, nil, "")
			if err != nil {
				return cli.Exit(cli.Failure, err)
			}
			defer res.Body.Close()
			if _, err := io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20)); err != nil {
				return fmt.Errorf("%s: %w", s.Server(), err)
			}
			return nil
		},
	})
	cmd.Flags().BoolVar(&ready, "ready", false, "ask whether it can run jobs, too")
	return cmd
}
