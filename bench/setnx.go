package main

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/robfig/cron/v3"
)

// startSetNX starts the peer that people write by hand: robfig/cron in every
// replica, and SET key NX PX with the tick in the key, so that whoever comes
// first runs the tick. It keeps no record, renews nothing and cannot tell a
// crash from success; of the peers it alone runs no tick twice.
func startSetNX(ctx context.Context, p Plan, rec *Recorder, loaded func()) (func() error, error) {
	rdb := redis.NewClient(&redis.Options{Addr: p.Addr})
	if err := rdb.Ping(ctx).Err(); err != nil {
		return nil, err
	}
	c := cron.New(cron.WithSeconds(), cron.WithLocation(time.UTC))
	for i := range p.Jobs {
		name := p.Prefix + JobName(i) + ":"
		if _, err := c.AddFunc(p.Spec(), func() {
			tick := time.Now().Truncate(p.Period)
			key := name + tick.Format(time.RFC3339)
			if won, err := rdb.SetNX(ctx, key, p.Replica, 10*p.Period).Result(); err == nil && won {
				rec.Record(i, tick)
			}
		}); err != nil {
			return nil, err
		}
	}
	loaded()
	c.Start()
	return func() error {
		<-c.Stop().Done()
		return rdb.Close()
	}, nil
}

// startRobfig starts the bare engine under the peers, without any lock.
func startRobfig(_ context.Context, p Plan, rec *Recorder, loaded func()) (func() error, error) {
	c := cron.New(cron.WithSeconds(), cron.WithLocation(time.UTC))
	for i := range p.Jobs {
		if _, err := c.AddFunc(p.Spec(), func() { rec.Record(i, time.Now().Truncate(p.Period)) }); err != nil {
			return nil, err
		}
	}
	loaded()
	c.Start()
	return func() error { <-c.Stop().Done(); return nil }, nil
}
