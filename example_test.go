package solocron_test

import (
	"context"
	"log" //nolint:depguard // the shortest main there is
	"os"
	"os/signal"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
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

func report(_ context.Context, run jobs.Run) error {
	log.Printf("the report of %s, token %d", run.Tick, run.Token)
	return nil
}
