package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/redisjournal"
	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/scheduler"
)

const (
	namespace  = "bench"
	journalTry = 2 * time.Second // as cmd/scheduler has it
)

// startSolocron starts a replica as cmd/scheduler assembles one: leases, news
// and journal in Redis, each over a client of its own.
func startSolocron(ctx context.Context, p Plan, rec *Recorder, loaded func()) (func() error, error) {
	name := fmt.Sprintf("replica-%d", p.Replica)
	cfg := election.Config{}.WithDefaults()
	leases := redis.NewClient(redislease.Options(p.Addr, cfg.Try))
	store, err := redislease.New(leases, p.Prefix, namespace, cfg.Try)
	if err != nil {
		return nil, err
	}
	elector, err := election.New(store, name, cfg)
	if err != nil {
		return nil, err
	}
	news := redis.NewClient(redislease.Options(p.Addr, cfg.Try))
	members := redisjournal.New(news, p.Prefix, namespace, journal.Replica{ID: name, Started: time.Now()})
	rows := redis.NewClient(redislease.Options(p.Addr, journalTry))
	kept, err := redisjournal.NewJournal(rows, p.Prefix, namespace)
	if err != nil {
		return nil, err
	}
	s := scheduler.New(elector, scheduler.Config{Replica: name, Peers: members, Ledger: store, Journal: kept})
	if err := addDue(s, p, rec); err != nil {
		return nil, err
	}
	loaded()

	ctx, cancel := context.WithCancel(ctx)
	joined := make(chan error, 1)
	go func() { joined <- members.Run(ctx, s.Hear) }()
	stop := runInBackground(ctx, cancel, s)
	return func() error {
		err := stop()
		_ = <-joined // an error of members while they are cut off is no concern of ours
		return errors.Join(err, leases.Close(), news.Close(), rows.Close())
	}, nil
}

// startEngine starts the engine over leases in memory: what it costs without a
// store that others share. A Period of zero means jobs that are due at night.
func startEngine(ctx context.Context, p Plan, rec *Recorder, loaded func()) (func() error, error) {
	store := new(memlease.Store)
	elector, err := election.New(store, "alone", election.Config{})
	if err != nil {
		return nil, err
	}
	s := scheduler.New(elector, scheduler.Config{Ledger: store})
	if p.Period > 0 {
		err = addDue(s, p, rec)
	} else {
		err = addIdle(s, p)
	}
	if err != nil {
		return nil, err
	}
	loaded()
	ctx, cancel := context.WithCancel(ctx)
	return runInBackground(ctx, cancel, s), nil
}

func runInBackground(ctx context.Context, cancel context.CancelFunc, s *scheduler.Scheduler) func() error {
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	return func() error { cancel(); return <-ended }
}

// addDue adds jobs that are all due in the same second, every p.Period.
func addDue(s *scheduler.Scheduler, p Plan, rec *Recorder) error {
	for i := range p.Jobs {
		name := JobName(i)
		at, err := schedule.Parse(p.Spec(), schedule.Options{Key: namespace + "/" + name, Seconds: true})
		if err != nil {
			return err
		}
		run := jobs.Func(func(_ context.Context, run jobs.Run) error { rec.Record(i, run.Tick); return nil })
		if err := s.AddSchedule(at, jobs.Job{Name: name, Kind: "func", Runner: run, Timeout: time.Minute}); err != nil {
			return err
		}
	}
	return nil
}

// addIdle adds jobs as people write them, at 1,440 different minutes of a day ahead.
func addIdle(s *scheduler.Scheduler, p Plan) error {
	nothing := jobs.Func(func(context.Context, jobs.Run) error { return nil })
	for i := range p.Jobs {
		if err := s.Add(idleSpec(i), jobs.Job{Name: JobName(i), Kind: "func", Runner: nothing, Timeout: time.Hour}); err != nil {
			return err
		}
	}
	return nil
}

// idleSpec is the schedule of the i-th of many jobs, none of which is due today or tomorrow.
func idleSpec(i int) string {
	day := time.Now().UTC().AddDate(0, 0, 2)
	return fmt.Sprintf("%d %d * * %d", i%60, i/60%24, day.Weekday())
}
