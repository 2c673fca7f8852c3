package config_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/solocron/solocron/config"
)

// manyJobs is a file of n jobs with short definitions.
func manyJobs(n int) []byte {
	var b strings.Builder
	b.WriteString("namespace: bench\njobs:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - name: job-%d\n    schedule: \"%d %d * * *\"\n    func: demo.noop\n", i, i%60, i%24)
	}
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			data := manyJobs(n)
			b.ReportAllocs()
			for b.Loop() {
				cfg, err := config.Parse("bench.yaml", data, kinds())
				if err != nil || len(cfg.Jobs) != n {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}

// BenchmarkParseRules has every job excluded, jittered and bounded.
func BenchmarkParseRules(b *testing.B) {
	const n = 10_000
	const rules = "    jitter: 1m\n    startAt: 2026-01-01\n    exclude: { calendars: [free] }\n    func:"
	data := bytes.ReplaceAll(manyJobs(n), []byte("    func:"), []byte(rules))
	data = append([]byte("calendars: [{ name: free, timeZone: Europe/Berlin, weekdays: [sat, sun], dates: [12-25] }]\n"), data...)
	for b.Loop() {
		if _, err := config.Parse("bench.yaml", data, kinds()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

func BenchmarkMemoryOfAJob(b *testing.B) {
	const n = 100_000
	data := manyJobs(n)
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		cfg, err := config.Parse("bench.yaml", data, kinds())
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/n, "bytes/job")
		runtime.KeepAlive(cfg)
	}
}
