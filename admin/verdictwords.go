package admin

import "github.com/solocron/solocron/scheduler"

// words says a verdict and its reason to people.
func words(v scheduler.Verdict, r scheduler.Reason) string {
	text := verdictWord(v)
	if why := reasonWords(v, r); why != "" {
		text += ": " + why
	}
	return text
}

func verdictWord(v scheduler.Verdict) string {
	if v == scheduler.TimedOut {
		return "timed out"
	}
	return string(v)
}

func reasonWords(v scheduler.Verdict, r scheduler.Reason) string {
	switch r {
	case scheduler.ReasonNone:
		return verdictReason(v)
	case scheduler.ReasonOverlap:
		return "an older run still held the lease"
	case scheduler.ReasonPaused:
		return "the job was paused"
	case scheduler.ReasonExcluded:
		return "a calendar of the job excludes the moment"
	case scheduler.ReasonSuperseded:
		return "a later tick of the job was due too"
	case scheduler.ReasonShadow:
		return "the job is in shadow mode, and would have run"
	case scheduler.ReasonDeadline:
		return "no replica could start it before its starting deadline"
	case scheduler.ReasonStore:
		return "the lease store gave no answer until its starting deadline"
	case scheduler.ReasonUnreplicated:
		return "too few of the lease store's replicas confirmed what it did"
	case scheduler.ReasonCatchup:
		return "the catch-up policy of the job leaves out what came due while nobody was there"
	case scheduler.ReasonDependency:
		return "what it depends on had not happened until its starting deadline"
	case scheduler.ReasonUnrecorded:
		return "nobody lived to say what became of it"
	case scheduler.ReasonReplaced:
		return "a later tick took its place"
	case scheduler.ReasonCrash:
		return "its replica ended without a word, and another found the run"
	case scheduler.ReasonPanic:
		return "the job panicked"
	}
	return string(r)
}

// verdictReason is what a verdict says by itself.
func verdictReason(v scheduler.Verdict) string {
	switch v {
	case scheduler.Interrupted:
		return "its replica shut down before it was done"
	case scheduler.LeaseLost:
		return "its lease ended in mid-run"
	case scheduler.Cancelled:
		return "somebody stopped it"
	case scheduler.Succeeded, scheduler.Failed, scheduler.TimedOut, scheduler.Skipped, scheduler.Missed:
	}
	return ""
}
