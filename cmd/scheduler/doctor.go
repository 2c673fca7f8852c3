package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/election/redislease/preflight"
)

func doctorCommand() *cobra.Command {
	var d doctor
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check the stores and the host that a replica would stand on",
		Long: "Check what could weaken the promise that a tick runs once: the Redis of the\n" +
			"configuration, what it allows, how fast and how right it is, whether two\n" +
			"connections exclude each other, and this host. Each row says ok, unknown (Redis\n" +
			"does not tell), warn or fail, and what to do. It exits with 1 if a row failed;\n" +
			"with --strict, if one is not ok. It writes one record that is gone after seconds.\n\n" +
			"Every replica does the same once when it starts, and logs what is not ok.\n\n" + exitCodesHelp,
		Example: "  scheduler doctor -c config.yaml --strict",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if d.output != "table" && d.output != "json" {
				return usagef("-o %q is neither table nor json", clip(d.output))
			}
			return d.run(cmd.Context(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVarP(&d.file, "config", "c", "config.yaml", "configuration file")
	cmd.Flags().StringToStringVar(&d.set, "set", nil, "override a setting: key=value, as for serve")
	cmd.Flags().BoolVar(&d.strict, "strict", false, "refuse whatever is not ok")
	cmd.Flags().StringVarP(&d.output, "output", "o", "table", "table or json")
	return cmd
}

// doctor is what the command line asks for.
type doctor struct {
	file   string
	set    map[string]string
	strict bool
	output string
}

func (d *doctor) run(ctx context.Context, out io.Writer) error {
	cfg, err := loadConfig(d.file, config.Overrides{Env: os.LookupEnv, Flags: d.set})
	if err != nil {
		return err
	}
	rows, err := examine(ctx, cfg)
	if err != nil {
		return err
	}
	failed := preflight.Failed(rows, d.strict)
	if d.output == "json" {
		err = cli.WriteJSON(out, map[string]any{"ok": !failed, "strict": d.strict, "rows": rows})
	} else {
		err = showRows(out, rows)
	}
	if err == nil && failed {
		err = errors.New(complaint(rows, d.strict))
	}
	return err
}

// examine makes the preflight of cfg, over connections of its own.
func examine(ctx context.Context, cfg *config.Config) (rows []preflight.Row, err error) {
	redis.SetLogger(redisLog{slog.New(slog.DiscardHandler)})
	if cfg.Redis.Addr == config.Embedded {
		own, end, err := embed(cfg)
		if err != nil {
			return nil, err
		}
		defer end()
		cfg = own
	}
	store, closing, err := openLeases(cfg)
	defer func() { err = errors.Join(err, closing.close()) }()
	if err != nil {
		return nil, err
	}
	return daemon.Preflight(ctx, cfg, store), nil
}

// showRows prints rows as a table, with what to do below each that is not ok.
func showRows(out io.Writer, rows []preflight.Row) error {
	return columns(out, func(w io.Writer) {
		fmt.Fprintln(w, "CHECK\tSTATE\tFOUND")
		for _, r := range rows {
			fmt.Fprintf(w, "%s\t%s\t%s\n", r.Check, r.State, r.Found)
			if r.Fix != "" {
				fmt.Fprintf(w, "\t\t-> %s\n", r.Fix)
			}
		}
	})
}

// complaint says how many rows are not good enough.
func complaint(rows []preflight.Row, strict bool) string {
	n := 0
	for _, r := range rows {
		if preflight.Failed([]preflight.Row{r}, strict) {
			n++
		}
	}
	if strict {
		return plural(n, "check") + " not ok, which --strict refuses"
	}
	return plural(n, "check") + " failed"
}
