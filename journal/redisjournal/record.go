package redisjournal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/internal/limit"
)

// byShard divides the items 0..n-1 into chunks of one shard each. Within a shard
// their order stays.
func byShard(n int, job func(i int) string) [][]int {
	var of [shards][]int
	for i := range n {
		s := shardOf(job(i))
		of[s] = append(of[s], i)
	}
	var chunks [][]int
	for _, items := range of {
		chunks = slices.AppendSeq(chunks, slices.Chunk(items, chunk))
	}
	return chunks
}

// Record implements scheduler.Archive: one script for at most 128 entries of a
// shard, all in one pipeline. It sends none if one is not acceptable. Beside an
// error that came later stands what is known of the others.
func (j *Journal) Record(ctx context.Context, entries []scheduler.Entry) ([]scheduler.Recorded, error) {
	kept := make([]scheduler.Entry, len(entries))
	for i, e := range entries {
		var err error
		if kept[i], err = limit.Entry(e); err != nil {
			return nil, err
		}
	}
	chunks := byShard(len(kept), func(i int) string { return kept[i].Row.Job })
	calls := make([]*call, len(chunks))
	for n, items := range chunks {
		var err error
		if calls[n], err = j.recordCall(kept, items); err != nil {
			return nil, err
		}
	}
	_ = j.send(ctx, calls...) // each call has its own error
	out := make([]scheduler.Recorded, len(kept))
	var faults []error
	for n, items := range chunks {
		if err := answered(calls[n], items, out); err != nil {
			faults = append(faults, err)
		}
	}
	if len(faults) > 0 {
		return out, fmt.Errorf("recording %d entries: %w", len(entries), faults[0])
	}
	return out, nil
}

// recordCall is the run of record.lua for some entries of one shard.
func (j *Journal) recordCall(entries []scheduler.Entry, items []int) (*call, error) {
	shard := j.keys.of(entries[items[0]].Row.Job)
	keys := append(make([]string, 0, 4+3*len(items)), shard.marks, shard.open, shard.dead, shard.letters)
	for _, i := range items {
		keys = append(keys, shard.lists(entries[i].Row.Job)...)
	}
	c := newCall(j.scripts.record, keys, 3+10*len(items)).with(life, maxOpenText, maxLettersText)
	for _, i := range items {
		e := &entries[i]
		text, err := encodeRow(&e.Row)
		if err != nil {
			return nil, fmt.Errorf("run %q: %w", e.Row.ID, err)
		}
		dead := "-"
		if e.Dead {
			dead = "d"
		}
		c.with(e.Row.Job, e.Row.ID, text, listOf(&e.Row), string(limit.EffectOf(e.Row.Verdict)), dead,
			strconv.FormatInt(limit.Millis(e.Prev), 10), strconv.FormatInt(limit.Millis(e.Upto), 10),
			strconv.Itoa(limit.Keep(e)), strconv.FormatInt(e.Keep.MaxAge.Milliseconds(), 10))
	}
	return c, nil
}

var (
	maxOpenText    = strconv.Itoa(journal.MaxOpen)
	maxLettersText = strconv.Itoa(journal.MaxLetters)
)

// listOf is where record.lua puts a row.
func listOf(r *scheduler.Row) string {
	switch {
	case r.State != scheduler.RunEnded:
		return "o"
	case r.Sort() == scheduler.GoodRuns:
		return "g"
	case r.Sort() == scheduler.NotRun:
		return "n"
	}
	return "x"
}

// answered reads what record.lua says to items into out. It returns the first error.
func answered(c *call, items []int, out []scheduler.Recorded) error {
	answers, err := c.cmd.StringSlice()
	if err != nil {
		return err
	}
	if len(answers) != len(items) {
		return errReply
	}
	for n, i := range items {
		fresh, streak, _ := strings.Cut(answers[n], " ")
		count, err2 := strconv.Atoi(streak)
		switch {
		case strings.HasPrefix(answers[n], "!"):
			err = cmp.Or(err, errors.New(limit.Text(answers[n][1:], limit.Note)))
		case err2 != nil:
			err = cmp.Or(err, errReply)
		default:
			out[i] = scheduler.Recorded{Fresh: fresh == "1", Streak: count}
		}
	}
	return err
}
