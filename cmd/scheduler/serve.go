package main

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"os"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/guard"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
	"github.com/solocron/solocron/telemetry/tracing"
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
			"Jobs are read again when the file changes and on SIGHUP; a file with a fault\n" +
			"changes nothing.\n\n" +
			"Settings come from the file, SCHEDULER_* in the environment\n" +
			"(SCHEDULER_REDIS_ADDR), and --set, the last one wins.\n\n" + exitCodesHelp,
		Example: "  scheduler serve -c config.yaml --set redis.addr=redis:6379",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if open {
				set = merged(set, "admin.insecureNoAuth", "true")
			}
			read := func() (*config.Config, error) {
				return loadConfig(file, config.Overrides{Env: os.LookupEnv, Flags: set})
			}
			cfg, err := read()
			if err != nil {
				return err
			}
			log := slog.New(telemetry.NewHandler(cmd.ErrOrStderr(), cfg.Log.Format, cfg.Log.Level))
			return serve(cmd.Context(), cfg, file, read, log)
		},
	}
	cmd.Flags().StringVarP(&file, "config", "c", "config.yaml", "configuration file")
	cmd.Flags().StringToStringVar(&set, "set", nil, "override a setting: key=value, such as admin.listen=127.0.0.1:9000")
	cmd.Flags().BoolVar(&open, "insecure-no-auth", false, "let everybody who reaches the API do everything: the same as --set admin.insecureNoAuth=true")
	return cmd
}

// serve runs one replica until ctx ends. File is where cfg was read, and again reads it
// anew.
func serve(ctx context.Context, cfg *config.Config, file string, again daemon.Load, log *slog.Logger) (err error) {
	redis.SetLogger(redisLog{log})
	if cfg.Redis.Addr == config.Embedded {
		own, end, err := embed(cfg)
		if err != nil {
			return err
		}
		defer end()
		cfg, again = own, embedded(own, again)
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
	metrics := telemetry.NewMetrics(registry)
	told, err := alerts(cfg, b, metrics, log.With("replica", id))
	if err != nil {
		return err
	}
	tracer, err := tracing.Open(cfg, id, telemetry.ReadBuild().Version, log.With("replica", id))
	if err != nil {
		return configError{err}
	}
	defer closeTracer(tracer, log)
	d, err := daemon.New(cfg, daemon.Deps{
		Alerts: told, Store: b.store, Members: b.members, Memory: b.memory, Replica: id, Log: log,
		Metrics: metrics, MetricsHandler: telemetry.Handler(registry),
		Observers: []scheduler.Observer{tracer}, Trace: tracer.Runner,
		Kinds: kinds(), File: file, Load: again, Elsewhere: signIn,
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

// embedded is again with the store that cfg has got in this process.
func embedded(cfg *config.Config, again daemon.Load) daemon.Load {
	return func() (*config.Config, error) {
		next, err := again()
		if err == nil && next.Redis.Addr == config.Embedded {
			next.Redis, next.Lease.Store = cfg.Redis, cfg.Lease.Store
		}
		return next, err
	}
}

// tracesGrace is how long the last spans may take on their way.
const tracesGrace = 5 * time.Second

// closeTracer sends the last spans.
func closeTracer(t *tracing.Tracer, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), tracesGrace)
	defer cancel()
	if err := t.Close(ctx); err != nil {
		log.Warn("the last spans were not sent", "err", err)
	}
}

// merged is set with one more value.
func merged(set map[string]string, key, value string) map[string]string {
	all := map[string]string{key: value}
	maps.Copy(all, set)
	return all
}
