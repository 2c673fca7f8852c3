package redislease

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease/preflight"
)

// Option changes how a Store keeps leases. Wait is one.
type Option interface {
	apply(s *Store, try time.Duration) error
}

// Wait makes a Store wait for the replicas of its server: what fewer than Replicas
// of them have counts as not said, so that one that takes the server's place knows
// of every lease that is believed. Claims, starts, renewals and releases then end
// in a WAIT, on the connection that they were sent on; what people ask for (see
// election.Overseer) does not. The zero Wait waits for nobody.
//
// Replicas is of those that are configured, not of those that happen to be
// connected: all of them, or as many as leave none without the lease that could be
// promoted.
type Wait struct {
	Replicas int           // that must have it, 1 to 100
	Timeout  time.Duration // how long they are waited for: whole milliseconds, shorter than a try, by 100ms and more if one is that long
	AOF      bool          // they, and the server, must have it in their append-only files: WAITAOF, from Redis 7.2 on
}

const maxReplicas = 100

// apply implements Option.
func (w Wait) apply(s *Store, try time.Duration) error {
	if w == (Wait{}) {
		return nil
	}
	if w.Replicas < 1 || w.Replicas > maxReplicas {
		return fmt.Errorf("redis wait for %d replicas: use 1 to %d", w.Replicas, maxReplicas)
	}
	if w.Timeout < time.Millisecond || w.Timeout >= try || w.Timeout%time.Millisecond != 0 {
		return fmt.Errorf("redis wait time-out %s: use whole milliseconds, at least 1ms (0 would wait for ever) and less than the try time-out %s",
			w.Timeout, try)
	}
	s.wait = w
	return nil
}

// wanted is what s waits for, as a preflight sees it.
func (s *Store) wanted() preflight.Wanted {
	return preflight.Wanted{Replicas: s.wait.Replicas, AOF: s.wait.AOF, Timeout: s.wait.Timeout, Try: s.try()}
}

// canWait reads in an INFO whether a server can do what s waits for. Too few replicas
// may become enough, and are a warning; a server without WAITAOF never learns it.
func (s *Store) canWait(facts map[string]string) (warnings []string, err error) {
	for _, r := range preflight.Waits(facts, s.wanted()) {
		switch {
		case r.State == preflight.OK:
		case r.State == preflight.Fail && r.Check == preflight.CheckWaitAOF:
			err = fmt.Errorf("redis cannot wait for append-only files: %s; %s", r.Found, r.Fix)
		default:
			warnings = append(warnings, r.String())
		}
	}
	return warnings, err
}

// command asks what has become of everything written on its connection before.
func (w Wait) command(ctx context.Context) *redis.Cmd {
	if w.AOF {
		return redis.NewCmd(ctx, "waitaof", 1, w.Replicas, w.Timeout.Milliseconds())
	}
	return redis.NewCmd(ctx, "wait", w.Replicas, w.Timeout.Milliseconds())
}

var errNotOnDisk = errors.New("the server does not have it on disk")

// short is what the reply to command comes to: nil if enough replicas have it, else
// an error that matches ErrUnreplicated. The reply is compared with what was
// asked for: a server that gives up waiting answers, too.
func (w Wait) short(cmd *redis.Cmd) error {
	reply, err := cmd.Result()
	if err != nil {
		return fmt.Errorf("%w: %w", election.ErrUnreplicated, err)
	}
	have, onDisk := reply, true
	if w.AOF {
		pair, ok := reply.([]any)
		if !ok || len(pair) != 2 {
			return fmt.Errorf("%w: %w", election.ErrUnreplicated, errShape)
		}
		local, _ := pair[0].(int64)
		have, onDisk = pair[1], local >= 1
	}
	switch n, ok := have.(int64); {
	case !ok:
		return fmt.Errorf("%w: %w", election.ErrUnreplicated, errShape)
	case n < int64(w.Replicas):
		return fmt.Errorf("%w: %d of %d within %s", election.ErrUnreplicated, n, w.Replicas, w.Timeout)
	case !onDisk:
		return fmt.Errorf("%w: %w", election.ErrUnreplicated, errNotOnDisk)
	}
	return nil
}

// replicate is send and, if the replicas are to be waited for, asks after them:
// each call that was answered tells in short whether enough of them have it.
func (s *Store) replicate(ctx context.Context, calls []*call) {
	if s.wait == (Wait{}) {
		s.send(ctx, calls)
		return
	}
	s.sendBy(ctx, calls, s.processAndWait)
}

// processAndWait runs calls, and a WAIT behind those that go to the same server.
// What comes again because the server did not know a script, after a WAIT in vain,
// is not waited for once more: that would take more than a try.
func (s *Store) processAndWait(ctx context.Context, calls []*call) {
	var vain, fresh []*call
	for _, c := range calls {
		if c.short != nil {
			vain = append(vain, c)
		} else {
			fresh = append(fresh, c)
		}
	}
	if len(vain) > 0 {
		s.process(ctx, vain)
	}
	if len(fresh) > 0 {
		s.waitFor(ctx, fresh)
	}
}

func (s *Store) waitFor(ctx context.Context, calls []*call) {
	cluster, ok := s.rdb.(*redis.ClusterClient)
	if !ok {
		s.pipeAndWait(ctx, s.rdb, calls, false)
		return
	}
	spread(ctx, cluster, calls, func(ctx context.Context, server redis.UniversalClient, calls []*call) {
		s.pipeAndWait(ctx, server, calls, false)
		s.redirect(ctx, cluster, calls)
	})
	for _, c := range calls {
		c.stray()
	}
}

// pipeAndWait runs calls and a WAIT on one connection: that is what a pipeline of
// go-redis has, and WAIT on another would be about what was written there. It is no
// transaction, as WAIT does not wait in one. With asking, the slots of calls are on
// their way to server.
func (s *Store) pipeAndWait(ctx context.Context, server redis.UniversalClient, calls []*call, asking bool) {
	pipe := server.Pipeline()
	for _, c := range calls {
		if asking {
			_ = pipe.Process(ctx, redis.NewStatusCmd(ctx, "asking")) // queues only
		}
		c.cmd = redis.NewCmd(ctx, c.args...)
		_ = pipe.Process(ctx, c.cmd)
	}
	wait := s.wait.command(ctx)
	_ = pipe.Process(ctx, wait)
	_, _ = pipe.Exec(ctx) // the first error of any command; each is asked for its own
	short := s.wait.short(wait)
	for _, c := range calls {
		c.short = short
	}
}
