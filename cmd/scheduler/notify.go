package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/guard"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/notify"
	"github.com/solocron/solocron/notify/redisnotify"
	"github.com/solocron/solocron/telemetry"
)

// alerts makes what tells people what becomes of the jobs of cfg, on a connection of
// its own.
func alerts(cfg *config.Config, b *backend, metrics *telemetry.Metrics, log *slog.Logger) (*notify.Notifier, error) {
	rdb, err := b.client(cfg, journalTry)
	if err != nil {
		return nil, err
	}
	store, err := redisnotify.New(redisScripts{rdb}, keyPrefix, cfg.Namespace)
	if err != nil {
		return nil, configError{fmt.Errorf("notify: %w", err)}
	}
	n, err := notify.New(cfg, notify.Deps{Store: store, Archive: b.memory.Journal, Log: log, Meter: noticeMeter{metrics}, Means: notify.Means{Guard: guard.Self()}})
	if err != nil {
		return nil, configError{fmt.Errorf("notify: %w", err)}
	}
	return n, nil
}

// noticeMeter counts messages, and tries that failed.
type noticeMeter struct{ metrics *telemetry.Metrics }

// Sent implements notify.Meter.
func (m noticeMeter) Sent(_ string, n int) { m.count(telemetry.NoticeSent, n) }

// Failed implements notify.Meter.
func (m noticeMeter) Failed(string) { m.count(telemetry.NoticeFailed, 1) }

// Dropped implements notify.Meter.
func (m noticeMeter) Dropped(_ string, n int) { m.count(telemetry.NoticeDropped, n) }

func (m noticeMeter) count(outcome string, n int) {
	for range n {
		m.metrics.Notified(outcome)
	}
}

// redisScripts runs scripts by their digest, and with their text where that is unknown.
type redisScripts struct{ rdb redis.UniversalClient }

// Eval implements redisnotify.Redis.
func (s redisScripts) Eval(ctx context.Context, script string, keys []string, args ...any) (any, error) {
	return redis.NewScript(script).Run(ctx, s.rdb, keys, args...).Result()
}

func notifyGroup() *cobra.Command {
	cmd := group("notify", "Try the channels over which people are told what becomes of jobs")
	cmd.AddCommand(notifyTestCommand())
	return cmd
}

func notifyTestCommand() *cobra.Command {
	var file string
	var set map[string]string
	cmd := &cobra.Command{
		Use: "test CHANNEL", Short: "Send a message over one channel",
		Long: "Send a message over one of notify.channels, from here and at once: with the\n" +
			"secrets that this process finds, without Redis and whatever silence there is. It\n" +
			"is tried once; what the receiver says is the error.\n\n" + exitCodesHelp,
		Example: "  scheduler notify test ops -c config.yaml",
		Args:    args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := loadConfig(file, config.Overrides{Env: os.LookupEnv, Flags: set})
			if err != nil {
				return err
			}
			return testChannel(cmd.Context(), cfg, args[0], cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVarP(&file, "config", "c", "config.yaml", "configuration file")
	cmd.Flags().StringToStringVar(&set, "set", nil, "override a setting: key=value, as for serve")
	return cmd
}

// testChannel sends a message over the channel of that name.
func testChannel(ctx context.Context, cfg *config.Config, name string, out io.Writer) error {
	c, known := cfg.Notify.Channels[name]
	if !known {
		return usagef("%q is no channel%s", clip(name), nearChannel(name, cfg))
	}
	sender, err := notify.NewSender(&c, notify.Means{Guard: guard.Self()})
	if err != nil {
		return configError{fmt.Errorf("channel %q: %w", name, err)}
	}
	now := time.Now()
	host, _ := os.Hostname() // without a name it is a test all the same
	id := strings.ToLower(rand.Text())
	d := &notify.Delivery{ID: id, Try: 1, Messages: []notify.Message{{
		ID: id, Kind: notify.Test, Job: "test", At: now.UTC(), Replica: host, Link: cfg.Notify.Link,
		Error: "nothing is wrong: somebody ran scheduler notify test",
	}}}
	if err := sender.Send(ctx, d); err != nil {
		return fmt.Errorf("channel %q: %w", name, err)
	}
	_, err = fmt.Fprintf(out, "%s took the message in %s\n", name, time.Since(now).Round(time.Millisecond))
	return err
}

// nearChannel says what name may have been meant to be.
func nearChannel(name string, cfg *config.Config) string {
	names := slices.Sorted(maps.Keys(cfg.Notify.Channels))
	if len(names) == 0 {
		return ": there are none below notify.channels"
	}
	if guess := jobs.Nearest(name, names); guess != "" {
		return "; did you mean " + guess + "?"
	}
	return "; there are " + strings.Join(names, ", ")
}
