// Command fill writes past runs into the journal of a namespace, for the test of how
// fast the page is: fill ADDR NAMESPACE JOBS RUNS gives each of the jobs job-0000,
// job-0001 and so on that many runs, one an hour, the last one ten minutes ago.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/solocron/solocron/internal/redisclient"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal/redisjournal"
	"github.com/solocron/solocron/scheduler"
)

const (
	try = 10 * time.Second // for one request
	all = 2 * time.Minute
	// most bounds what is written, so that a slip of the pen fills no machine.
	most = 100_000
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), all)
	defer cancel()
	if err := fill(ctx, os.Args[1:]); err != nil {
		cancel()
		fmt.Fprintln(os.Stderr, "fill:", err)
		os.Exit(1) //nolint:gocritic // cancel was called
	}
}

func fill(ctx context.Context, args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("got %d arguments, want ADDR NAMESPACE JOBS RUNS", len(args))
	}
	count, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	each, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	if count < 1 || each < 1 || count > most/each {
		return fmt.Errorf("%d jobs of %d runs: at most %d runs", count, each, most)
	}
	rdb, err := redisclient.New(redisclient.Settings{Section: "fill", Addrs: args[:1], Try: try})
	if err != nil {
		return err
	}
	defer rdb.Close() //nolint:errcheck // the process ends
	journal, err := redisjournal.NewJournal(rdb, "solocron", args[1])
	if err != nil {
		return err
	}
	now := time.Now().UTC().Truncate(time.Second)
	for n := range count {
		entries := make([]scheduler.Entry, each)
		for i := range entries {
			entries[i] = entry(fmt.Sprintf("job-%04d", n), n+i, now.Add(-10*time.Minute-time.Duration(each-i)*time.Hour))
		}
		if _, err := journal.Record(ctx, entries); err != nil {
			return err
		}
	}
	return nil
}

// entry is a run of a job that has ended. Every seventh failed.
func entry(job string, n int, tick time.Time) scheduler.Entry {
	row := scheduler.Row{
		ID: job + "." + tick.Format("20060102T150405Z"), Job: job, Tick: tick, Cause: scheduler.BySchedule, State: scheduler.RunEnded,
		Attempt: 1, Token: tick.UnixMicro(), Replica: fmt.Sprintf("replica-%d", n%3),
		Started: tick, Ended: tick.Add(time.Duration(1+n%90) * time.Second), Verdict: scheduler.Succeeded,
	}
	if n%7 == 0 {
		row.Verdict, row.Error = scheduler.Failed, "exit status 3: no route to host"
	}
	return scheduler.Entry{Row: row, Keep: jobs.History{}.WithDefaults()}
}
