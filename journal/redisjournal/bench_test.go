package redisjournal_test

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/scheduler"
)

// benchClient is a client as the product makes them.
func benchClient(b *testing.B, addr string) *redis.Client {
	b.Helper()
	rdb := redis.NewClient(redislease.Options(addr, callLimit))
	b.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// scripted returns how many scripts a server has run, in how many microseconds,
// and how many commands it was sent by clients and by scripts.
func scripted(b *testing.B, rdb *redis.Client) (scripts, us, commands float64) {
	b.Helper()
	text, err := rdb.Info(b.Context(), "commandstats").Result()
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`cmdstat_(\S+):calls=(\d+),usec=(\d+)`).FindAllStringSubmatch(text, -1) {
		calls, _ := strconv.ParseFloat(m[2], 64)
		if m[1] == "evalsha" || m[1] == "eval" {
			t, _ := strconv.ParseFloat(m[3], 64)
			scripts, us = scripts+calls, us+t
		}
		commands += calls
	}
	return scripts, us, commands
}

// BenchmarkRecord records the begin of 128 runs in one call and their end in
// another, of one job (one script a call) and of 128 jobs (16 scripts a call).
// The figures are per run.
func BenchmarkRecord(b *testing.B) {
	const batch = 128
	server := redistest.Start(b)
	for _, crowd := range []int{1, batch} {
		b.Run(fmt.Sprintf("jobs-%d", crowd), func(b *testing.B) {
			rdb := benchClient(b, server.Addr)
			j := open(b, rdb, fmt.Sprint("bench-", crowd))
			starts, ends := make([]scheduler.Entry, batch), make([]scheduler.Entry, batch)
			scripts, us, commands := scripted(b, rdb)
			n := 0
			for b.Loop() {
				for i := range starts {
					starts[i] = plain(fmt.Sprint("nightly-report-", i%crowd), n+i)
					ends[i] = done(starts[i])
				}
				n += batch
				record(b, j, starts...)
				record(b, j, ends...)
			}
			after, afterUs, afterCommands := scripted(b, rdb)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/run")
			b.ReportMetric((after-scripts)/float64(n), "sent/run")
			b.ReportMetric((afterUs-us)/float64(n), "server-us/run")
			b.ReportMetric((afterCommands-commands)/float64(n), "commands/run")
		})
	}
}

// BenchmarkPoll polls an empty queue: what every replica does all the time.
func BenchmarkPoll(b *testing.B) {
	rdb := benchClient(b, redistest.Start(b).Addr)
	j := open(b, rdb, "bench")
	for b.Loop() {
		if _, err := j.Poll(b.Context(), 100); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRowMemory measures what a row of a full history takes in Redis.
func BenchmarkRowMemory(b *testing.B) {
	server := redistest.Start(b)
	rdb := benchClient(b, server.Addr)
	got, n := 0.0, 0
	for b.Loop() {
		got = perRow(b, rdb, open(b, rdb, fmt.Sprint("bench-", n)))
		n++
	}
	b.ReportMetric(got, "bytes/row")
}
