package main

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/guard"
	"github.com/solocron/solocron/telemetry"
)

func serveCommand() *cobra.Command {
	var (
		file string
		set  map[string]string
	)
	cmd := &cobra.Command{
		Use: "serve", Short: "Run one replica",
		Long: "Run one replica until SIGTERM or SIGINT; then its runs get shutdownGrace to\n" +
			"end. A second signal ends the process at once.\n\n" +
			"Settings come from the file, SCHEDULER_* in the environment\n" +
			"(SCHEDULER_REDIS_ADDR), and --set, the last one wins.\n\n" + exitCodesHelp,
		Example: "  scheduler serve -c config.yaml --set redis.addr=redis:6379",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := loadConfig(file, config.Overrides{Env: os.LookupEnv, Flags: set})
			if err != nil {
				return err
			}
			log := slog.New(telemetry.NewHandler(cmd.ErrOrStderr(), cfg.Log.Format, cfg.Log.Level))
			return serve(cmd.Context(), cfg, log)
		},
	}
	cmd.Flags().StringVarP(&file, "config", "c", "config.yaml", "configuration file")
	cmd.Flags().StringToStringVar(&set, "set", nil, "override a setting: key=value, such as admin.listen=127.0.0.1:9000")
	return cmd
}

// serve runs one replica until ctx ends.
func serve(ctx context.Context, cfg *config.Config, log *slog.Logger) (err error) {
	redis.SetLogger(redisLog{log})
	addr := cfg.Redis.Addr
	if addr == config.Embedded {
		m, err := embed()
		if err != nil {
			return err
		}
		defer m.Close()
		addr = m.Addr()
		log.Warn("EMBEDDED REDIS: this process is alone, and forgets everything when it ends; set redis.addr for more than a trial")
	}
	id := daemon.ReplicaID(cfg.Replica)
	b, err := connect(cfg, addr, id)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()

	registry := telemetry.NewRegistry()
	d, err := daemon.New(cfg, daemon.Deps{
		Store: b.store, Members: b.members, Memory: b.memory, Replica: id, Log: log,
		Metrics: telemetry.NewMetrics(registry), MetricsHandler: telemetry.Handler(registry),
	})
	if err != nil {
		return err
	}
	if why := guard.Missing(); why != "" {
		log.Warn("no guard", "why", why)
	}
	log.Info("configured", "replica", id, "namespace", cfg.Namespace, "redis", addr, "jobs", len(cfg.Jobs))
	return d.Run(ctx)
}
