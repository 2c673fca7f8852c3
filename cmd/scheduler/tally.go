package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/solocron/solocron/scheduler"
)

// tally counts what the board has seen.
type tally struct {
	wins     map[string]int // ticks run, by replica
	verdicts map[scheduler.Verdict]int
	ticks    int // run
	requests int // run
	twice    int // ticks that ran more than once: there must be none
}

// started counts a run, at its first attempt; before is an earlier run of the same
// tick, if any.
func (t *tally) started(e scheduler.Event, before *scheduler.Event) {
	if e.Run.Attempt > 1 {
		return
	}
	if before != nil {
		t.twice++
	}
	if e.Tick.Manual {
		t.requests++
		return
	}
	t.ticks++
	t.wins[e.Replica]++
}

// summary says what has been seen in all.
func (b *board) summary(out io.Writer, took time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var wins, verdicts []string
	for _, name := range b.replicas {
		wins = append(wins, fmt.Sprintf("%s won %d", name, b.tally.wins[name]))
	}
	for _, v := range scheduler.Verdicts() {
		if n := b.tally.verdicts[v]; n > 0 {
			verdicts = append(verdicts, fmt.Sprintf("%d %s", n, v))
		}
	}
	fmt.Fprintf(out, "%s: %s run (%s)", took.Round(time.Second), plural(b.tally.ticks, "tick"), strings.Join(wins, ", "))
	if b.tally.requests > 0 {
		fmt.Fprintf(out, ", %s", plural(b.tally.requests, "request"))
	}
	fmt.Fprintln(out)
	if len(verdicts) > 0 {
		fmt.Fprintf(out, "verdicts: %s\n", strings.Join(verdicts, ", "))
	}
	if b.tally.twice > 0 {
		fmt.Fprintf(out, "%s RAN TWICE: please report this\n", plural(b.tally.twice, "tick"))
	} else {
		fmt.Fprintln(out, "no tick ran twice")
	}
}
