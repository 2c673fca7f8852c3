package main

import (
	"context"
	"errors"
	"log/slog"
	"maps"
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
		open bool
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
			if open {
				set = merged(set, "admin.insecureNoAuth", "true")
			}
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
	cmd.Flags().BoolVar(&open, "insecure-no-auth", false, "let everybody who reaches the API do everything: the same as --set admin.insecureNoAuth=true")
	return cmd
}

// serve runs one replica until ctx ends.
func serve(ctx context.Context, cfg *config.Config, log *slog.Logger) (err error) {
	redis.SetLogger(redisLog{log})
	if cfg.Redis.Addr == config.Embedded {
		own, end, err := embed(cfg)
		if err != nil {
			return err
		}
		defer end()
		cfg = own
		log.Warn("EMBEDDED REDIS: this process is alone, and forgets everything when it ends; set redis.addr for more than a trial")
	}
	id := daemon.ReplicaID(cfg.Replica)
	b, err := connect(cfg, id)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()

	signIn, err := elsewhere(cfg.Admin.OIDC)
	if err != nil {
		return err
	}
	registry := telemetry.NewRegistry()
	d, err := daemon.New(cfg, daemon.Deps{
		Store: b.store, Members: b.members, Memory: b.memory, Replica: id, Log: log,
		Metrics: telemetry.NewMetrics(registry), MetricsHandler: telemetry.Handler(registry),
		Kinds: kinds(), Elsewhere: signIn,
	})
	if err != nil {
		return err
	}
	if why := guard.Missing(); why != "" {
		log.Warn("no guard", "why", why)
	}
	log.Info("configured", "replica", id, "namespace", cfg.Namespace, "redis", where(cfg), "leases", cfg.Lease.Store.String(), "jobs", len(cfg.Jobs))
	return d.Run(ctx)
}

// merged is set with one more value.
func merged(set map[string]string, key, value string) map[string]string {
	all := map[string]string{key: value}
	maps.Copy(all, set)
	return all
}
