package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/scheduler"
)

const (
	// patience is how long the line of a tick waits for all losers to say so.
	patience = time.Second
	// forget is how long a tick that is told stays known, for late words about it.
	forget = time.Minute
	// maxNote is how much of what a run produced is shown, in characters.
	maxNote = 110
)

// board tells for each tick, in one line each, who won it and who lost it, and
// how it ended. It observes all replicas.
type board struct {
	out      io.Writer
	replicas []string
	width    int // of the longest job name

	mu    sync.Mutex
	lines map[string]*line // by the id of the tick
	tally tally
	said  time.Time // when trouble was last shown
}

// line is what the board knows of one tick.
type line struct {
	won   *scheduler.Event
	lost  []string
	note  string // the last word of the run
	ended *scheduler.Event
	since time.Time
	shown bool // who won
	done  bool // all
}

func newBoard(out io.Writer, replicas, jobs []string) *board {
	b := &board{
		out: out, replicas: replicas, width: len("JOB"), lines: map[string]*line{},
		tally: tally{wins: map[string]int{}, verdicts: map[scheduler.Verdict]int{}},
	}
	for _, name := range jobs {
		b.width = max(b.width, len(name))
	}
	b.width = min(b.width, 40)
	return b
}

// Observe takes what one replica says.
func (b *board) Observe(e scheduler.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e.Phase == scheduler.Waiting {
		b.trouble(e)
		return
	}
	l := b.lines[e.Tick.ID()]
	if l == nil {
		l = &line{since: time.Now()}
		b.lines[e.Tick.ID()] = l
	}
	switch e.Phase {
	case scheduler.Started:
		b.tally.started(e, l.won)
		l.won = &e
	case scheduler.Retried:
		b.tell(l, true)
		b.sayEvent(e, retryText(e))
		l.won, l.shown, l.note = nil, false, "" // the next attempt is told like a first one
	case scheduler.Yielded:
		if !slices.Contains(l.lost, e.Replica) {
			l.lost = append(l.lost, e.Replica)
		}
	case scheduler.Output, scheduler.Noted:
		l.note = e.Note
	case scheduler.Ended:
		if !e.Echo {
			b.tally.verdicts[e.Verdict]++
			l.ended = &e
		}
	case scheduler.Waiting:
	}
	b.tell(l, false)
}

// run tells what has waited long enough, until ctx ends; then it tells the rest.
func (b *board) run(ctx context.Context) {
	b.say("TIME", "JOB", "TICK", "WHAT")
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			b.sweep(0)
			return
		case <-ticker.C:
			b.sweep(patience)
		}
	}
}

// sweep tells what is older than age, and forgets what is told.
func (b *board) sweep(age time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, l := range b.lines {
		switch old := time.Since(l.since); {
		case l.done && old > forget, l.won == nil && l.ended == nil && old > forget:
			delete(b.lines, id)
		case old >= age:
			b.tell(l, true)
		}
	}
}

// tell writes what is to be said of l now; late: do not wait for more losers.
func (b *board) tell(l *line, late bool) {
	if l.won != nil && !l.shown && (late || l.won.Tick.Manual || l.won.Run.Attempt > 1 || len(l.lost) == len(b.replicas)-1) {
		l.shown = true
		b.sayEvent(*l.won, winnerText(*l.won, l.lost))
	}
	if l.ended != nil && !l.done && (l.shown || l.won == nil) {
		l.done = true
		b.sayEvent(*l.ended, verdictText(*l.ended, l.note))
	}
}

// trouble tells at most once a second that the store gives no answer.
func (b *board) trouble(e scheduler.Event) {
	if e.Err == nil || time.Since(b.said) < time.Second {
		return
	}
	b.said = time.Now()
	b.sayEvent(e, fmt.Sprintf("%s waits %s: %s", e.Replica, e.Retry.Round(time.Millisecond), plain(e.Err.Error())))
}

func (b *board) sayEvent(e scheduler.Event, what string) {
	b.say(e.At.Local().Format("15:04:05.000"), e.Tick.Job, e.Tick.At.Local().Format("15:04:05"), what)
}

func (b *board) say(at, job, tick, what string) {
	fmt.Fprintf(b.out, "%-12s  %-*s  %-8s  %s\n", at, b.width, job, tick, what)
}

func retryText(e scheduler.Event) string {
	text := fmt.Sprintf("attempt %d %s, the next in %s", e.Run.Attempt, e.Verdict, e.Retry.Round(time.Millisecond))
	if e.Err != nil {
		text += ": " + plain(e.Err.Error())
	}
	return text
}

func winnerText(e scheduler.Event, lost []string) string {
	if e.Run.Attempt > 1 {
		return fmt.Sprintf("attempt %d runs on %s (token %d)", e.Run.Attempt, e.Replica, e.Run.Token)
	}
	if e.Tick.Manual {
		return fmt.Sprintf("%s by %s, runs on %s (token %d)", requestWord(e.Tick.Cause), plain(e.Tick.By), e.Replica, e.Run.Token)
	}
	slices.Sort(lost)
	text := fmt.Sprintf("won by %s (token %d, %s after the tick)", e.Replica, e.Run.Token, e.Delay.Round(time.Millisecond))
	if len(lost) > 0 {
		text += "; lost by " + strings.Join(lost, ", ")
	}
	return text
}

// requestWord says what somebody has asked for.
func requestWord(c scheduler.Cause) string {
	switch c {
	case scheduler.ByRerun:
		return "run again"
	case scheduler.ByBackfill:
		return "backfilled"
	}
	return "triggered"
}

func verdictText(e scheduler.Event, note string) string {
	text := string(e.Verdict)
	if e.Reason != scheduler.ReasonNone {
		text += " (" + string(e.Reason) + ")"
	}
	switch {
	case e.Verdict == scheduler.Skipped && e.Reason == scheduler.ReasonOverlap:
		return fmt.Sprintf("%s: %s still runs an older tick; decided by %s", text, e.By, e.Replica)
	case e.Run.ID == "":
		return fmt.Sprintf("%s: decided by %s", text, e.Replica)
	case e.Run.Replica != e.Replica:
		return fmt.Sprintf("%s: %s ended without a word; found by %s", text, e.By, e.Replica)
	}
	text += " in " + e.Took.Round(time.Millisecond).String()
	if e.Err != nil {
		return text + ": " + plain(e.Err.Error())
	}
	if note != "" {
		text += ": " + plain(note)
	}
	return text
}

// plain is s as one line without control characters, cut to what fits.
func plain(s string) string {
	runes := []rune(cli.OneLine(s))
	if len(runes) > maxNote {
		return string(runes[:maxNote]) + "…"
	}
	return string(runes)
}
