package scheduler

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/solocron/solocron/jobs"
)

// conclusion is what is to be written when the attempt of row has ended: a row
// that waits for the next attempt, or the end of the run and its consequences.
func (s *Scheduler) conclusion(e *entry, row Row, v Verdict, reason Reason, err error) *note {
	now := s.cfg.Now()
	row.Ended, row.Verdict, row.Reason = now, v, reason
	if err != nil {
		row.Error = short(err.Error(), maxError)
	}
	next := follow(&row, v, err, &e.job)
	if e.gone.Load() { // the job was removed: nothing of it is started any more
		next = sequelNone
	}
	switch next {
	case sequelRetry, sequelAgain:
		crashes, interrupts := tally(row.Tries)
		return retry(e, row, now, next.after(e.job.Retry, row.Attempt-crashes-interrupts, rand.Float64()))
	case sequelDead, sequelNone:
	}
	return end(e, row, next == sequelDead)
}

const (
	maxError    = 160 // bytes of an error in a row
	maxTryError = 60  // and in one of its earlier attempts
)

// phase is what to tell of an attempt that ended as n says.
func (n *note) phase() Phase {
	if n.Row.State == RunRetrying {
		return Retried
	}
	return Ended
}

// maxTries bounds the attempts that a row lists.
const maxTries = 10

// retry is the note that requests another attempt of the run of row, after a pause.
func retry(e *entry, row Row, now time.Time, pause time.Duration) *note {
	tries := append(slices.Clip(row.Tries), Try{
		Replica: row.Replica, Token: row.Token, Started: row.Started, Took: now.Sub(row.Started),
		Verdict: row.Verdict, Error: short(row.Error, maxTryError),
	})
	tries = tries[max(0, len(tries)-maxTries):]
	next := Request{
		ID: retryID(row.ID, row.Attempt+1), Run: row.ID, Job: row.Job, Cause: ByRetry, Tick: row.Tick,
		Of: row.Cause, Params: row.Params, By: row.By, Note: row.Note,
		Made: now, NotBefore: now.Add(pause), Attempt: row.Attempt + 1, Tries: tries,
	}
	row.State, row.Tries = RunRetrying, tries
	return &note{entry: e, Entry: Entry{Row: row}, requests: []Request{next}}
}

// end is the note that a run has ended, with the requests for the jobs that it triggers.
func end(e *entry, row Row, dead bool) *note {
	row.State = RunEnded
	n := &note{entry: e, Entry: Entry{Row: row, Dead: dead}}
	for _, t := range e.job.Triggers {
		if meets(t.Condition, row.Verdict) {
			n.requests = append(n.requests, follower(t, row))
		}
	}
	return n
}

// follower is the request that the end of a run makes for another job. Its ID is
// made of that run's, so that making it again changes nothing.
func follower(t jobs.Trigger, row Row) Request {
	tick := Tick{Job: t.Job, At: row.Tick, Manual: true, Cause: ByDependency, Key: hashKey(row.ID)}
	return Request{
		ID: tick.ID(), Run: tick.ID(), Job: t.Job, Cause: ByDependency, Tick: row.Tick,
		By: row.ID, Made: row.Ended, Attempt: 1,
	}
}

// hashKey shortens a text to 16 digits.
func hashKey(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	const digits = 16
	hex := strconv.FormatUint(h.Sum64(), 16)
	for len(hex) < digits {
		hex = "0" + hex
	}
	return hex
}

func tokenKey(token int64) string { return "token-" + strconv.FormatInt(token, 10) }

// short is text cut to limit bytes at a letter, its first line only.
func short(text string, limit int) string {
	for i, r := range text {
		if r == '\n' || i+len(string(r)) > limit {
			return text[:i]
		}
	}
	return text
}
