package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/solocron/solocron/scheduler"
)

const maxBody = 64 << 10 // bytes of a request's body

// Keyed is a request that can be repeated without a second effect.
type Keyed struct {
	Key string `header:"Idempotency-Key" maxLength:"255" pattern:"^[ -~]*$" patternDescription:"printable ASCII" doc:"The same key with the same body is the same request, for 24 hours."`
}

// Wish is what somebody who asks for a run may say.
type Wish struct {
	Params map[string]paramText `json:"params,omitempty" doc:"Values of the parameters that the job declares."`
	Reason string               `json:"reason,omitempty" maxLength:"500" doc:"Why, for those who look later."`
}

// order is w in the words of the engine. A nil w says nothing.
func (w *Wish) order(ctx context.Context, key string) (scheduler.Order, error) {
	if w == nil {
		w = new(Wish)
	}
	o := scheduler.Order{By: requester(ctx), Note: w.Reason, Key: key}
	if len(w.Params) > 0 {
		o.Params = make(map[string]string, len(w.Params))
		for name, text := range w.Params {
			o.Params[name] = string(text)
		}
	}
	if len(o.Note) > maxReason { // the schema counts characters
		return o, notValid("body.reason", fmt.Sprintf("has more than %d bytes", maxReason), nil)
	}
	return o, nil
}

const maxReason = 500 // bytes of a reason

// Why is the body of what has no parameters.
type Why struct {
	Reason string `json:"reason,omitempty" maxLength:"500" doc:"Why, for those who look later."`
}

func (w *Why) order(ctx context.Context) (scheduler.Order, error) {
	if w == nil {
		w = new(Why)
	}
	return (&Wish{Reason: w.Reason}).order(ctx, "")
}

// paramText is the value of a parameter: a string, or a number or truth value as
// it is written.
type paramText string

// UnmarshalJSON reads the value.
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

// Schema describes the value.
func (paramText) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeNumber}, {Type: huma.TypeBoolean}}}
}

// length reads a length of time such as 2h30m that must be more than zero and at
// most limit.
func length(location, text string, limit time.Duration) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > limit {
		return 0, notValid(location, fmt.Sprintf("is a length of time such as 90s or 2h30m, at most %s", limit), text)
	}
	return d, nil
}
