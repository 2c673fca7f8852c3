package notify_test

import (
	"testing"
	"time"

	"github.com/solocron/solocron/notify"
	"github.com/solocron/solocron/scheduler"
)

func TestWhoIsLateIsJudgedByRecordedMoments(t *testing.T) {
	t.Parallel()
	tick := noon()
	at := func(minutes int) time.Time { return tick.Add(time.Duration(minutes) * time.Minute) }
	row := func(state scheduler.RowState, began, ended int, v scheduler.Verdict) *scheduler.Row {
		r := &scheduler.Row{State: state, Verdict: v}
		if began >= 0 {
			r.Started = at(began)
		}
		if ended >= 0 {
			r.Ended = at(ended)
		}
		return r
	}
	again := row(scheduler.RunEnded, 8, 9, scheduler.Succeeded)
	again.Tries = []scheduler.Try{{Started: at(1)}}
	before, after := tick.Add(-time.Hour), tick.Add(time.Minute)
	for name, c := range map[string]struct {
		row           *scheduler.Row
		told          time.Time
		start, finish string // with a deadline of five minutes
	}{
		"nothing is known, and should be":      {nil, before, "late", "late"},
		"the journal is empty":                 {nil, time.Time{}, "in time", "in time"},
		"it is dealt with, the row is gone":    {nil, after, "in time", "in time"},
		"runs since two minutes":               {row(scheduler.RunRunning, 2, -1, ""), before, "in time", "late"},
		"started too late, still runs":         {row(scheduler.RunRunning, 6, -1, ""), before, "late", "late"},
		"succeeded in time":                    {row(scheduler.RunEnded, 1, 4, scheduler.Succeeded), before, "in time", "in time"},
		"succeeded too late":                   {row(scheduler.RunEnded, 1, 6, scheduler.Succeeded), before, "in time", "late but over"},
		"started too late, and succeeded":      {row(scheduler.RunEnded, 6, 7, scheduler.Succeeded), before, "late but over", "late but over"},
		"failed too late":                      {row(scheduler.RunEnded, 1, 6, scheduler.Failed), before, "in time", "in time"},
		"was skipped":                          {row(scheduler.RunEnded, -1, 0, scheduler.Skipped), before, "in time", "in time"},
		"was missed":                           {row(scheduler.RunEnded, -1, 10, scheduler.Missed), before, "in time", "in time"},
		"the first attempt was in time":        {again, before, "in time", "late but over"},
		"waits for its next attempt":           {row(scheduler.RunRetrying, 1, -1, ""), before, "in time", "late"},
		"is requested again and not yet begun": {row(scheduler.RunQueued, -1, -1, ""), before, "late", "late"},
	} {
		for side, want := range map[notify.Side]string{notify.StartSide: c.start, notify.FinishSide: c.finish} {
			if got := notify.JudgeTick(side, c.row, tick, c.told, at(5)); got != want {
				t.Errorf("%s, %s: got %s, want %s", name, side, got, want)
			}
		}
	}
}
