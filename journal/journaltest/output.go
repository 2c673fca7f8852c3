package journaltest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/journal"
)

// OpenLogs makes empty Logs.
type OpenLogs func(bounds journal.LogBounds) journal.Logs

const run = "nightly-report.20261129T013000Z"

// RunLogs runs the suite of Logs. In a bubble time is fake.
func RunLogs(t *testing.T, bubble bool, open func(t *testing.T) OpenLogs) {
	t.Helper()
	checks := map[string]func(context.Context, OpenLogs) error{
		"NothingIsKnownOfARunWithoutOutput":   silentRun,
		"WhatWasWrittenIsReadBack":            roundTrip,
		"HeadStaysAndTheRestIsBounded":        headAndTail,
		"SmallChunksFillTheirRoom":            smallChunks,
		"APartSentAgainIsNotKeptTwice":        repeated,
		"ALaterAttemptGoesOnBehindTheEarlier": laterAttempt,
		"AnEarlierAttemptIsRefused":           overtaken,
		"ReadingGoesOnWhereItEnded":           paging,
		"WhatWasNotKeptIsSeenAtTheEnd":        gapAtTheEnd,
		"RunsOfAJobAreBounded":                fewRuns,
		"OutputExpires":                       expiry,
		"ManyPartsAreEachAlone":               manyParts,
	}
	for name, check := range checks {
		t.Run(name, func(t *testing.T) {
			run := func(t *testing.T) {
				if err := check(t.Context(), open(t)); err != nil {
					t.Error(err)
				}
			}
			if bubble {
				synctest.Test(t, run)
				return
			}
			run(t)
		})
	}
}

// text packs lines that are all printed at one moment.
func text(offset int64, lines ...string) journal.Chunk {
	at := time.UnixMilli(1_796_000_000_123).UTC()
	var list []journal.Line
	for _, l := range lines {
		list = append(list, journal.Line{At: at, Stream: "stdout", Text: l})
	}
	return journal.Pack(offset, 1, list)
}

func part(chunks ...journal.Chunk) journal.Part {
	p := journal.Part{Run: run, Writer: journal.Writer{Token: 41, Session: 1}, Chunks: chunks, Keep: 1 << 20}
	if n := len(chunks); n > 0 {
		p.Total = chunks[n-1].End()
	}
	return p
}

func add(ctx context.Context, l journal.Logs, parts ...journal.Part) error {
	for i, err := range l.Append(ctx, parts) {
		if err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
	}
	return nil
}

// read reads everything in pages of limit chunks.
func read(ctx context.Context, l journal.Logs, run string, limit int) (chunks []journal.Chunk, end journal.Cursor, done bool, err error) {
	for pages := 0; ; pages++ {
		page, next, done, err := l.Read(ctx, run, end, limit)
		switch {
		case err != nil:
			return nil, 0, false, err
		case len(page) > limit:
			return nil, 0, false, fmt.Errorf("%d chunks, want at most %d", len(page), limit)
		case next < end, pages > 10_000:
			return nil, 0, false, fmt.Errorf("page %d goes on at %d after %d", pages, next, end)
		}
		chunks, end = append(chunks, page...), next
		if len(page) == 0 || done {
			return chunks, end, done, nil
		}
	}
}

func silentRun(ctx context.Context, open OpenLogs) error {
	chunks, next, done, err := open(journal.LogBounds{}).Read(ctx, run, 0, 10)
	if len(chunks) > 0 || next != 0 || done || err != nil {
		return fmt.Errorf("got %v, %d, %v, %w; want nothing", chunks, next, done, err)
	}
	return nil
}

func roundTrip(ctx context.Context, open OpenLogs) error {
	l := open(journal.LogBounds{})
	at := time.UnixMilli(1_796_000_000_123).UTC()
	want := []journal.Line{
		{At: at, Stream: "stdout", Text: "grüße {x} \x00\r"},
		{At: at, Stream: "stderr", Text: ""},
		{At: at.Add(time.Hour), Stream: "stderr", Text: strings.Repeat("ä", 3000), Open: true},
	}
	chunk := journal.Pack(7, 3, want)
	if err := add(ctx, l, part(chunk)); err != nil {
		return err
	}
	chunks, next, done, err := l.Read(ctx, run, 0, 0)
	if err != nil {
		return err
	}
	if len(chunks) != 1 || next != journal.Cursor(chunk.End()) || done {
		return fmt.Errorf("got %d chunks, next %d, done %v; want 1, %d, false", len(chunks), next, done, chunk.End())
	}
	if got := chunks[0]; got.Offset != 7 || got.Attempt() != 3 || !reflect.DeepEqual(got.Lines(), want) {
		return fmt.Errorf("got %d, attempt %d, %v; want 7, 3, %v", got.Offset, got.Attempt(), got.Lines(), want)
	}
	return nil
}

func repeated(ctx context.Context, open OpenLogs) error {
	l := open(journal.LogBounds{})
	first, second := text(0, "one"), text(6000, strings.Repeat("x", 5000))
	err := errors.Join(add(ctx, l, part(first, second)), add(ctx, l, part(first, second)), add(ctx, l, part(first, second, text(second.End(), "end"))))
	if err != nil {
		return err
	}
	return holds(ctx, l, []int64{0, 6000, second.End()})
}

// holds compares the offsets of the chunks that are kept.
func holds(ctx context.Context, l journal.Logs, want []int64) error {
	chunks, _, _, err := read(ctx, l, run, 3)
	if err != nil {
		return err
	}
	var got []int64
	for _, c := range chunks {
		got = append(got, c.Offset)
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("chunks at %v, want %v", got, want)
	}
	return nil
}

func laterAttempt(ctx context.Context, open OpenLogs) error {
	l := open(journal.LogBounds{})
	first := part(text(0, "one"))
	first.Total, first.Done = 10_000, true // the rest was not kept
	second := part(text(0, "two"))
	second.Writer = journal.Writer{Token: 42, Session: 0}
	third := part(text(0, "three"))
	third.Writer = journal.Writer{Token: 42, Session: 1}
	third.Done = true
	if err := errors.Join(add(ctx, l, first, second), add(ctx, l, second)); err != nil {
		return err
	}
	if _, _, done, err := read(ctx, l, run, 9); done || err != nil {
		return fmt.Errorf("done %v, %w while the second attempt writes", done, err)
	}
	if err := add(ctx, l, third, third); err != nil {
		return err
	}
	_, end, done, err := read(ctx, l, run, 9)
	if end != 10_010 || !done || err != nil {
		return fmt.Errorf("end %d, done %v, %w; want 10010, true", end, done, err)
	}
	return holds(ctx, l, []int64{0, 10_000, 10_004})
}

func overtaken(ctx context.Context, open OpenLogs) error {
	l := open(journal.LogBounds{})
	if err := add(ctx, l, part(text(0, "one"))); err != nil {
		return err
	}
	for _, w := range []journal.Writer{{Token: 40, Session: 9}, {Token: 41, Session: 0}} {
		late := part(text(4, "late"))
		late.Writer = w
		if err := add(ctx, l, late); !errors.Is(err, journal.ErrOvertaken) {
			return fmt.Errorf("writer %v: got %w, want %w", w, err, journal.ErrOvertaken)
		}
	}
	return holds(ctx, l, []int64{0})
}
