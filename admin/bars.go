package admin

import (
	"slices"
	"strings"
	"time"

	"github.com/solocron/solocron/scheduler"
)

// Bar is an attempt of a run, or a tick that was not run.
type Bar struct {
	Run       string           `json:"run"`
	Job       string           `json:"job"`
	Tick      time.Time        `json:"tick,omitzero"`
	Cause     scheduler.Cause  `json:"cause,omitempty"`
	Replica   string           `json:"replica,omitempty" doc:"That ran it, or that decided that it is not run."`
	Token     int64            `json:"token,omitempty"`
	Attempt   int              `json:"attempt" doc:"0: it was not run."`
	Started   *time.Time       `json:"started" doc:"null: it was not run."`
	Ended     *time.Time       `json:"ended" doc:"Or when it was decided; null: it is on."`
	Status    string           `json:"status" doc:"running, or a verdict."`
	Why       scheduler.Reason `json:"why,omitempty"`
	TakesOver *Predecessor     `json:"takesOver,omitempty" doc:"The attempt whose holder was lost, after which this one came."`
}

// Predecessor is an attempt whose holder was lost.
type Predecessor struct {
	Run     string    `json:"run"`
	Attempt int       `json:"attempt"`
	Replica string    `json:"replica"`
	Token   int64     `json:"token"`
	Ended   time.Time `json:"ended"`
}

// barsOf are the bars of rows that reach into a stretch, the latest if they are too
// many, by when they begin.
func barsOf(rows []scheduler.Row, from, to, now time.Time) (bars []Bar, truncated bool) {
	all := map[string][]Bar{} // by job
	known := map[string]bool{}
	for i := range rows {
		if r := &rows[i]; !known[r.ID] || r.State == scheduler.RunEnded { // one that has ended meanwhile is there twice
			if known[r.ID] {
				all[r.Job] = slices.DeleteFunc(all[r.Job], func(b Bar) bool { return b.Run == r.ID })
			}
			known[r.ID] = true
			all[r.Job] = append(all[r.Job], attemptsOf(r)...)
		}
	}
	bars = []Bar{}
	for _, list := range all {
		slices.SortStableFunc(list, earlierBar)
		succeed(list)
		for i := range list {
			if begin, end := list[i].begin(), list[i].end(now); begin.Before(to) && !end.Before(from) {
				bars = append(bars, list[i])
			}
		}
	}
	slices.SortStableFunc(bars, earlierBar)
	return bars[max(0, len(bars)-maxBars):], len(bars) > maxBars
}

func earlierBar(x, y Bar) int {
	if c := x.begin().Compare(y.begin()); c != 0 {
		return c
	}
	return strings.Compare(x.Run, y.Run)
}

// begin is when b begins, or was decided.
func (b *Bar) begin() time.Time {
	if b.Started != nil {
		return *b.Started
	}
	return *b.Ended
}

// end is when b ends; if it is on, now.
func (b *Bar) end(now time.Time) time.Time {
	if b.Ended == nil {
		return now
	}
	return *b.Ended
}

// attemptsOf are the bars of a row; none if it waits for its first attempt.
func attemptsOf(r *scheduler.Row) []Bar {
	bar := func(replica string, token int64, attempt int, started, ended time.Time, status string) Bar {
		return Bar{
			Run: r.ID, Job: r.Job, Tick: r.Tick.UTC(), Cause: r.Cause, Replica: replica, Token: token, Attempt: attempt,
			Started: pointer(started), Ended: pointer(ended), Status: status,
		}
	}
	var bars []Bar
	for i, t := range r.Tries {
		bars = append(bars, bar(t.Replica, t.Token, max(1, firstAttempt(r))+i, t.Started, t.Started.Add(t.Took), string(t.Verdict)))
	}
	switch {
	case r.State == scheduler.RunRunning && !r.Started.IsZero():
		bars = append(bars, bar(r.Replica, r.Token, r.Attempt, r.Started, time.Time{}, string(scheduler.RunRunning)))
	case r.State == scheduler.RunEnded && !r.Ended.IsZero():
		b := bar(r.Replica, r.Token, r.Attempt, r.Started, r.Ended, string(r.Verdict))
		b.Why = r.Reason
		bars = append(bars, b)
	}
	return bars
}

// pointer is at in UTC; nil if it is zero.
func pointer(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = at.UTC()
	return &at
}

// succeed names in the bars of one job, in the order of time, which of them came after
// one whose holder was lost: the first that was run after it under a higher token.
func succeed(bars []Bar) {
	for i := range bars {
		lost := &bars[i]
		if lost.Status != string(scheduler.LeaseLost) || lost.Started == nil {
			continue
		}
		for j := i + 1; j < len(bars); j++ {
			if next := &bars[j]; next.Started != nil && next.Token > lost.Token {
				next.TakesOver = &Predecessor{lost.Run, lost.Attempt, lost.Replica, lost.Token, *lost.Ended}
				break
			}
		}
	}
}
