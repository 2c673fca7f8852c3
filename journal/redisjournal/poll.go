package redisjournal

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/internal/limit"
)

var errReply = errors.New("redis replied in an unexpected form")

// Poll implements scheduler.Requests with one command, for a limit of 1 to
// journal.MaxPoll.
func (j *Journal) Poll(ctx context.Context, most int) (scheduler.Inbox, error) {
	c := j.ask(j.scripts.poll, 1).with(strconv.Itoa(min(max(most, 1), journal.MaxPoll)))
	err := j.send(ctx, c)
	if err != nil {
		return scheduler.Inbox{}, fmt.Errorf("polling requests: %w", err)
	}
	reply, err := c.cmd.Slice()
	if err != nil || len(reply) != 5 {
		return scheduler.Inbox{}, fmt.Errorf("polling requests: %w", errors.Join(errReply, err))
	}
	in, err := inbox(reply)
	if err != nil {
		return scheduler.Inbox{}, fmt.Errorf("polling requests: %w", err)
	}
	return in, nil
}

// inbox reads the five parts of a reply of poll.lua.
func inbox(reply []any) (in scheduler.Inbox, err error) {
	now, err := number(reply[0])
	next, err2 := number(reply[1])
	due, err3 := texts(reply[2])
	begun, err4 := texts(reply[3])
	stops, err5 := texts(reply[4])
	if err := errors.Join(err, err2, err3, err4, err5); err != nil {
		return in, err
	}
	in.Now, in.Next = limit.Moment(now), time.Duration(next)*time.Millisecond
	in.Due, err = readable(due, decodeRequest)
	in.Stops, err2 = readable(stops, decodeStop)
	in.Begun, err3 = begunOf(begun)
	if read := len(in.Due) + len(in.Stops) + len(in.Begun); read > 0 {
		return in, nil
	}
	return in, errors.Join(err, err2, err3)
}

// begunOf reads texts of requests, each followed by its token.
func begunOf(texts []string) ([]scheduler.Request, error) {
	requests := make([]scheduler.Request, 0, len(texts)/2)
	var bad error
	for i := 0; i+1 < len(texts); i += 2 {
		r, err := decodeRequest(texts[i])
		token, err2 := strconv.ParseInt(texts[i+1], 10, 64)
		if err := errors.Join(err, err2); err != nil {
			bad = err
			continue
		}
		r.Token = token
		requests = append(requests, r)
	}
	return requests, bad
}

func number(v any) (int64, error) {
	if text, ok := v.(string); ok {
		return strconv.ParseInt(text, 10, 64)
	}
	return 0, errReply
}

func texts(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, errReply
	}
	out := make([]string, len(list))
	for i, v := range list {
		if out[i], ok = v.(string); !ok {
			return nil, errReply
		}
	}
	return out, nil
}
