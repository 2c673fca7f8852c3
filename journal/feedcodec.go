package journal

import (
	"encoding/json"
	"time"

	"github.com/solocron/solocron/scheduler"
)

// maxTold is how many happenings of one batch are read.
const maxTold = 1000

// Told is a happening with its place. Text is both as JSON: the members of a
// Happening and id. Neither may be changed: others have it too.
type Told struct {
	Place Place
	Happening
	Text []byte
}

// packed is a batch as it is kept. What a reader can tell from the rest is left
// out: the replica of those that are about the one that wrote it, and the job and
// the tick that the ID of a run names.
type packed struct {
	Replica string `json:"r"`
	Told    []mini `json:"h"`
}

type mini struct {
	At      int64          `json:"a"`
	Replica string         `json:"r,omitempty"`
	Topic   Topic          `json:"t"`
	Phase   string         `json:"p"`
	Job     string         `json:"j,omitempty"`
	Run     string         `json:"i,omitempty"`
	Tick    int64          `json:"m,omitempty"`
	Cause   string         `json:"c,omitempty"`
	Attempt int            `json:"n,omitempty"`
	Token   int64          `json:"k,omitempty"`
	Verdict string         `json:"v,omitempty"`
	Reason  string         `json:"w,omitempty"`
	By      string         `json:"b,omitempty"`
	Note    string         `json:"x,omitempty"`
	Until   int64          `json:"u,omitempty"`
	Counts  map[string]int `json:"s,omitempty"`
}

// bySchedule stands for the cause of nearly all.
const bySchedule = "s"

// pack makes a batch of happenings of replica.
func pack(replica string, list []Happening) ([]byte, error) {
	p := packed{Replica: replica, Told: make([]mini, len(list))}
	for i := range list {
		p.Told[i] = shrink(&list[i], replica)
	}
	return json.Marshal(p)
}

func shrink(h *Happening, replica string) mini {
	m := mini{
		At: stamp(h.At), Topic: h.Topic, Phase: h.Phase, Run: h.Run, Cause: string(h.Cause), Attempt: h.Attempt, Token: h.Token,
		Verdict: string(h.Verdict), Reason: string(h.Reason), By: h.By, Note: h.Note, Until: stamp(h.Until), Counts: h.Counts,
	}
	if h.Replica != replica {
		m.Replica = h.Replica
	}
	if h.Cause == scheduler.BySchedule {
		m.Cause = bySchedule
	}
	job, tick, ok := scheduler.JobOf(h.Run)
	if !ok || job != h.Job {
		m.Job = h.Job
	}
	if !ok || !tick.Equal(h.Tick) {
		m.Tick = stamp(h.Tick)
	}
	return m
}

// unpack returns what a batch tells, each with its place; nothing of one that
// cannot be read, as a newer version may write it.
func unpack(b Batch) []Told {
	var p packed
	if len(b.Data) > MaxBatch || json.Unmarshal(b.Data, &p) != nil {
		return nil
	}
	list := make([]Told, 0, min(len(p.Told), maxTold))
	for i := range p.Told[:min(len(p.Told), maxTold)] {
		place := Place{b.ID, i}
		h := p.Told[i].grow(p.Replica).cut()
		text, err := json.Marshal(struct {
			ID string `json:"id"`
			Happening
		}{place.String(), h})
		if err == nil { // it cannot be otherwise but for a year beyond 9999
			list = append(list, Told{place, h, text})
		}
	}
	return list
}

func (m *mini) grow(replica string) Happening {
	h := Happening{
		At: moment(m.At), Replica: m.Replica, Topic: m.Topic, Phase: m.Phase, Job: m.Job, Run: m.Run, Tick: moment(m.Tick),
		Cause: scheduler.Cause(m.Cause), Attempt: m.Attempt, Token: m.Token, Verdict: scheduler.Verdict(m.Verdict),
		Reason: scheduler.Reason(m.Reason), By: m.By, Note: m.Note, Until: moment(m.Until), Counts: m.Counts,
	}
	if h.Replica == "" {
		h.Replica = replica
	}
	if h.Cause == bySchedule {
		h.Cause = scheduler.BySchedule
	}
	if job, tick, ok := scheduler.JobOf(h.Run); ok {
		if h.Job == "" {
			h.Job = job
		}
		if h.Tick.IsZero() {
			h.Tick = tick
		}
	}
	return h
}

// stamp is t in milliseconds since 1970; 0 for the zero time.
func stamp(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// maxStamp is the last moment that is read, in the year 2286.
const maxStamp = 9_999_999_999_999

func moment(ms int64) time.Time {
	if ms <= 0 || ms > maxStamp {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
