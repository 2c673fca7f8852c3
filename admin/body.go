package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/solocron/solocron/scheduler"
)

const (
	maxBody   = 64 << 10 // bytes of a request's body
	maxReason = 500      // bytes of a reason
	maxKey    = 200      // bytes of an Idempotency-Key
)

// requester is who asks, as long as nobody can say who they are.
const requester = "api"

// decodeBody reads the body of r into v: nothing, or one JSON object without
// members that nobody knows, so that a misspelt wish is not silently ignored.
// Form is what it should look like.
func decodeBody(r *http.Request, v any, form string) error {
	text, err := io.ReadAll(r.Body)
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &problemError{
			Type: "too-large", Title: "Body too large", Status: http.StatusRequestEntityTooLarge,
			Detail: fmt.Sprintf("A body has at most %d bytes.", tooLarge.Limit),
		}
	}
	if err != nil {
		return badRequest("The body could not be read.")
	}
	if strings.TrimSpace(string(text)) == "" {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return badRequest("The body is not " + form + ": " + echo(err.Error()))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return badRequest("The body goes on after its JSON object.")
	}
	return nil
}

// wish is what somebody who asks for something may say.
type wish struct {
	Params map[string]paramText `json:"params"`
	Reason string               `json:"reason"`
}

const wishForm = `{"params": {"name": "value"}, "reason": "..."}`

// order is w with the idempotency key of r, if it is allowed.
func (w wish) order(r *http.Request) (scheduler.Order, error) {
	o := scheduler.Order{By: requester, Note: w.Reason, Key: r.Header.Get("Idempotency-Key")}
	if len(w.Params) > 0 {
		o.Params = make(map[string]string, len(w.Params))
		for name, text := range w.Params {
			o.Params[name] = string(text)
		}
	}
	switch {
	case len(o.Note) > maxReason:
		return o, badRequest(fmt.Sprintf("A reason has at most %d bytes.", maxReason))
	case len(o.Key) > maxKey:
		return o, badRequest(fmt.Sprintf("An Idempotency-Key has at most %d bytes.", maxKey))
	}
	return o, nil
}

// readWish reads a body that is a wish alone.
func readWish(r *http.Request) (scheduler.Order, error) {
	var w wish
	if err := decodeBody(r, &w, wishForm); err != nil {
		return scheduler.Order{}, err
	}
	return w.order(r)
}

// reasonOnly is the body of what has no parameters.
type reasonOnly struct {
	Reason string `json:"reason"`
}

func readReason(r *http.Request) (scheduler.Order, error) {
	var b reasonOnly
	if err := decodeBody(r, &b, `{"reason": "..."}`); err != nil {
		return scheduler.Order{}, err
	}
	return wish{Reason: b.Reason}.order(r)
}

// paramText is the value of a parameter: a string, or a number or truth value as
// it is written.
type paramText string

func (p *paramText) UnmarshalJSON(text []byte) error {
	switch text[0] {
	case '"':
		return json.Unmarshal(text, (*string)(p))
	case '{', '[', 'n':
		return errors.New("the value of a parameter is a string, a number, true or false")
	}
	*p = paramText(text)
	return nil
}

// length reads a length of time such as 2h30m that must be more than zero and at
// most limit.
func length(member, text string, limit time.Duration) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > limit {
		return 0, badRequest(fmt.Sprintf("%s is a length of time such as 90s or 2h30m, at most %s.", member, limit))
	}
	return d, nil
}

// moment reads a moment with its zone; the zero time for no text.
func moment(member, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return at, badRequest(member + " is a moment with its zone, such as 2026-11-29T01:30:00Z.")
	}
	return at, nil
}
