package scheduler

import (
	"fmt"

	"github.com/solocron/solocron/jobs"
)

// The words of Order.Overlap and Request.Overlap, beside those of jobs.Overlap: the
// zero one, which is a policy there, stands for the job's own here.
const (
	overlapOfJob = ""
	overlapSkip  = "skip"
)

// overlapFor is the policy of a request that says word of a job whose own is own.
func overlapFor(word string, own jobs.Overlap) jobs.Overlap {
	switch word {
	case overlapOfJob:
		return own
	case overlapSkip:
		return jobs.SkipOverlap
	}
	return jobs.Overlap(word)
}

// OverlapOf returns the policy of a triggered run of j whose Order.Overlap is word. The
// error matches ErrBadOrder: the run cannot have that.
func OverlapOf(word string, j *jobs.Job) (jobs.Overlap, error) {
	wanted := overlapFor(word, j.Overlap)
	switch wanted {
	case jobs.SkipOverlap, jobs.QueueOverlap, jobs.ReplaceOverlap, jobs.AllowOverlap:
	default:
		return wanted, fmt.Errorf("%w: overlap %.20q is none of skip, queue, replace and allow", ErrBadOrder, word)
	}
	_, syncs := j.Runner.(*jobs.Sync)
	switch {
	case word == overlapOfJob:
		return wanted, nil
	case j.Overlap == jobs.AllowOverlap && wanted != jobs.AllowOverlap:
		return wanted, fmt.Errorf("%w: runs of this job have leases of their own, so that none is in the way of another: overlap can only be allow", ErrBadOrder)
	case wanted == jobs.AllowOverlap && syncs:
		return wanted, fmt.Errorf("%w: two runs of a sync at once would fight over one checkpoint: overlap cannot be allow", ErrBadOrder)
	}
	return wanted, nil
}
