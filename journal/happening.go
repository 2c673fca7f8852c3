package journal

import (
	"strings"
	"time"

	"github.com/solocron/solocron/scheduler"
)

// Topic says what a Happening is about.
type Topic string

// The topics.
const (
	AboutRun     Topic = "run"     // a run, or a tick that was not run
	AboutJob     Topic = "job"     // a job was paused or resumed
	AboutLease   Topic = "lease"   // a lease did not go the ordinary way, which the runs tell by their tokens
	AboutReplica Topic = "replica" // a replica came or went
	AboutConfig  Topic = "config"  // a replica has a configuration; Note is its revision
)

// Topics lists all topics.
func Topics() []Topic { return []Topic{AboutRun, AboutJob, AboutLease, AboutReplica, AboutConfig} }

// The phases of happenings. Those of a run are these, and scheduler.Started,
// Retried, Ended and Noted.
const (
	Queued   = "queued"   // a run was requested by By, with Note as the reason; it may arrive after the run's start
	Stopping = "stopping" // a run shall end
	Paused   = "paused"   // a job runs no ticks before Until, or until it is resumed
	Resumed  = "resumed"  // a job runs its ticks again
	Lost     = "lost"     // a lease ended before its run
	Revoked  = "revoked"  // a lease was taken away by By, with Note as the reason
	Overran  = "overran"  // a run goes on although its lease has ended
	Joined   = "joined"   // a replica takes part
	Left     = "left"     // a replica stops in good order
	Gone     = "gone"     // a replica no longer lives, as By sees it; it need not have said that it left
	Loaded   = "loaded"   // a configuration is in use
	// Burst stands for happenings that are not told one by one, as there were too
	// many, or the store took none for too long. Counts says how many of each phase
	// or verdict: who wants to know more must look at the lists.
	Burst = "burst"
)

// Happening is something that happened in the cluster, for people who look. It
// decides nothing. What is not known, or does not apply, is left out.
type Happening struct {
	At      time.Time         `json:"at"` // on the clock of Replica, in whole milliseconds
	Replica string            `json:"replica"`
	Topic   Topic             `json:"type"`
	Phase   string            `json:"phase"`
	Job     string            `json:"job,omitempty"`
	Run     string            `json:"run,omitempty"`
	Tick    time.Time         `json:"tick,omitzero"` // what the run is about
	Cause   scheduler.Cause   `json:"cause,omitempty"`
	Attempt int               `json:"attempt,omitempty"`
	Token   int64             `json:"token,omitempty"`
	Verdict scheduler.Verdict `json:"verdict,omitempty"`
	Reason  scheduler.Reason  `json:"reason,omitempty"`
	By      string            `json:"by,omitempty"`     // who asked; whose run it was, of a lost one; at most 120 bytes
	Note    string            `json:"note,omitempty"`   // at most 120 bytes
	Until   time.Time         `json:"until,omitzero"`   // paused: zero is until it is resumed
	Counts  map[string]int    `json:"counts,omitempty"` // of a burst
}

// Of returns what e is to people who look: nothing, one thing, or two.
func Of(e scheduler.Event) []Happening {
	switch e.Phase {
	case scheduler.Started, scheduler.Retried, scheduler.Noted:
		return []Happening{ofRun(e)}
	case scheduler.Ended:
		if e.Echo && (e.Run.ID == "" || e.Run.Token != 0) { // without a token nobody else speaks of the run
			return nil
		}
		told := []Happening{ofRun(e)}
		if e.Verdict == scheduler.LeaseLost {
			told = append(told, ofLease(e, Lost, ""))
		}
		return told
	case scheduler.Overran:
		return []Happening{ofLease(e, Overran, "the run goes on although its lease has ended")}
	}
	return nil
}

func ofRun(e scheduler.Event) Happening {
	note := e.Note // what a person said comes before what the runner did
	if note == "" && e.Err != nil {
		note = e.Err.Error()
	}
	h := ofLease(e, string(e.Phase), note)
	h.Topic, h.Verdict = AboutRun, e.Verdict
	return h
}

func ofLease(e scheduler.Event, phase, note string) Happening {
	run := e.Run.ID
	if run == "" {
		run = e.Tick.ID()
	}
	by := e.By
	if by == "" {
		by = e.Tick.By
	}
	return Happening{
		At: e.At, Replica: e.Replica, Topic: AboutLease, Phase: phase, Job: e.Tick.Job, Run: run, Tick: e.Tick.At,
		Cause: causeOf(e.Tick), Attempt: e.Run.Attempt, Token: e.Run.Token, Reason: e.Reason, By: by, Note: note,
	}
}

func causeOf(t scheduler.Tick) scheduler.Cause {
	switch {
	case !t.Manual:
		return scheduler.BySchedule
	case t.Cause == "":
		return scheduler.ByHand
	}
	return t.Cause
}

// cut is h within all bounds. It holds on to nothing that is cut off.
func (h Happening) cut() Happening {
	h.At, h.Tick, h.Until = millis(h.At), millis(h.Tick), millis(h.Until)
	h.Topic, h.Phase = Topic(name(string(h.Topic))), name(h.Phase)
	h.Cause, h.Verdict, h.Reason = scheduler.Cause(name(string(h.Cause))), scheduler.Verdict(name(string(h.Verdict))), scheduler.Reason(name(string(h.Reason)))
	h.Replica, h.Job, h.Run = short(h.Replica, maxReplicaID), short(h.Job, maxJobName), short(h.Run, MaxRunID)
	h.By, h.Note = words(h.By), words(h.Note)
	return h
}

// The bounds of the texts of a happening, in bytes.
const (
	maxReplicaID = 300
	maxJobName   = 512
	maxPhase     = 40
)

func millis(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return time.UnixMilli(t.UnixMilli()).UTC()
}

// name is a word of a closed set, nearly always one that need not be copied.
func name(s string) string { return short(s, maxPhase) }

func short(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.Clone(fit(s, limit))
}

// size is about how many bytes h takes.
func (h *Happening) size() int {
	n := 64 + len(h.Replica) + len(h.Phase) + len(h.Job) + len(h.Run) + len(h.Verdict) + len(h.Reason) + len(h.By) + len(h.Note)
	for word := range h.Counts {
		n += len(word) + 8
	}
	return n
}
