package limit

import "github.com/solocron/solocron/scheduler"

// Effect is what an ended run does to the streak of failures of its job.
type Effect byte

// The effects.
const (
	Leaves  Effect = '-'
	Resets  Effect = 's'
	Extends Effect = 'f'
)

// EffectOf is the effect of a verdict.
func EffectOf(v scheduler.Verdict) Effect {
	switch v {
	case scheduler.Succeeded:
		return Resets
	case scheduler.Failed, scheduler.TimedOut, scheduler.LeaseLost:
		return Extends
	}
	return Leaves
}

// Keep is how many rows of the sort of e's row its job keeps.
func Keep(e *scheduler.Entry) int {
	if e.Row.Sort() == scheduler.GoodRuns {
		return e.Keep.Succeeded
	}
	return e.Keep.Failed
}
