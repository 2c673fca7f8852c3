package redislease

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
)

const chunkLimit = 128 // items in one run of a script: some tenths of a millisecond of the server's time

// call is one run of a script over some items of one shard.
type call struct {
	script *script
	items  []int32 // where the items stand in what the caller gave
	args   []any
	cmd    *redis.StringSliceCmd
	err    error
}

// newCall begins a call: its keys, with room for more arguments. Numbers and
// strings are passed by pointer further on, which costs no allocation each; key
// names share one string.
func (s *Store) newCall(script *script, items []int32, room int, key func(int32) string) *call {
	c := &call{script: script, items: items, args: make([]any, 0, 3+len(items)+room)}
	c.args = append(c.args, "evalsha", script.sha, strconv.Itoa(len(items)))
	names := make([]string, len(items))
	ends := make([]int, len(items))
	buf := make([]byte, 0, 64*len(items))
	for n, i := range items {
		buf = s.appendKey(buf, key(i))
		ends[n] = len(buf)
	}
	all, start := string(buf), 0
	for n, end := range ends {
		names[n], start = all[start:end], end
		c.args = append(c.args, &names[n])
	}
	return c
}

// send runs all calls in one pipeline. A server that does not know a script has
// certainly not run it: those calls are sent once more, with the text. Each
// call ends with a reply of the right shape or an error.
func (s *Store) send(ctx context.Context, calls []*call) {
	if ctx.Err() != nil {
		for _, c := range calls {
			c.err = fmt.Errorf("%w: %w", election.ErrNotApplied, context.Cause(ctx))
		}
		return
	}
	s.pipeline(ctx, calls)
	var unknown []*call
	for _, c := range calls {
		if redis.HasErrorPrefix(c.cmd.Err(), "NOSCRIPT") {
			c.args[0], c.args[1] = "eval", c.script.text
			unknown = append(unknown, c)
		}
	}
	if len(unknown) > 0 {
		s.pipeline(ctx, unknown)
	}
	for _, c := range calls {
		c.err = s.verify(c)
	}
}

func (s *Store) pipeline(ctx context.Context, calls []*call) {
	pipe := s.rdb.Pipeline()
	for _, c := range calls {
		c.cmd = redis.NewStringSliceCmd(ctx, c.args...)
		_ = pipe.Process(ctx, c.cmd) // queues only; the outcome is the command's
	}
	_, _ = pipe.Exec(ctx) // the first error of any command; each is asked for its own
}

// verify turns what came back into an error unless it has the right shape.
func (s *Store) verify(c *call) error {
	if err := c.cmd.Err(); err != nil {
		return s.explain(err)
	}
	if got, want := len(c.cmd.Val()), 1+len(c.items)*c.script.width; got != want {
		return fmt.Errorf("redis replied with %d strings instead of %d", got, want)
	}
	if _, err := strconv.ParseInt(c.cmd.Val()[0], 10, 64); err != nil {
		return errors.New("redis replied without its time")
	}
	return nil
}

// each hands the part of the reply that belongs to each item to take, or the
// error of the call to fail.
func (c *call) each(fail func(int32, error), take func(int32, time.Time, []string)) {
	if c.err != nil {
		for _, i := range c.items {
			fail(i, c.err)
		}
		return
	}
	reply := c.cmd.Val()
	ms, _ := strconv.ParseInt(reply[0], 10, 64) // verified
	now := time.UnixMilli(ms).UTC()
	width := c.script.width
	for n, i := range c.items {
		take(i, now, reply[1+n*width:1+(n+1)*width])
	}
}
