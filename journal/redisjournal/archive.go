package redisjournal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/internal/limit"
)

// Open implements scheduler.Archive: at most journal.MaxOpen rows, the oldest
// tick first.
func (j *Journal) Open(ctx context.Context) ([]scheduler.Row, error) {
	pipe := j.rdb.Pipeline()
	var replies [shards]*redis.StringSliceCmd
	for i := range replies {
		replies[i] = pipe.HVals(ctx, j.keys.shard[i].open)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, fmt.Errorf("reading open runs: %w", err)
	}
	var texts []string
	for _, r := range replies {
		texts = append(texts, r.Val()...)
	}
	rows, err := readable(texts, decodeRow)
	if err != nil {
		return nil, fmt.Errorf("reading open runs: %w", err)
	}
	slices.SortFunc(rows, func(a, b scheduler.Row) int { return cmp.Or(a.Tick.Compare(b.Tick), cmp.Compare(a.ID, b.ID)) })
	return rows[:min(len(rows), journal.MaxOpen)], nil
}

// Past implements scheduler.Archive.
func (j *Journal) Past(ctx context.Context, job string, q scheduler.Query) ([]scheduler.Row, error) {
	lists := j.keys.of(job).lists(job)
	if q.Sort != scheduler.AnySort && int(q.Sort) <= len(lists) {
		lists = lists[q.Sort-1 : q.Sort] // in the order of the sorts
	}
	pipe := j.rdb.Pipeline()
	replies := make([]*redis.StringSliceCmd, len(lists))
	for i, list := range lists {
		replies[i] = pipe.LRange(ctx, list, 0, journal.MaxHistory)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, fmt.Errorf("reading the past of job %q: %w", job, err)
	}
	var texts []string
	for _, r := range replies {
		texts = append(texts, r.Val()...)
	}
	rows, err := readable(texts, decodeRow)
	if err != nil {
		return nil, fmt.Errorf("reading the past of job %q: %w", job, err)
	}
	return limit.Select(rows, q), nil
}

// Find implements scheduler.Archive.
func (j *Journal) Find(ctx context.Context, run string) (scheduler.Row, bool, error) {
	job, _, ok := scheduler.JobOf(run)
	if !ok || len(run) > limit.Run {
		return scheduler.Row{}, false, nil
	}
	shard := j.keys.of(job)
	c := newCall(j.scripts.find, append([]string{shard.open, shard.letters}, shard.lists(job)...), 1).with(run)
	err := j.send(ctx, c)
	if errors.Is(err, redis.Nil) {
		return scheduler.Row{}, false, nil
	}
	if err != nil {
		return scheduler.Row{}, false, fmt.Errorf("finding run %q: %w", run, err)
	}
	text, err := c.cmd.Text()
	if err != nil {
		return scheduler.Row{}, false, fmt.Errorf("finding run %q: %w", run, err)
	}
	row, err := decodeRow(text)
	if err != nil {
		return scheduler.Row{}, false, fmt.Errorf("finding run %q: %w", run, err)
	}
	return row, true, nil
}

// Adopt implements scheduler.Archive.
func (j *Journal) Adopt(ctx context.Context, defs []scheduler.Definition) ([]scheduler.Adopted, error) {
	if err := limit.Definitions(defs); err != nil {
		return nil, err
	}
	chunks := byShard(len(defs), func(i int) string { return defs[i].Job })
	calls := make([]*call, len(chunks))
	for n, items := range chunks {
		shard := j.keys.of(defs[items[0]].Job)
		calls[n] = newCall(j.scripts.adopt, []string{shard.defs, shard.marks}, 1+4*len(items)).with(life)
		for _, i := range items {
			calls[n].with(defs[i].Job, defs[i].Def, defs[i].Hash, defs[i].Generation)
		}
	}
	if err := j.send(ctx, calls...); err != nil {
		return nil, fmt.Errorf("adopting %d definitions: %w", len(defs), err)
	}
	out := make([]scheduler.Adopted, len(defs))
	for n, items := range chunks {
		if err := adopted(calls[n], items, out); err != nil {
			return nil, fmt.Errorf("adopting %d definitions: %w", len(defs), err)
		}
	}
	return out, nil
}

// adopted reads what adopt.lua says to items into out.
func adopted(c *call, items []int, out []scheduler.Adopted) error {
	const width = 4
	answers, err := c.cmd.StringSlice()
	if err != nil || len(answers) != width*len(items) {
		return errors.Join(errReply, err)
	}
	for n, i := range items {
		a := answers[n*width:]
		since, err := strconv.ParseInt(a[0], 10, 64)
		epoch, err2 := strconv.ParseInt(a[1], 10, 64)
		told, err3 := strconv.ParseInt(a[2], 10, 64)
		if err := errors.Join(err, err2, err3); err != nil {
			return err
		}
		out[i] = scheduler.Adopted{Since: limit.Moment(since), Epoch: epoch, Told: limit.Moment(told), Superseded: a[3] == "1"}
	}
	return nil
}

// Told implements scheduler.Archive with one HMGET for a shard and 128 jobs.
func (j *Journal) Told(ctx context.Context, jobs []string) ([]time.Time, error) {
	chunks := byShard(len(jobs), func(i int) string { return jobs[i] })
	pipe := j.rdb.Pipeline()
	replies := make([]*redis.SliceCmd, len(chunks))
	for n, items := range chunks {
		names := make([]string, len(items))
		for k, i := range items {
			names[k] = jobs[i]
		}
		replies[n] = pipe.HMGet(ctx, j.keys.of(names[0]).marks, names...)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, fmt.Errorf("reading %d watermarks: %w", len(jobs), err)
	}
	out := make([]time.Time, len(jobs))
	for n, items := range chunks {
		for k, i := range items {
			marks, _ := replies[n].Val()[k].(string)
			told, _, _ := strings.Cut(marks, " ")
			ms, _ := strconv.ParseInt(told, 10, 64) // no marks, or none that record.lua could read: 0
			out[i] = limit.Moment(ms)
		}
	}
	return out, nil
}
