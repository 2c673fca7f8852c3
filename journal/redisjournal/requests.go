package redisjournal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/internal/limit"
)

// ask makes a call of a script about the queue.
func (j *Journal) ask(s *script, room int) *call { return newCall(s, j.keys.queue, 1+room).with(life) }

// numbersOf collects the replies of calls that answer each item with a number.
func numbersOf(calls []*call, count int) ([]int64, error) {
	all := make([]int64, 0, count)
	for _, c := range calls {
		part, err := c.cmd.Int64Slice()
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	if len(all) != count {
		return nil, fmt.Errorf("redis answered %d items of %d", len(all), count)
	}
	return all, nil
}

// Put implements scheduler.Requests. It keeps none if one is not acceptable.
func (j *Journal) Put(ctx context.Context, requests []scheduler.Request) ([]bool, error) {
	var calls []*call
	for part := range slices.Chunk(requests, chunk) {
		c := j.ask(j.scripts.put, 1+2*len(part)).with(strconv.Itoa(journal.MaxRequests))
		for _, r := range part {
			r, err := limit.Request(r)
			if err != nil {
				return nil, err
			}
			text, err := encodeRequest(&r)
			if err != nil {
				return nil, fmt.Errorf("request %q: %w", r.ID, err)
			}
			c.with(r.ID, text)
		}
		calls = append(calls, c)
	}
	if err := j.send(ctx, calls...); err != nil {
		return nil, fmt.Errorf("putting %d requests: %w", len(requests), err)
	}
	answers, err := numbersOf(calls, len(requests))
	if err != nil {
		return nil, fmt.Errorf("putting %d requests: %w", len(requests), err)
	}
	fresh := make([]bool, len(answers))
	for i, a := range answers {
		if fresh[i] = a == 1; a > 1 {
			err = journal.ErrFull
		}
	}
	return fresh, err
}

// Begin implements scheduler.Requests.
func (j *Journal) Begin(ctx context.Context, begins []scheduler.Begin) ([]scheduler.Beginning, error) {
	if err := limit.Begins(begins); err != nil {
		return nil, err
	}
	calls := j.onBegins(j.scripts.begin, begins)
	if err := j.send(ctx, calls...); err != nil {
		return nil, fmt.Errorf("beginning %d requests: %w", len(begins), err)
	}
	answers, err := numbersOf(calls, len(begins))
	if err != nil {
		return nil, fmt.Errorf("beginning %d requests: %w", len(begins), err)
	}
	out := make([]scheduler.Beginning, len(answers))
	for i, a := range answers {
		out[i] = [...]scheduler.Beginning{scheduler.Gone, scheduler.Begun, scheduler.Occupied}[min(max(a, 0), 2)]
	}
	return out, nil
}

// onBegins makes the calls of a script about begins.
func (j *Journal) onBegins(s *script, begins []scheduler.Begin, more ...any) []*call {
	var calls []*call
	for part := range slices.Chunk(begins, chunk) {
		c := j.ask(s, len(more)+2*len(part)).with(more...)
		for _, b := range part {
			c.with(b.ID, strconv.FormatInt(b.Token, 10))
		}
		calls = append(calls, c)
	}
	return calls
}

// PutBack implements scheduler.Requests. The NotBefore of a request that was put
// back is the end of the pause.
func (j *Journal) PutBack(ctx context.Context, begins []scheduler.Begin, pause time.Duration) error {
	calls := j.onBegins(j.scripts.putBack, begins, strconv.FormatInt(limit.Pause(pause).Milliseconds(), 10))
	if err := j.send(ctx, calls...); err != nil {
		return fmt.Errorf("putting %d requests back: %w", len(begins), err)
	}
	return nil
}

// Withdraw implements scheduler.Requests. A request that cannot be read is
// withdrawn as well: then an error stands beside true.
func (j *Journal) Withdraw(ctx context.Context, id string) (scheduler.Request, bool, error) {
	c := j.ask(j.scripts.withdraw, 1).with(id)
	err := j.send(ctx, c)
	if errors.Is(err, redis.Nil) {
		return scheduler.Request{}, false, nil
	}
	if err != nil {
		return scheduler.Request{}, false, fmt.Errorf("withdrawing request %q: %w", limit.Text(id, limit.ID), err)
	}
	text, err := c.cmd.Text()
	if err != nil {
		return scheduler.Request{}, false, fmt.Errorf("withdrawing request %q: %w", limit.Text(id, limit.ID), err)
	}
	r, err := decodeRequest(text)
	return r, true, err
}

// Settle implements scheduler.Requests.
func (j *Journal) Settle(ctx context.Context, ids []string) error {
	var calls []*call
	for part := range slices.Chunk(ids, chunk) {
		c := j.ask(j.scripts.settle, len(part))
		for _, id := range part {
			c.with(id)
		}
		calls = append(calls, c)
	}
	if err := j.send(ctx, calls...); err != nil {
		return fmt.Errorf("settling %d requests: %w", len(ids), err)
	}
	return nil
}

// Stop implements scheduler.Requests. The first wish to end a run stands.
func (j *Journal) Stop(ctx context.Context, stop scheduler.Stop) error {
	stop, err := limit.Stop(stop)
	if err != nil {
		return err
	}
	text, err := encodeStop(&stop)
	if err != nil {
		return fmt.Errorf("stop of run %q: %w", stop.Run, err)
	}
	c := j.ask(j.scripts.stop, 3).with(strconv.Itoa(journal.MaxStops), stop.Run, text)
	if err := j.send(ctx, c); err != nil {
		return fmt.Errorf("stop of run %q: %w", stop.Run, err)
	}
	kept, err := c.cmd.Bool()
	if err == nil && !kept {
		err = journal.ErrFull
	}
	return err
}

// Queued implements journal.Journal.
func (j *Journal) Queued(ctx context.Context, most int) ([]scheduler.Request, error) {
	c := j.ask(j.scripts.queued, 1).with(strconv.Itoa(limit.Count(most, journal.MaxQueued)))
	if err := j.send(ctx, c); err != nil {
		return nil, fmt.Errorf("listing requests: %w", err)
	}
	texts, err := c.cmd.StringSlice()
	if err != nil {
		return nil, fmt.Errorf("listing requests: %w", err)
	}
	return readable(texts, decodeRequest)
}
