package limit

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
)

const (
	maxTries   = 10
	maxAttempt = 99_999
	maxParams  = 64
	maxParam   = 1000 // bytes of a value

	defaultCount = 50
	defaultAge   = 30 * 24 * time.Hour
)

// Entry is e as a journal keeps it, or why it cannot.
func Entry(e scheduler.Entry) (scheduler.Entry, error) {
	r := &e.Row
	if r.Job == "" || len(r.Job) > Job {
		return e, fmt.Errorf("entry of a job with a name of %d bytes: 1 to %d are allowed", len(r.Job), Job)
	}
	if r.ID != "" {
		if err := checkRow(r); err != nil {
			return e, fmt.Errorf("run %q of job %q: %w", Text(r.ID, 100), r.Job, err)
		}
	}
	e.Row = Row(e.Row)
	e.Prev, e.Upto = moment(e.Prev), moment(e.Upto)
	e.Keep = history(e.Keep)
	return e, nil
}

// history is h with its defaults, within what a journal keeps.
func history(h jobs.History) jobs.History {
	h.Succeeded = min(cmp.Or(max(h.Succeeded, 0), defaultCount), journal.MaxHistory)
	h.Failed = min(cmp.Or(max(h.Failed, 0), defaultCount), journal.MaxHistory)
	h.MaxAge = cmp.Or(max(h.MaxAge, 0), defaultAge)
	return h
}

func checkRow(r *scheduler.Row) error {
	if len(r.ID) > Run {
		return fmt.Errorf("an id of %d bytes: at most %d are allowed", len(r.ID), Run)
	}
	if job, _, ok := scheduler.JobOf(r.ID); !ok || job != r.Job {
		return errors.New("the id does not name the job")
	}
	switch {
	case r.State == scheduler.RunEnded && r.Verdict == "":
		return errors.New("ended without a verdict")
	case r.State != scheduler.RunEnded && r.State != scheduler.RunRunning && r.State != scheduler.RunRetrying:
		return fmt.Errorf("state %q is not for the record", Text(string(r.State), 20))
	}
	return nil
}

// Row is a copy of r within all bounds.
func Row(r scheduler.Row) scheduler.Row {
	r.Tick, r.Started, r.Ended = moment(r.Tick), moment(r.Started), moment(r.Ended)
	r.Cause, r.Reason = scheduler.Cause(Text(string(r.Cause), Word)), scheduler.Reason(Text(string(r.Reason), Word))
	r.Verdict = scheduler.Verdict(Text(string(r.Verdict), Word))
	r.By, r.Note, r.Key, r.Replica = Text(r.By, ID), Text(r.Note, Note), Text(r.Key, Job), Text(r.Replica, ID)
	r.Error = Text(r.Error, Error)
	r.Attempt = min(max(r.Attempt, 0), maxAttempt)
	r.Params = params(r.Params)
	r.Tries = tries(r.Tries)
	return r
}

// params keeps the first by name of too many.
func params(given map[string]string) map[string]string {
	if len(given) == 0 {
		return nil
	}
	kept := make(map[string]string, min(len(given), maxParams))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if len(kept) == maxParams {
			break
		}
		kept[Text(name, Word)] = Text(given[name], maxParam)
	}
	return kept
}

// tries keeps the last of too many.
func tries(given []scheduler.Try) []scheduler.Try {
	if len(given) == 0 {
		return nil
	}
	kept := slices.Clone(given[max(0, len(given)-maxTries):])
	for i := range kept {
		t := &kept[i]
		t.Replica, t.Error = Text(t.Replica, ID), Text(t.Error, TryError)
		t.Started, t.Verdict = moment(t.Started), scheduler.Verdict(Text(string(t.Verdict), Word))
	}
	return kept
}
