package notify

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

// ping is what a check is told.
type ping struct {
	url    jobs.Secret
	job    string
	suffix string // of the path: "" is success
	rid    string // of the run, so that its start and its end are known to belong together
	body   string
}

const (
	pingStart = "/start"
	pingFail  = "/fail"
	pingLog   = "/log"
)

// pingOf is what a check is told of e; not ok: nothing.
func pingOf(e scheduler.Event) (p ping, ok bool) {
	p = ping{job: e.Tick.Job, rid: runUUID(cmp.Or(e.Run.ID, e.Tick.ID()))}
	switch e.Phase {
	case scheduler.Started:
		p.suffix = pingStart
		if e.Run.Attempt > 1 {
			p.suffix, p.body = pingLog, fmt.Sprintf("attempt %d begins", e.Run.Attempt)
		}
		return p, true
	case scheduler.Retried:
		p.suffix, p.body = pingLog, fmt.Sprintf("attempt %d: %s; the next in %s", e.Run.Attempt, ending(e), e.Retry)
		return p, true
	case scheduler.Ended:
		p.suffix, ok = pingSuffix(e)
		p.body = ending(e)
		return p, ok
	case scheduler.Yielded, scheduler.Waiting, scheduler.Output, scheduler.Noted, scheduler.Overran:
	}
	return p, false
}

// pingSuffix is how the end of a run or tick is told; not ok: it is not.
func pingSuffix(e scheduler.Event) (suffix string, ok bool) {
	if e.Echo {
		return "", false
	}
	switch e.Verdict {
	case scheduler.Succeeded:
		return "", true
	case scheduler.Failed, scheduler.TimedOut, scheduler.LeaseLost, scheduler.Missed:
		return pingFail, true
	case scheduler.Cancelled, scheduler.Interrupted:
		return pingLog, true
	case scheduler.Skipped:
	}
	return "", false
}

// ending says in words how e ended.
func ending(e scheduler.Event) string {
	text := joined(string(e.Verdict), string(e.Reason))
	if e.Err != nil {
		text += ": " + short(e.Err.Error(), maxError)
	}
	return text
}

// runUUID is a UUID made of the ID of a run.
func runUUID(run string) string {
	const size, version, variant = 16, 0x80, 0x80 // version 8: of our own making
	sum := sha256.Sum256([]byte(run))
	sum[6] = sum[6]&0x0f | version
	sum[8] = sum[8]&0x3f | variant
	h := hex.EncodeToString(sum[:size])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
