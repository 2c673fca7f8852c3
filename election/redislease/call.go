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

const (
	chunkLimit = 128 // items in one run of a script: about a millisecond of the server's time
	replyHead  = 2   // strings before those of the items: the server's time
	argRoom    = 96  // bytes of an argument that are allowed for at first
)

// call is one run of a script over some items of one shard.
type call struct {
	script *script
	items  []int32 // where the items stand in what the caller gave
	args   []any
	cmd    *redis.StringSliceCmd
	err    error
}

// newCall makes a call: the keys of its items, terms if there are any, and what
// item writes for each; n counts the items of the call, i is its place with the caller.
func (s *Store) newCall(script *script, items []int32, key func(i int32) string, terms terms, item func(t *text, n int, i int32)) *call {
	count := 2*len(items) + len(terms.list)
	t := newText(count, argRoom*count)
	for _, i := range items {
		s.writeKey(t, key(i))
		t.end()
	}
	terms.write(t)
	for n, i := range items {
		item(t, n, i)
	}
	return &call{script: script, items: items, args: t.appendTo(script.command(len(items), count))}
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
	s.process(ctx, calls)
	var unknown []*call
	for _, c := range calls {
		if redis.HasErrorPrefix(c.cmd.Err(), "NOSCRIPT") {
			c.args[0], c.args[1] = "eval", c.script.text
			unknown = append(unknown, c)
		}
	}
	if len(unknown) > 0 {
		s.process(ctx, unknown)
	}
	for _, c := range calls {
		c.err = s.verify(c)
	}
}

func (s *Store) process(ctx context.Context, calls []*call) {
	for _, c := range calls {
		c.cmd = redis.NewStringSliceCmd(ctx, c.args...)
	}
	if len(calls) == 1 { // a pipeline of one costs a fifth more
		_ = s.rdb.Process(ctx, calls[0].cmd) // the outcome is the command's
		return
	}
	pipe := s.rdb.Pipeline()
	for _, c := range calls {
		_ = pipe.Process(ctx, c.cmd) // queues only
	}
	_, _ = pipe.Exec(ctx) // the first error of any command; each is asked for its own
}

// verify turns what came back into an error unless it has the right shape.
func (s *Store) verify(c *call) error {
	if err := c.cmd.Err(); err != nil {
		return s.explain(err)
	}
	if got, want := len(c.cmd.Val()), replyHead+len(c.items)*c.script.width; got != want {
		return fmt.Errorf("redis replied with %d strings instead of %d", got, want)
	}
	if _, ok := clock(c.cmd.Val()); !ok {
		return errors.New("redis replied without its time")
	}
	return nil
}

// clock reads the server's time, seconds and microseconds, as whole milliseconds.
func clock(reply []string) (time.Time, bool) {
	seconds, err := strconv.ParseInt(reply[0], 10, 64)
	micros, err2 := strconv.ParseInt(reply[1], 10, 64)
	return time.UnixMilli(1000*seconds + micros/1000).UTC(), err == nil && err2 == nil
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
	now, _ := clock(reply) // verified
	width := c.script.width
	for n, i := range c.items {
		take(i, now, reply[replyHead+n*width:][:width])
	}
}
