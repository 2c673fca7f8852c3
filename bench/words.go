package main

import (
	"context"
	"errors"
	"net"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
)

// words finds out what a store would send: its client sends nothing.
type words struct {
	store *redislease.Store
	last  []any
}

var errCaught = errors.New("caught")

func newWords(addr string) (*words, error) {
	w := new(words)
	rdb := redis.NewClient(redislease.Options(addr, tryTimeout))
	rdb.AddHook(w)
	var err error
	w.store, err = redislease.New(rdb, "bench", namespace, tryTimeout)
	return w, err
}

// of returns the command that asks for claims.
func (w *words) of(ctx context.Context, claims []election.Claim) []any {
	_ = w.store.Claim(ctx, claims) // unanswered, of course
	return w.last
}

// DialHook implements redis.Hook.
func (w *words) DialHook(redis.DialHook) redis.DialHook {
	return func(context.Context, string, string) (net.Conn, error) { return nil, errCaught }
}

// ProcessHook implements redis.Hook.
func (w *words) ProcessHook(redis.ProcessHook) redis.ProcessHook {
	return func(_ context.Context, cmd redis.Cmder) error {
		w.last = cmd.Args()
		cmd.SetErr(errCaught)
		return errCaught
	}
}

// ProcessPipelineHook implements redis.Hook.
func (w *words) ProcessPipelineHook(redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(context.Context, []redis.Cmder) error { return errCaught }
}
