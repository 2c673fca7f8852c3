package redisjournal

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal/internal/limit"
)

const (
	requestVersion = '1'
	requestHead    = 14 // version and NotBefore: see queue.lua
	maxRequest     = 1 << 20
)

var errRequest = errors.New("not a request of this version")

type requestBody struct {
	ID      string            `json:"i"`
	Run     string            `json:"r,omitempty"` // if not the ID
	Job     string            `json:"j"`
	Cause   scheduler.Cause   `json:"c,omitempty"`
	Tick    int64             `json:"t,omitempty"`
	Of      scheduler.Cause   `json:"f,omitempty"`
	Params  map[string]string `json:"p,omitempty"`
	By      string            `json:"b,omitempty"`
	Note    string            `json:"n,omitempty"`
	Made    int64             `json:"m,omitempty"`
	Attempt int               `json:"a,omitempty"`
	Overlap string            `json:"o,omitempty"`
	Tries   []tryBody         `json:"e,omitempty"`
}

// encodeRequest writes a request that is within the limits, but for its token.
func encodeRequest(r *scheduler.Request) (string, error) {
	b := requestBody{
		ID: r.ID, Run: r.Run, Job: r.Job, Cause: r.Cause, Tick: limit.Millis(r.Tick), Of: r.Of, Params: r.Params,
		By: r.By, Note: r.Note, Made: limit.Millis(r.Made), Attempt: r.Attempt, Overlap: r.Overlap,
		Tries: tryBodies(r.Tries),
	}
	if b.Run == b.ID {
		b.Run = ""
	}
	body, err := json.Marshal(&b)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%c%013d%s", requestVersion, limit.Millis(r.NotBefore), body), nil
}

// decodeRequest reads a request, or says that it is none.
func decodeRequest(text string) (scheduler.Request, error) {
	if len(text) < requestHead || len(text) > maxRequest || text[0] != requestVersion {
		return scheduler.Request{}, errRequest
	}
	n := numbers{text: text}
	notBefore := n.at(1, requestHead)
	var b requestBody
	if err := json.Unmarshal([]byte(text[requestHead:]), &b); err != nil || n.wrong {
		return scheduler.Request{}, errors.Join(errRequest, err)
	}
	if b.Run == "" {
		b.Run = b.ID
	}
	return limit.Request(scheduler.Request{
		ID: b.ID, Run: b.Run, Job: b.Job, Cause: b.Cause, Tick: limit.Moment(b.Tick), Of: b.Of, Params: b.Params,
		By: b.By, Note: b.Note, Made: limit.Moment(b.Made), NotBefore: limit.Moment(notBefore), Attempt: b.Attempt, Overlap: b.Overlap,
		Tries: triesOf(b.Tries),
	})
}

type stopBody struct {
	Run    string           `json:"r"`
	Reason scheduler.Reason `json:"w,omitempty"`
	By     string           `json:"b,omitempty"`
	Note   string           `json:"n,omitempty"`
}

func encodeStop(s *scheduler.Stop) (string, error) {
	text, err := json.Marshal(stopBody(*s))
	return string(text), err
}

func decodeStop(text string) (scheduler.Stop, error) {
	var b stopBody
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		return scheduler.Stop{}, fmt.Errorf("not a stop: %w", err)
	}
	return limit.Stop(scheduler.Stop(b))
}

// readable decodes what it can of texts. What it cannot may be of a newer
// version, and matters only when there is nothing else.
func readable[T any](texts []string, decode func(string) (T, error)) ([]T, error) {
	out := make([]T, 0, len(texts))
	var first error
	for _, text := range texts {
		v, err := decode(text)
		if err == nil {
			out = append(out, v)
		} else if first == nil {
			first = err
		}
	}
	if bad := len(texts) - len(out); len(out) == 0 && bad > 0 {
		return nil, fmt.Errorf("none of %d can be read: %w", bad, first)
	}
	return out, nil
}
