package limit

import (
	"fmt"
	"strings"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
)

const (
	maxPause = 366 * 24 * time.Hour
	maxDef   = 100
)

// Request is r as a journal keeps it, begun by nobody, or why it cannot.
func Request(r scheduler.Request) (scheduler.Request, error) {
	switch {
	case r.ID == "" || len(r.ID) > ID:
		return r, fmt.Errorf("request with an id of %d bytes: 1 to %d are allowed", len(r.ID), ID)
	case r.Run == "" || len(r.Run) > Run:
		return r, fmt.Errorf("request %q for a run with an id of %d bytes: 1 to %d are allowed", r.ID, len(r.Run), Run)
	case r.Job == "" || len(r.Job) > Job:
		return r, fmt.Errorf("request %q for a job with a name of %d bytes: 1 to %d are allowed", r.ID, len(r.Job), Job)
	case len(r.Params) > maxParams:
		return r, fmt.Errorf("request %q with %d parameters: at most %d are allowed", r.ID, len(r.Params), maxParams)
	}
	for name, value := range r.Params {
		if len(name) > Word || len(value) > maxParam {
			return r, fmt.Errorf("request %q: parameter %q has %d bytes, at most %d are allowed", r.ID, Text(name, Word), len(value), maxParam)
		}
	}
	r.Cause, r.Of = scheduler.Cause(Text(string(r.Cause), Word)), scheduler.Cause(Text(string(r.Of), Word))
	r.Overlap, r.Tries = Text(r.Overlap, Word), tries(r.Tries)
	r.Tick, r.Made, r.NotBefore = moment(r.Tick), moment(r.Made), moment(r.NotBefore)
	r.By, r.Note, r.Params = Text(r.By, Person), Text(r.Note, Note), params(r.Params)
	r.Attempt, r.Token = min(max(r.Attempt, 0), maxAttempt), 0
	return r, nil
}

// Stop is s as a journal keeps it, or why it cannot.
func Stop(s scheduler.Stop) (scheduler.Stop, error) {
	if s.Run == "" || len(s.Run) > Run {
		return s, fmt.Errorf("stop of a run with an id of %d bytes: 1 to %d are allowed", len(s.Run), Run)
	}
	s.Reason = scheduler.Reason(Text(string(s.Reason), Word))
	s.By, s.Note = Text(s.By, Person), Text(s.Note, Note)
	return s, nil
}

// Begins reports a Begin without a token, or with an ID that no request can have.
func Begins(begins []scheduler.Begin) error {
	for _, b := range begins {
		if b.ID == "" || len(b.ID) > ID || b.Token <= 0 {
			return fmt.Errorf("request %q begun under token %d: it must be above 0, and the id of 1 to %d bytes", Text(b.ID, ID), b.Token, ID)
		}
	}
	return nil
}

// Pause is d in whole milliseconds, at least 0 and at most a year.
func Pause(d time.Duration) time.Duration {
	return min(max(d, 0), maxPause).Round(time.Millisecond)
}

// Definitions reports one that a journal cannot keep.
func Definitions(defs []scheduler.Definition) error {
	for _, d := range defs {
		if d.Job == "" || len(d.Job) > Job || len(d.Def) > maxDef {
			return fmt.Errorf("definition of %d bytes of a job with a name of %d: at most %d, and 1 to %d, are allowed", len(d.Def), len(d.Job), maxDef, Job)
		}
		if len(d.Hash) > maxDef || d.Generation < 0 || d.Generation >= maxGeneration || strings.ContainsAny(d.Def+d.Hash, "\n") {
			return fmt.Errorf("definition of job %q with a hash of %d bytes in generation %d, or with a line break: at most %d, and 0 to 2^53, are allowed", d.Job, len(d.Hash), d.Generation, maxDef)
		}
	}
	return nil
}

// Deed is d within all bounds; now is taken if it names no moment.
func Deed(d journal.Deed, now time.Time) journal.Deed {
	if d.At = moment(d.At); d.At.IsZero() {
		d.At = moment(now)
	}
	d.Who, d.What, d.From = Text(d.Who, Person), Text(d.What, Word), Text(d.From, Person)
	d.Job, d.Run, d.Note = Text(d.Job, Job), Text(d.Run, Run), Text(d.Note, Note)
	return d
}

// Checkpoint reports one that a journal cannot keep.
func Checkpoint(job string, token int64, data []byte) error {
	if job == "" || len(job) > Job || token < 0 {
		return fmt.Errorf("checkpoint under token %d of a job with a name of %d bytes: at least 0, and 1 to %d, are allowed", token, len(job), Job)
	}
	if len(data) > journal.MaxCheckpoint {
		return fmt.Errorf("checkpoint of job %q with %d bytes: at most %d are allowed", job, len(data), journal.MaxCheckpoint)
	}
	return nil
}
