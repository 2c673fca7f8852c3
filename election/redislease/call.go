package redislease

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
)

const (
	chunkLimit = 128 // items in one run of a script: about a millisecond of the server's time
	firstKey   = 3   // where the keys stand in the arguments of a call
	replyHead  = 2   // strings before those of the items: the server's time
	keyRoom    = 56  // bytes of a key that are allowed for at first
	termRoom   = 60  // and of a term
)

// call is one run of a script over some items, of one shard in a Cluster.
type call struct {
	script *script
	items  []int32 // where the items stand in what the caller gave
	args   []any
	cmd    *redis.Cmd
	reply  []string // to cmd: the server's time, then the strings of each item
	err    error
	parts  []*call // what it was divided into; its own reply and error mean nothing then

	direct bool  // it went straight to one server, which nobody sends to again by himself
	short  error // why too few replicas have what it wrote; nil: enough have, or nobody asked

	few [firstKey + fewArguments]any // room for args that need not be made
}

// newCall makes a call: the keys of its items, terms if there are any, and what
// item writes for each; n counts the items of the call, i is its place with the caller.
func (s *Store) newCall(script *script, items []int32, key func(i int32) string, terms terms, item func(t *text, n int, i int32)) *call {
	count := 2*len(items) + len(terms.list)
	t := newText(count, len(items)*(keyRoom+script.item)+len(terms.list)*termRoom)
	for _, i := range items {
		s.writeKey(t, key(i))
		t.end()
	}
	terms.write(t)
	for n, i := range items {
		item(t, n, i)
	}
	c := &call{script: script, items: items}
	args := c.few[:0]
	if count > fewArguments {
		args = make([]any, 0, firstKey+count)
	}
	c.args = t.appendTo(script.command(args, len(items)))
	return c
}

// send runs all calls in one pipeline, or in one for each server of a cluster. A
// server that does not know a script has certainly not run it: those calls are sent
// once more, with the text; so are, item by item, those whose keys a server does not
// take together, as it is a cluster by itself. Each call ends with a reply of the right shape or an
// error.
func (s *Store) send(ctx context.Context, calls []*call) { s.sendBy(ctx, calls, s.process) }

// sendBy is send by way of process, which makes the commands of calls and runs them.
func (s *Store) sendBy(ctx context.Context, calls []*call, process func(context.Context, []*call)) {
	if ctx.Err() != nil {
		for _, c := range calls {
			c.err = fmt.Errorf("%w: %w", election.ErrNotApplied, context.Cause(ctx))
		}
		return
	}
	process(ctx, calls)
	if again := s.unrun(calls); len(again) > 0 {
		process(ctx, again)
	}
	for _, c := range calls {
		c.err = s.verify(c)
	}
}

// unrun are the calls to send once more for those that a server has not run.
func (s *Store) unrun(calls []*call) []*call {
	var again []*call
	for _, c := range calls {
		if c.parts != nil || c.cmd.Err() == nil {
			continue
		}
		switch err := c.cmd.Err(); {
		case redis.HasErrorPrefix(err, "NOSCRIPT"):
			c.sendText()
			again = append(again, c)
		case redis.HasErrorPrefix(err, "CROSSSLOT"):
			s.sharded.Store(true) // from here on a call is about one shard
			c.sendText()          // it may not know the script either
			c.parts = c.split()
			again = append(again, c.parts...)
		}
	}
	return again
}

// sendText has c sent with the text of its script from now on.
func (c *call) sendText() { c.args[0], c.args[1] = "eval", c.script.text }

func (s *Store) process(ctx context.Context, calls []*call) {
	if cluster, ok := s.rdb.(*redis.ClusterClient); ok {
		spread(ctx, cluster, calls, pipe)
		return
	}
	pipe(ctx, s.rdb, calls)
}

// pipe runs calls on one server, in one pipeline.
func pipe(ctx context.Context, server redis.UniversalClient, calls []*call) {
	for _, c := range calls {
		c.cmd = redis.NewCmd(ctx, c.args...)
	}
	if len(calls) == 1 { // a pipeline of one costs a fifth more
		_ = server.Process(ctx, calls[0].cmd) // the outcome is the command's
		return
	}
	pipe := server.Pipeline()
	for _, c := range calls {
		_ = pipe.Process(ctx, c.cmd) // queues only
	}
	_, _ = pipe.Exec(ctx) // the first error of any command; each is asked for its own
}

// verify turns what came back into an error unless it has the right shape.
func (s *Store) verify(c *call) error {
	if c.parts != nil {
		for _, part := range c.parts {
			part.err = s.verify(part)
		}
		return nil
	}
	if err := c.cmd.Err(); err != nil {
		return explain(err, s.resends && !c.direct)
	}
	if c.reply = words(c.cmd.Val()); c.reply == nil {
		return errShape
	}
	if got, want := len(c.reply), replyHead+len(c.items)*c.script.width; got != want {
		return fmt.Errorf("redis replied with %d strings instead of %d", got, want)
	}
	if _, ok := clock(c.reply); !ok {
		return errors.New("redis replied without its time")
	}
	return nil
}

// words are the strings of a reply: an array of them, or all in one with line ends
// between, which costs the server less; nil if it is neither.
func words(reply any) []string {
	switch reply := reply.(type) {
	case string:
		return strings.Split(reply, "\n")
	case []any:
		list := make([]string, len(reply))
		for i, word := range reply {
			text, ok := word.(string)
			if !ok {
				return nil
			}
			list[i] = text
		}
		return list
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
	if c.parts != nil {
		for _, part := range c.parts {
			part.each(fail, take)
		}
		return
	}
	if c.err != nil {
		for _, i := range c.items {
			fail(i, c.err)
		}
		return
	}
	now, _ := clock(c.reply) // verified
	width := c.script.width
	for n, i := range c.items {
		take(i, now, c.reply[replyHead+n*width:][:width])
	}
}
