package main

import (
	"context"
	"time"

	redislock "github.com/go-co-op/gocron-redis-lock/v2"
	"github.com/go-co-op/gocron/v2"
	"github.com/redis/go-redis/v9"
)

// startGocron starts gocron with its Redis locker, set up as its documentation
// shows: one try for the lock of the job's name.
func startGocron(_ context.Context, p Plan, rec *Recorder, loaded func()) (func() error, error) {
	rdb := redis.NewClient(&redis.Options{Addr: p.Addr})
	locker, err := redislock.NewRedisLocker(rdb, redislock.WithTries(1))
	if err != nil {
		return nil, err
	}
	s, err := gocron.NewScheduler(gocron.WithDistributedLocker(locker), gocron.WithLocation(time.UTC))
	if err != nil {
		return nil, err
	}
	for i := range p.Jobs {
		task := gocron.NewTask(func() { rec.Record(i, time.Now().Truncate(p.Period)) })
		if _, err := s.NewJob(gocron.CronJob(p.Spec(), true), task, gocron.WithName(p.Prefix+JobName(i))); err != nil {
			return nil, err
		}
	}
	loaded()
	s.Start()
	return func() error {
		_ = s.Shutdown() // complains of jobs still waiting for a lock; the window is over
		return rdb.Close()
	}, nil
}
