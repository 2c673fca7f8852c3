package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/solocron/solocron"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/telemetry"
)

// devGrace is what runs get when dev ends: people wait for it.
const devGrace = 2 * time.Second

// trial is what dev is asked to do.
type trial struct {
	file    string // "": the built-in sample
	listen  string
	length  time.Duration // 0: until it is interrupted
	verbose bool
}

func devCommand() *cobra.Command {
	var t trial
	cmd := &cobra.Command{
		Use: "dev [FILE]", Short: "Try it: three replicas and a Redis in this process, nothing to install",
		Long: "Run three replicas over a Redis inside this process, on the built-in sample or\n" +
			"on FILE, and show who wins each tick. Files go below the current directory.\n" +
			"Ctrl-C ends it, and what Redis held is gone then.",
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				t.file = args[0]
			}
			if t.length < 0 {
				return usagef("--for %s is negative", t.length)
			}
			return t.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().DurationVar(&t.length, "for", 0, "end after this time")
	cmd.Flags().StringVar(&t.listen, "listen", "127.0.0.1:8080", "loopback address of the HTTP API; the next free port if it is taken")
	cmd.Flags().BoolVarP(&t.verbose, "verbose", "v", false, "show the log too, on stderr")
	return cmd
}

func (t trial) run(ctx context.Context, out, errOut io.Writer) (err error) {
	cfg, err := t.config(ctx)
	if err != nil {
		return err
	}
	log := slog.New(slog.DiscardHandler)
	if t.verbose {
		log = slog.New(telemetry.NewHandler(errOut, telemetry.FormatText, cfg.Log.Level))
	}
	redis.SetLogger(redisLog{log})
	cfg, end, err := embed(cfg)
	if err != nil {
		return err
	}
	defer end()
	listener, err := listenNear(t.listen)
	if err != nil {
		return err
	}
	b := newBoard(out, devReplicas, jobNames(cfg))
	f, err := newFleet(cfg, t.source(), log, b)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, f.close()) }()

	url := "http://" + listener.Addr().String()
	began := time.Now()
	t.intro(out, cfg, url)
	err = t.play(ctx, f, b, func(ctx context.Context) error { return f.serve(ctx, listener) })
	t.outro(out, b, began, cfg, url)
	return err
}

// play runs the replicas, the board and the API until ctx ends or the time is over.
func (t trial) play(ctx context.Context, f *fleet, b *board, serve func(context.Context) error) error {
	if t.length > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t.length)
		defer cancel()
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return f.run(ctx) })
	group.Go(func() error { return serve(ctx) })
	group.Go(func() error {
		t.stage(ctx, f)
		return nil
	})
	sweeping, done := context.WithCancel(context.WithoutCancel(ctx)) // the board outlives the replicas
	swept := make(chan struct{})
	go func() {
		defer close(swept)
		b.run(sweeping)
	}()
	err := group.Wait()
	done()
	<-swept
	return err
}

// config reads the file, or the sample with its database made ready, and
// replaces what makes no sense here.
func (t trial) config(ctx context.Context) (*config.Config, error) {
	var cfg *config.Config
	var err error
	if t.file != "" {
		cfg, err = loadConfig(t.file, config.Overrides{})
	} else if cfg, err = config.Parse("built-in sample", solocron.Sample, kinds()); err == nil {
		err = seedDemo(ctx, jobs.Run{})
	}
	if err != nil {
		return nil, err
	}
	cfg.Admin.Listen = "" // one listener for all replicas
	cfg.ShutdownGrace = min(cfg.ShutdownGrace, devGrace)
	return cfg, nil
}

func jobNames(cfg *config.Config) []string {
	names := make([]string, len(cfg.Jobs))
	for i, j := range cfg.Jobs {
		names[i] = j.Name
	}
	return names
}

// showpiece is the job that people are asked to trigger: the first report, or
// else the first job. A configuration has at least one.
func showpiece(cfg *config.Config) string {
	for _, j := range cfg.Jobs {
		if j.Kind == "report" {
			return j.Name
		}
	}
	return cfg.Jobs[0].Name
}

// source says where the jobs come from.
func (t trial) source() string {
	if t.file == "" {
		return "built-in sample"
	}
	return t.file
}

func (t trial) intro(out io.Writer, cfg *config.Config, url string) {
	fmt.Fprintf(out, "page  %s/\n", url)
	fmt.Fprintf(out, "scheduler dev: a Redis and %d replicas in this process; what Redis holds is lost on exit\n", len(devReplicas))
	fmt.Fprintf(out, "  jobs   %s (%s)\n", t.source(), plural(len(cfg.Jobs), "job"))
	fmt.Fprintf(out, "  API    %s/api/v1/jobs   metrics %s/metrics\n", url, url)
	fmt.Fprintf(out, "  try    curl -X POST %s/api/v1/jobs/%s/trigger\n", url, showpiece(cfg))
	fmt.Fprintln(out, "  end    Ctrl-C")
	fmt.Fprintln(out)
}
