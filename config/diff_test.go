package config_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
)

// changes compares two files and writes what Diff says, a line for each field.
func changes(t *testing.T, before, after string) []string {
	t.Helper()
	now := moment(t, "2026-11-29T12:00:00Z")
	var lines []string
	for _, c := range config.Diff(good(t, before), good(t, after), now) {
		next := ""
		for _, at := range []time.Time{c.Before, c.After} {
			next += " -"
			if !at.IsZero() {
				next = next[:len(next)-1] + at.Format("01-02T15:04")
			}
		}
		lines = append(lines, fmt.Sprintf("%s %s line %d:%s", c.Kind, c.Job, c.Line, next))
		for _, f := range c.Fields {
			lines = append(lines, fmt.Sprintf("  %s: %s -> %s", f.Path, f.Old, f.New))
		}
	}
	return lines
}

func TestADiffTellsWhatADeployWouldChange(t *testing.T) {
	t.Parallel()
	before := `
lease: { ttl: 30s }
redis: { password: one }
concurrencyGroups: [{ name: g, limit: 1 }]
jobs:
  - { name: gone, schedule: "0 5 * * *", shell: x }
  - { name: same, schedule: "0 5 * * *", shell: x }
  - name: edited
    schedule: "0 5 * * *"
    shell: echo one
    env: { A: one, B: { env: B }, SAME: x }
    labels: { tier: "1", old: x }
    retry: { maxAttempts: 2 }
    params: [{ name: p, default: a }]
  - { name: moved, schedule: "0 5 * * *", http: { url: "https://u:hunter2@example.org/a", headers: { Auth: hunter2 } } }
`
	after := `
lease: { ttl: 40s }
redis: { password: two }
concurrencyGroups: [{ name: g, limit: 2 }]
jobs:
  - { name: same, schedule: "0 5 * * *", shell: x, timeout: 1h, overlapPolicy: Forbid }
  - { name: new, schedule: "@hourly", func: demo.noop }
  - name: edited
    schedule: "0 6 * * *"
    timeZone: Europe/Berlin
    shell: echo two
    env: { A: two, B: { file: /b }, SAME: x }
    labels: { tier: "2", fresh: y }
    retry: { maxAttempts: 3 }
    params: [{ name: p, default: b }]
    timeout: 2h
    overlapPolicy: queue
    stopGracePeriod: 20s
    logs: { maxBytes: 2Mi }
    mode: shadow
    suspend: true
  - { name: moved, schedule: "0 5 * * *", http: { url: "https://u:hunter3@example.org/a", headers: { Auth: hunter3 } }, jitter: 5m }
`
	want := []string{
		"changed  line 0: - -",
		"  redis.password: [secret] -> [secret] (another)",
		"  lease.ttl: 30s -> 40s",
		"  lease.renewEvery: 10s -> 13s333ms333us333ns",
		"  concurrencyGroups.g: 1 -> 2",
		"added new line 7: - 11-29T13:00",
		"changed edited line 8: 11-30T05:00 -",
		"  schedule: 0 5 * * * -> 0 6 * * *",
		"  timeZone: UTC -> Europe/Berlin",
		"  shell: echo one -> echo two",
		"  env.A: [secret] -> [secret] (another)",
		"  env.B: [env B] -> [file /b]",
		"  stopGracePeriod: 10s -> 20s",
		"  mode: active -> shadow",
		"  logs.maxBytes: 1Mi -> 2Mi",
		"  timeout: 1h -> 2h",
		"  suspend: false -> true",
		"  labels.fresh:  -> y",
		"  labels.old: x -> ",
		"  labels.tier: 1 -> 2",
		"  overlapPolicy: skip -> queue",
		"  queueLimit: 0 -> 1",
		"  retry.maxAttempts: 2 -> 3",
		"  params: p string a false -> p string b false",
		"changed moved line 22: 11-30T05:00 11-30T05:04",
		`  moments: 0 5 * * * [UTC] -> 0 5 * * * [UTC] {jitter=5m0s "default/moved"}`,
		"  http.url: https://[secret]@example.org/a -> https://[secret]@example.org/a (another)",
		"  http.headers.Auth: [secret] -> [secret] (another)",
		"removed gone line 6: 11-30T05:00 -",
	}
	got := changes(t, before, after)
	for i, line := range got {
		if i >= len(want) || line != want[i] {
			t.Errorf("line %d: got %q", i, line)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d lines, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
	}
	if strings.Contains(strings.Join(got, "\n"), "hunter") {
		t.Error("a secret is shown")
	}
}

func TestWhatMeansTheSameIsNoChange(t *testing.T) {
	t.Parallel()
	const job = "jobs: [{name: a, schedule: '0 5 * * *', shell: x%s}]"
	plain := fmt.Sprintf(job, "")
	for _, extra := range []string{
		", timeout: 1h, retry: {maxAttempts: 1}, history: {succeeded: 50}, overlapPolicy: Forbid, logs: {maxBytes: 1Mi}, timeZone: UTC, mode: active, labels: {}",
		", catchup: latest, onHolderLost: skip, onInterrupt: rerun, onStoreDown: wait, onOverrun: report, idempotent: false, jitter: 0, stopGracePeriod: 10s",
	} {
		if got := changes(t, plain, fmt.Sprintf(job, extra)); len(got) > 0 {
			t.Errorf("%s: got %q, want no change", extra, got)
		}
	}
	if got := changes(t, "# a comment\n"+plain, "defaults: {timeout: 1h}\n"+plain); len(got) > 0 {
		t.Errorf("got %q, want no change", got)
	}
}

func TestADiffPassesOverExcludedTicks(t *testing.T) {
	t.Parallel()
	before := "calendars: [{name: c, dates: [2026-11-30]}]\njobs: [{name: a, schedule: '0 5 * * *', shell: x}]"
	after := "calendars: [{name: c, dates: [2026-11-30]}]\njobs: [{name: a, schedule: '0 5 * * *', shell: x, exclude: {calendars: [c]}}]"
	got := changes(t, before, after)
	if len(got) != 2 || got[0] != "changed a line 2: 11-30T05:00 12-01T05:00" || !strings.HasPrefix(got[1], "  moments: ") {
		t.Errorf("got %q, want the run moved by a day", got)
	}
}

func TestADiffOfKindsNamesThem(t *testing.T) {
	t.Parallel()
	got := changes(t, "jobs: [{name: a, schedule: '0 5 * * *', shell: x}]", "jobs: [{name: a, schedule: manual, command: [x, y]}]")
	if want := "  kind: shell -> command"; !slices.Contains(got, want) || !slices.Contains(got, "  schedule: 0 5 * * * -> manual") {
		t.Errorf("got %q, want %q", got, want)
	}
}
