package admin

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/solocron/solocron/scheduler"
)

// fact is one line of a story.
type fact struct {
	at   time.Time // zero: now
	text string
}

// lines tells e to people, in the order of time.
func (e *evidence) lines() []string {
	facts := e.due()
	if e.row != nil {
		facts = append(facts, e.ran()...)
	}
	for _, id := range slices.Sorted(maps.Keys(e.seen)) {
		for _, s := range e.seen[id] {
			if text := e.witness(id, s); text != "" {
				facts = append(facts, fact{s.At, text})
			}
		}
	}
	if text := e.present(); text != "" {
		facts = append(facts, fact{text: text})
	}
	slices.SortStableFunc(facts, func(a, b fact) int {
		if a.at.IsZero() || b.at.IsZero() {
			return b2i(a.at.IsZero()) - b2i(b.at.IsZero())
		}
		return a.at.Compare(b.at)
	})
	out := make([]string, len(facts))
	for i, f := range facts {
		out[i] = e.stamp(f.at) + " " + f.text
	}
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// stamp is a moment on the wall of the job's zone, with its date if that is not
// the tick's.
func (e *evidence) stamp(at time.Time) string {
	const clock = "15:04:05.000"
	if at.IsZero() {
		return fmt.Sprintf("%-*s", len(clock), "now")
	}
	at = at.In(e.zone)
	if at.Format(time.DateOnly) == e.tick.In(e.zone).Format(time.DateOnly) {
		return at.Format(clock)
	}
	return at.Format(time.DateOnly + " " + clock)
}

// due is what the schedule says.
func (e *evidence) due() []fact {
	m := e.moment
	word := "due"
	if e.now.Before(e.tick) {
		word = "will be due, in " + e.tick.Sub(e.now).Round(time.Second).String()
	}
	if m.Note != "" {
		word += ": " + m.Note
	}
	if !m.IsTick {
		word = "no moment of the schedule as it is now; it was one before"
	}
	facts := []fact{{e.tick, word}}
	if m.Excluded != "" && !strings.Contains(m.Note, m.Excluded) {
		facts = append(facts, fact{e.tick, "calendar " + m.Excluded + " excludes it"})
	}
	if m.Release.After(e.tick) {
		facts = append(facts, fact{m.Release, "released"})
	}
	return facts
}

// ran is what the row says of attempts and of the end.
func (e *evidence) ran() []fact {
	r := e.row
	var facts []fact
	first := firstAttempt(r)
	for i, t := range r.Tries {
		attempt := max(1, first) + i
		facts = append(facts,
			fact{t.Started, begins(attempt, t.Replica, t.Token, 0)},
			fact{t.Started.Add(t.Took), fmt.Sprintf("attempt %d %s%s; another follows", attempt, words(t.Verdict, ""), colon(t.Error))})
	}
	if r.State != scheduler.RunRetrying && !r.Started.IsZero() {
		facts = append(facts, fact{r.Started, begins(r.Attempt, r.Replica, r.Token, r.Delay)})
	}
	if r.State == scheduler.RunEnded {
		facts = append(facts, fact{r.Ended, verdictLine(r)})
	}
	return facts
}

func begins(attempt int, replica string, token int64, delay time.Duration) string {
	text := fmt.Sprintf("%s begins attempt %d (token %d)", replica, attempt, token)
	if attempt <= 1 {
		text = fmt.Sprintf("won by %s (token %d)", replica, token)
	}
	if delay > 0 {
		text += fmt.Sprintf(", +%d ms", delay.Milliseconds())
	}
	return text
}

// verdictLine is the end of a run, or why there was none.
func verdictLine(r *scheduler.Row) string {
	text := words(r.Verdict, r.Reason)
	if r.Reason == scheduler.ReasonOverlap && r.By != "" {
		text += ", on " + r.By
	}
	switch {
	case r.Attempt > 0 && !r.Started.IsZero() && r.Ended.After(r.Started):
		text += " after " + r.Ended.Sub(r.Started).Round(time.Millisecond).String()
	case r.Replica != "" && r.Attempt == 0:
		text += "; decided by " + r.Replica
	}
	if r.More {
		text += "; so did ticks before it"
	}
	return text + colon(r.Error)
}

func colon(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}
