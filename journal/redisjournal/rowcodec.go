package redisjournal

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal/internal/limit"
)

// Where the parts of a row stand: see history.lua, whose places count from 1.
const (
	rowVersion = '1'
	rowHead    = 45
	maxRow     = 1 << 20
)

var errRow = errors.New("not a row of this version")

// states are how far a run is, in one letter.
var states = map[scheduler.RowState]byte{scheduler.RunRunning: 'r', scheduler.RunRetrying: 't', scheduler.RunEnded: 'e'}

// rowBody is what of a row only Go reads, with short names: there are many rows.
type rowBody struct {
	Job     string            `json:"j,omitempty"` // if the ID does not name it
	Cause   scheduler.Cause   `json:"c,omitempty"` // if not by schedule
	By      string            `json:"b,omitempty"`
	Note    string            `json:"n,omitempty"`
	Params  map[string]string `json:"p,omitempty"`
	Replica string            `json:"r,omitempty"`
	Token   int64             `json:"t,omitempty"`
	Key     string            `json:"k,omitempty"`
	Delay   time.Duration     `json:"d,omitempty"`
	Started int64             `json:"s,omitempty"`
	Verdict scheduler.Verdict `json:"v,omitempty"`
	Reason  scheduler.Reason  `json:"w,omitempty"`
	Error   string            `json:"e,omitempty"`
	More    bool              `json:"m,omitempty"`
}

type tryBody struct {
	Replica string            `json:"r,omitempty"`
	Token   int64             `json:"t,omitempty"`
	Started int64             `json:"s,omitempty"`
	Took    time.Duration     `json:"d,omitempty"`
	Verdict scheduler.Verdict `json:"v,omitempty"`
	Error   string            `json:"e,omitempty"`
}

// encodeRow writes a row that is within the limits.
func encodeRow(r *scheduler.Row) (string, error) {
	body := rowBody{
		By: r.By, Note: r.Note, Params: r.Params, Replica: r.Replica, Token: r.Token, Key: r.Key, Delay: r.Delay,
		Started: limit.Millis(r.Started), Verdict: r.Verdict, Reason: r.Reason, Error: r.Error, More: r.More,
	}
	if job, _, ok := scheduler.JobOf(r.ID); !ok || job != r.Job {
		body.Job = r.Job
	}
	scheduled, acked := byte('-'), byte('-')
	if r.Cause == scheduler.BySchedule {
		scheduled = 's'
	} else {
		body.Cause = r.Cause
	}
	if r.Acked {
		acked = 'k'
	}
	state, ok := states[r.State]
	if !ok {
		state = '-'
	}
	tries, err := encodeTries(r.Tries)
	if err != nil {
		return "", err
	}
	rest, err := json.Marshal(&body)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%c%c%c%c%013d%013d%05d%03d%02d%05d%s%s%s", rowVersion, scheduled, acked, state,
		limit.Millis(r.Ended), limit.Millis(r.Tick), r.Attempt, len(r.ID), len(r.Tries), len(tries), r.ID, tries, rest), nil
}

func encodeTries(tries []scheduler.Try) ([]byte, error) {
	if len(tries) == 0 {
		return nil, nil
	}
	return json.Marshal(tryBodies(tries))
}

func tryBodies(tries []scheduler.Try) []tryBody {
	if len(tries) == 0 {
		return nil
	}
	bodies := make([]tryBody, len(tries))
	for i, t := range tries {
		bodies[i] = tryBody{Replica: t.Replica, Token: t.Token, Started: limit.Millis(t.Started), Took: t.Took, Verdict: t.Verdict, Error: t.Error}
	}
	return bodies
}

func triesOf(bodies []tryBody) []scheduler.Try {
	if len(bodies) == 0 {
		return nil
	}
	tries := make([]scheduler.Try, len(bodies))
	for i, b := range bodies {
		tries[i] = scheduler.Try{
			Replica: b.Replica, Token: b.Token, Started: limit.Moment(b.Started), Took: b.Took, Verdict: b.Verdict, Error: b.Error,
		}
	}
	return tries
}

// decodeRow reads a row, or says that it is none.
func decodeRow(text string) (scheduler.Row, error) {
	if len(text) < rowHead || len(text) > maxRow || text[0] != rowVersion {
		return scheduler.Row{}, errRow
	}
	n := numbers{text: text}
	ended, tick, attempt := n.at(4, 17), n.at(17, 30), n.at(30, 35)
	id := rowHead + int(n.at(35, 38))
	body := id + int(n.at(40, 45))
	if n.wrong || body > len(text) {
		return scheduler.Row{}, errRow
	}
	r := scheduler.Row{
		ID: text[rowHead:id], Tick: limit.Moment(tick), Attempt: int(attempt), Ended: limit.Moment(ended), Acked: text[2] == 'k',
	}
	for state, letter := range states {
		if letter == text[3] {
			r.State = state
		}
	}
	if err := decodeTries(&r, text[id:body]); err != nil {
		return scheduler.Row{}, err
	}
	if err := decodeBody(&r, text[body:]); err != nil {
		return scheduler.Row{}, err
	}
	if text[1] == 's' {
		r.Cause = scheduler.BySchedule
	}
	return limit.Row(r), nil
}

func decodeTries(r *scheduler.Row, text string) error {
	if text == "" {
		return nil
	}
	var bodies []tryBody
	if err := json.Unmarshal([]byte(text), &bodies); err != nil {
		return fmt.Errorf("%w: %w", errRow, err)
	}
	r.Tries = triesOf(bodies)
	return nil
}

func decodeBody(r *scheduler.Row, text string) error {
	var b rowBody
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		return fmt.Errorf("%w: %w", errRow, err)
	}
	if r.Job = b.Job; r.Job == "" {
		r.Job, _, _ = scheduler.JobOf(r.ID)
	}
	r.Cause, r.By, r.Note, r.Params, r.Replica, r.Token, r.Key = b.Cause, b.By, b.Note, b.Params, b.Replica, b.Token, b.Key
	r.Delay, r.Started, r.Verdict, r.Reason, r.Error, r.More = b.Delay, limit.Moment(b.Started), b.Verdict, b.Reason, b.Error, b.More
	return nil
}

// numbers reads digits at fixed places until something else stands there.
type numbers struct {
	text  string
	wrong bool
}

func (n *numbers) at(from, to int) int64 {
	v, err := strconv.ParseUint(n.text[from:to], 10, 63)
	if err != nil {
		n.wrong = true
	}
	return int64(v)
}
