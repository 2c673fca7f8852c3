package redisjournal

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/journal/internal/limit"
	"github.com/solocron/solocron/scheduler"
)

//go:embed enrol.lua
var enrolText string

var _ scheduler.Generations = (*Journal)(nil)

// Enrol implements scheduler.Generations.
func (j *Journal) Enrol(ctx context.Context, e scheduler.Enrolment) (scheduler.Enrolled, error) {
	if err := limit.Enrolment(e); err != nil {
		return scheduler.Enrolled{}, err
	}
	c := newCall(j.scripts.enrol, j.keys.order, 6).with(
		life, scheduler.EnrolLife.Milliseconds(), e.Replica, e.Revision, e.Number, e.Above)
	if err := j.send(ctx, c); err != nil {
		return scheduler.Enrolled{}, fmt.Errorf("enrolling revision %s: %w", e.Revision, err)
	}
	answer, err := c.cmd.StringSlice()
	if err != nil || len(answer) < 2 {
		return scheduler.Enrolled{}, fmt.Errorf("enrolling revision %s: %w", e.Revision, errors.Join(errReply, err))
	}
	generation, err := strconv.ParseInt(answer[0], 10, 64)
	newest, err2 := strconv.ParseInt(answer[1], 10, 64)
	if err := errors.Join(err, err2); err != nil {
		return scheduler.Enrolled{}, fmt.Errorf("enrolling revision %s: %w", e.Revision, errors.Join(errReply, err))
	}
	return scheduler.Enrolled{Generation: generation, Newest: newest, Others: answer[2:]}, nil
}

// Defined implements scheduler.Generations.
func (j *Journal) Defined(ctx context.Context) ([]string, error) {
	pipe := j.rdb.Pipeline()
	parts := make([]*redis.StringSliceCmd, shards)
	for i := range parts {
		parts[i] = pipe.HKeys(ctx, j.keys.shard[i].defs)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, fmt.Errorf("listing definitions: %w", err)
	}
	var names []string
	for _, part := range parts {
		names = append(names, part.Val()...)
	}
	return names, nil
}

// Forget implements scheduler.Generations.
func (j *Journal) Forget(ctx context.Context, jobs []string) error {
	if len(jobs) == 0 {
		return nil
	}
	pipe := j.rdb.Pipeline()
	for _, job := range jobs {
		k := j.keys.of(job)
		pipe.HDel(ctx, k.defs, job)
		pipe.Del(ctx, k.checkpoint(job))
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("forgetting %d definitions: %w", len(jobs), err)
	}
	return nil
}
