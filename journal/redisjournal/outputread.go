package redisjournal

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/journal"
)

// Read implements journal.Logs with one round trip. The state is read before the
// stream: if it says that the run has ended, the stream is complete.
func (l *Logs) Read(ctx context.Context, run string, from journal.Cursor, limit int) (chunks []journal.Chunk, next journal.Cursor, done bool, err error) {
	if run == "" || len(run) > journal.MaxRunID {
		return nil, from, false, fmt.Errorf("run id of %d bytes: 1 to %d are allowed", len(run), journal.MaxRunID)
	}
	from = max(from, 0)
	if limit <= 0 || limit > journal.MaxRead {
		limit = journal.MaxRead
	}
	keys := l.keys(run)
	pipe := l.rdb.Pipeline()
	state := readState(ctx, pipe, keys.state, from)
	tail := pipe.XRangeN(ctx, keys.tail, strconv.FormatInt(int64(from), 10), "+", int64(limit))
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, from, false, fmt.Errorf("reading the output of run %q: %w", run, err)
	}
	fields := state()
	rest, reached := tails(tail.Val(), from)
	chunks = append(heads(fields, from), rest...)
	if len(chunks) > limit { // of the head and the stream each had the right to limit
		chunks = chunks[:limit]
		return chunks, journal.Cursor(chunks[limit-1].End()), false, nil
	}
	next = reached
	if n := len(chunks); n > 0 {
		next = max(next, journal.Cursor(chunks[n-1].End()))
	}
	if fields["d"] != "1" || len(tail.Val()) == limit {
		return chunks, next, false, nil
	}
	total, _ := strconv.ParseInt(fields["t"], 10, 64) // 0 does no harm
	return chunks, max(next, journal.Cursor(total)), true, nil
}

// readState asks for the state of a run, and for the head if from lies in it.
func readState(ctx context.Context, pipe redis.Pipeliner, key string, from journal.Cursor) func() map[string]string {
	if from < journal.HeadLimit {
		return pipe.HGetAll(ctx, key).Val
	}
	got := pipe.HMGet(ctx, key, "d", "t")
	return func() map[string]string {
		fields := make(map[string]string, 2)
		for i, name := range []string{"d", "t"} {
			if i < len(got.Val()) {
				fields[name], _ = got.Val()[i].(string) // nil: there is none
			}
		}
		return fields
	}
}

// heads are the chunks of the head: the fields whose names are offsets.
func heads(fields map[string]string, from journal.Cursor) []journal.Chunk {
	var chunks []journal.Chunk
	for name, data := range fields {
		offset, err := strconv.ParseInt(name, 10, 64)
		if err != nil || offset < int64(from) {
			continue
		}
		if c := (journal.Chunk{Offset: offset, Data: []byte(data)}); c.Valid() && c.Head() {
			chunks = append(chunks, c)
		}
	}
	slices.SortFunc(chunks, func(a, b journal.Chunk) int { return cmp.Compare(a.Offset, b.Offset) })
	return chunks
}

// tails are the chunks of a stream, and how far it was read. What cannot be a
// chunk is left out.
func tails(entries []redis.XMessage, from journal.Cursor) (chunks []journal.Chunk, reached journal.Cursor) {
	reached = from
	for _, e := range entries {
		at, _, _ := strings.Cut(e.ID, "-")
		offset, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			continue
		}
		reached = max(reached, journal.Cursor(offset)+1)
		data, _ := e.Values["d"].(string)
		if c := (journal.Chunk{Offset: offset, Data: []byte(data)}); c.Valid() {
			chunks = append(chunks, c)
		}
	}
	return chunks, reached
}
