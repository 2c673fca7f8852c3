package daemon

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/scheduler"
)

const (
	// settleTime is how long nothing must happen around the file before it is read:
	// one change makes several events, and a file is not written in one piece.
	settleTime = 250 * time.Millisecond
	// fillTime is what a file that is not there, or empty, gets to be written.
	fillTime = time.Second
	// lookTime is between two looks at the file that nothing has asked for.
	lookTime = 30 * time.Second
	// againTime is until a configuration is tried again that the store kept out.
	againTime = 5 * time.Second
)

// reloads is what decides when the configuration is read again.
type reloads struct {
	r    *reloader
	file string
	seen sight // of the last look that was acted on
}

// newReloads returns what reloads the configuration; nil if nothing can read it again.
func newReloads(cfg *config.Config, deps Deps, engine *scheduler.Scheduler, known *configs, log *slog.Logger) *reloads {
	if deps.Load == nil || deps.File == "" {
		return nil
	}
	r := &reloader{
		load: deps.Load, boot: cfg, configs: known, engine: engine, feed: deps.feed(), metrics: deps.Metrics, trace: deps.Trace, hooks: deps.Reloaded, log: log,
	}
	if deps.Members != nil {
		r.members = deps.Members
	}
	return &reloads{r: r, file: deps.File}
}

// run reloads the configuration whenever the file has changed, and on SIGHUP, until
// ctx ends.
func (s *reloads) run(ctx context.Context) {
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	w := newWatch(s.file, s.r.log)
	defer w.close()
	next := time.NewTimer(s.begin())
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-hup:
			s.r.log.Info("SIGHUP: reading the configuration again")
			s.seen = look(s.file)
			next.Reset(s.act(ctx))
		case e := <-w.events():
			if w.concerns(e) {
				next.Reset(settleTime)
			}
		case err := <-w.errors():
			s.r.log.Warn("an event around the configuration file may have been missed", "err", err)
			next.Reset(settleTime)
		case <-next.C:
			next.Reset(s.check(ctx))
			w.follow()
		}
	}
}

// begin returns when to look first: at once if the file has changed since it was read
// at the start.
func (s *reloads) begin() time.Duration {
	now := look(s.file)
	if revision := s.r.configs.current().Revision; revision == "" || !strings.HasPrefix(now.digest, revision) {
		return 0
	}
	s.seen = now
	return lookTime
}

// check reloads the configuration if the file is not what it was, and returns when to
// look again.
func (s *reloads) check(ctx context.Context) time.Duration {
	now := look(s.file)
	if now == s.seen {
		return lookTime
	}
	if now.empty && !s.seen.empty {
		s.seen = sight{empty: true} // one more look, and it is what it is
		return fillTime
	}
	s.seen = now
	return s.act(ctx)
}

// act reloads the configuration, and returns when to look again.
func (s *reloads) act(ctx context.Context) time.Duration {
	if s.r.reload(ctx) == later {
		s.seen = sight{}
		return againTime
	}
	return lookTime
}

// keepUp has the configuration reloaded until undo runs. It waits for nothing: the
// engine takes another configuration when it has begun.
func (d *Daemon) keepUp(ctx context.Context, undo *teardown) {
	if d.reloads == nil {
		return
	}
	watching, stop := context.WithCancel(ctx)
	var watcher sync.WaitGroup
	watcher.Go(func() { d.reloads.run(watching) })
	undo.push("reloads", func(ctx context.Context) error {
		stop()
		return wait(ctx, &watcher)
	})
}
