package telemetry

import "github.com/solocron/solocron/scheduler"

// pair is one way for a tick to end, as the labels of ticks_total say it.
type pair struct {
	verdict scheduler.Verdict
	reason  scheduler.Reason
}

// reasonOther stands for a reason this package does not know, so that the set
// of label values stays closed whatever an engine says.
const reasonOther scheduler.Reason = "other"

// pairs is the closed set. The last entry is for everything else.
var pairs = [...]pair{
	{scheduler.Succeeded, scheduler.ReasonNone},
	{scheduler.Failed, scheduler.ReasonNone},
	{scheduler.Failed, scheduler.ReasonPanic},
	{scheduler.TimedOut, scheduler.ReasonNone},
	{scheduler.Cancelled, scheduler.ReasonNone},
	{scheduler.Cancelled, scheduler.ReasonReplaced},
	{scheduler.Interrupted, scheduler.ReasonNone},
	{scheduler.LeaseLost, scheduler.ReasonNone},
	{scheduler.LeaseLost, scheduler.ReasonCrash},
	{scheduler.Skipped, scheduler.ReasonOverlap},
	{scheduler.Skipped, scheduler.ReasonPaused},
	{scheduler.Skipped, scheduler.ReasonExcluded},
	{scheduler.Skipped, scheduler.ReasonSuperseded},
	{scheduler.Skipped, scheduler.ReasonShadow},
	{scheduler.Missed, scheduler.ReasonDeadline},
	{scheduler.Missed, scheduler.ReasonStore},
	{scheduler.Missed, scheduler.ReasonUnreplicated},
	{scheduler.Missed, scheduler.ReasonCatchup},
	{scheduler.Missed, scheduler.ReasonDependency},
	{scheduler.Missed, scheduler.ReasonUnrecorded},
	{"other", reasonOther},
}

// pairOf returns the index in pairs of a verdict and its reason.
func pairOf(v scheduler.Verdict, r scheduler.Reason) int {
	for i, p := range pairs {
		if p.verdict == v && p.reason == r {
			return i
		}
	}
	return len(pairs) - 1
}
