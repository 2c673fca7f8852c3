package solocron_test

import (
	"context"
	"fmt"
	"log" //nolint:depguard // the shortest main there is
	"os"
	"os/signal"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

// A program of its own: run it several times, and each tick runs in one of them.
func Example() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	store, err := redislease.New(redis.NewClient(redislease.Options("127.0.0.1:6379", time.Second)), "solocron", "shop", time.Second)
	if err != nil {
		log.Fatal(err)
	}
	elector, err := election.New(store, "replica-1", election.Config{})
	if err != nil {
		log.Fatal(err)
	}
	s := scheduler.New(elector, scheduler.Config{Ledger: store})
	if err := s.Add("0 3 * * *", jobs.Job{Name: "report", Runner: jobs.Func(report)}); err != nil {
		log.Fatal(err)
	}
	log.Print(s.Run(ctx))
}

// For one process, with nothing to install: what is asked for runs here and now.
func Example_trigger() {
	ctx, stop := context.WithCancel(context.Background())
	elector, err := election.New(new(memlease.Store), "replica-1", election.Config{})
	if err != nil {
		log.Fatal(err)
	}
	s := scheduler.New(elector, scheduler.Config{})
	ran := make(chan jobs.Run, 1)
	work := jobs.Func(func(_ context.Context, run jobs.Run) error { ran <- run; return nil })
	if err := s.Add("0 3 * * *", jobs.Job{Name: "report", Runner: work}); err != nil {
		log.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- s.Run(ctx) }()
	row, err := s.Trigger(ctx, "report", scheduler.Order{By: "me"})
	if err != nil {
		log.Fatal(err)
	}
	run := <-ran
	stop()
	fmt.Println(row.State, run.Manual, run.ID == row.ID, <-ended)
	// Output: running true true <nil>
}

func report(_ context.Context, run jobs.Run) error {
	log.Printf("the report of %s, token %d", run.Tick, run.Token)
	return nil
}
