package journaltest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/solocron/solocron/journal"
)

// bulk writes count chunks of one line of size bytes each, newlines included.
func bulk(ctx context.Context, l journal.Logs, count, size, keep int) error {
	for i := range count {
		p := part(text(int64(i*size), strings.Repeat("x", size-1)))
		p.Keep, p.Done = keep, i == count-1
		if err := add(ctx, l, p); err != nil {
			return err
		}
	}
	return nil
}

func headAndTail(ctx context.Context, open OpenLogs) error {
	l := open(journal.LogBounds{})
	const count, size, keep = 200, 1000, 20_000
	if err := bulk(ctx, l, count, size, keep); err != nil {
		return err
	}
	chunks, end, done, err := read(ctx, l, run, 7)
	if err != nil {
		return err
	}
	if end != count*size || !done {
		return fmt.Errorf("end %d, done %v; want %d, true", end, done, count*size)
	}
	bytes, gaps, at := 0, 0, int64(0)
	for _, c := range chunks {
		if c.Offset != at {
			gaps++
		}
		at = c.End()
		if !c.Head() {
			bytes += len(c.Data)
		}
	}
	if chunks[0].Offset != 0 || chunks[3].End() != 4000 || gaps != 1 {
		return fmt.Errorf("the first chunks are not kept, or %d gaps instead of 1", gaps)
	}
	if bytes > keep || bytes < keep*8/10 {
		return fmt.Errorf("%d bytes behind the head, want up to %d", bytes, keep)
	}
	return nil
}

// smallChunks: a job that prints a line now and then keeps many of them.
func smallChunks(ctx context.Context, open OpenLogs) error {
	l := open(journal.LogBounds{})
	const count, size, keep = 1000, 50, 20_000
	if err := bulk(ctx, l, count, size, keep); err != nil {
		return err
	}
	chunks, _, _, err := read(ctx, l, run, 100)
	if err != nil {
		return err
	}
	tail := 0
	for _, c := range chunks {
		if !c.Head() {
			tail++
		}
	}
	if want := keep / 110; tail < want {
		return fmt.Errorf("%d chunks behind the head, want at least %d", tail, want)
	}
	return nil
}

func paging(ctx context.Context, open OpenLogs) error {
	l := open(journal.LogBounds{})
	if err := bulk(ctx, l, 20, 1000, 1<<20); err != nil {
		return err
	}
	for _, limit := range []int{1, 2, 3, 4, 5, 16, 19, 20, 21} {
		chunks, end, done, err := read(ctx, l, run, limit)
		if err != nil {
			return err
		}
		if len(chunks) != 20 || end != 20_000 || !done {
			return fmt.Errorf("pages of %d: %d chunks up to %d, done %v; want 20, 20000, true", limit, len(chunks), end, done)
		}
		for i, c := range chunks {
			if c.Offset != int64(i*1000) {
				return fmt.Errorf("pages of %d: chunk %d is at %d", limit, i, c.Offset)
			}
		}
	}
	chunks, _, done, err := l.Read(ctx, run, 12_000, 4)
	if err != nil || len(chunks) != 4 || chunks[0].Offset != 12_000 || done {
		return fmt.Errorf("from 12000: %d chunks, done %v, %w", len(chunks), done, err)
	}
	chunks, end, done, err := l.Read(ctx, run, 20_000, 4)
	if err != nil || len(chunks) != 0 || end != 20_000 || !done {
		return fmt.Errorf("at the end: %d chunks, next %d, done %v, %w", len(chunks), end, done, err)
	}
	return nil
}

func gapAtTheEnd(ctx context.Context, open OpenLogs) error {
	l := open(journal.LogBounds{})
	p := part(text(0, "one"))
	p.Keep = 0
	if err := add(ctx, l, p); err != nil {
		return err
	}
	rest := part()
	rest.Total, rest.Done, rest.Keep = 1_000_000, true, 0
	if err := add(ctx, l, rest); err != nil {
		return err
	}
	chunks, next, done, err := l.Read(ctx, run, 0, 9)
	if err != nil || len(chunks) != 1 || chunks[0].End() != 4 || next != 1_000_000 || !done {
		return fmt.Errorf("%d chunks, next %d, done %v, %w; want 1, 1000000, true", len(chunks), next, done, err)
	}
	return nil
}

func fewRuns(ctx context.Context, open OpenLogs) error {
	l := open(journal.LogBounds{Runs: 3})
	name := func(job string, i int) string { return fmt.Sprintf("%s.20261129T01%02d00Z", job, i) }
	for i := range 5 {
		for _, job := range []string{"a", "b"} {
			p := part(text(0, strconv.Itoa(i)), text(5000, strings.Repeat("x", 5000)))
			p.Run = name(job, i)
			if err := add(ctx, l, p); err != nil {
				return err
			}
		}
	}
	for i := range 5 {
		for _, job := range []string{"a", "b"} {
			chunks, _, _, err := l.Read(ctx, name(job, i), 0, 9)
			if err != nil {
				return err
			}
			if kept := len(chunks) == 2; kept != (i >= 2) {
				return fmt.Errorf("run %d of job %s has %d chunks", i, job, len(chunks))
			}
		}
	}
	return nil
}

func expiry(ctx context.Context, open OpenLogs) error {
	l := open(journal.LogBounds{Age: 300 * time.Millisecond})
	chunk := text(0, "one")
	if err := add(ctx, l, part(chunk, text(5000, strings.Repeat("x", 5000)))); err != nil {
		return err
	}
	if err := holds(ctx, l, []int64{0, 5000}); err != nil {
		return err
	}
	err := soon("output is gone", func() bool {
		chunks, _, _, err := l.Read(ctx, run, 0, 9)
		return err == nil && len(chunks) == 0
	})
	if err != nil {
		return err
	}
	// It begins anew, as if there had been nothing.
	if err := add(ctx, l, part(chunk)); err != nil {
		return err
	}
	return holds(ctx, l, []int64{0})
}

func manyParts(ctx context.Context, open OpenLogs) error {
	l := open(journal.LogBounds{})
	var parts []journal.Part
	for i := range 300 {
		p := part(text(0, strconv.Itoa(i)))
		p.Run = fmt.Sprintf("job-%d.20261129T013000Z", i)
		parts = append(parts, p)
	}
	parts[100].Run = ""
	parts[200].Run = strings.Repeat("r", journal.MaxRunID+1)
	errs := l.Append(ctx, parts)
	if len(errs) != len(parts) {
		return fmt.Errorf("%d errors for %d parts", len(errs), len(parts))
	}
	for i, p := range parts {
		if bad := i == 100 || i == 200; bad != (errs[i] != nil) {
			return fmt.Errorf("part %d: %w", i, errs[i])
		} else if bad {
			continue
		}
		chunks, _, _, err := l.Read(ctx, p.Run, 0, 9)
		if err != nil || len(chunks) != 1 || chunks[0].Lines()[0].Text != strconv.Itoa(i) {
			return fmt.Errorf("run %s: %v, %w", p.Run, chunks, err)
		}
	}
	return nil
}
