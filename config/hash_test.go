package config_test

import (
	"strings"
	"testing"
)

const hashed = `
defaults: {timeout: 5m, retry: {initialInterval: 5s}, labels: {team: a}}
calendars: [{name: c, dates: [2026-12-25]}]
jobs:
  - name: one
    schedule: "0 3 * * *"
    exclude: {calendars: [c]}
    command: [/bin/true]
    timeout: 7m
  - {name: two, schedule: "@every 1h", shell: "echo two", env: {A: "1", B: "2"}}
`

func hashes(t *testing.T, text string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, j := range good(t, text).Jobs {
		all[j.Name] = j.Hash
	}
	return all
}

func TestHashTellsDefinitionsApartAndNothingElse(t *testing.T) {
	t.Parallel()
	before := hashes(t, hashed)
	if before["one"] == before["two"] || len(before["one"]) != 16 {
		t.Fatalf("got %v, want two hashes of 16 digits", before)
	}
	for name, c := range map[string]struct{ old, with, changed string }{
		"a comment":             {"jobs:", "# to be looked at\njobs:", ""},
		"another style":         {`shell: "echo two"`, `shell: echo two`, ""},
		"another order":         {`env: {A: "1", B: "2"}`, `env: {B: "2", A: "1"}`, ""},
		"a setting":             {"defaults:", "shutdownGrace: 5s\ndefaults:", ""},
		"a command":             {"/bin/true", "/bin/false", "one"},
		"a schedule":            {"0 3 * * *", "0 4 * * *", "one"},
		"a line of shell":       {"echo two", "echo three", "two"},
		"a variable":            {`B: "2"`, `B: "3"`, "two"},
		"a number for a text":   {`B: "2"`, `B: 2`, "two"},
		"a calendar":            {"2026-12-25", "2026-12-24", "one"},
		"a default":             {"timeout: 5m", "timeout: 6m", "two"},
		"a part of a default":   {"initialInterval: 5s", "initialInterval: 6s", "one two"},
		"a label of all":        {"team: a", "team: b", "one two"},
		"a default that is new": {"timeout: 5m", "timeout: 5m, startingDeadline: 1h", "one two"},
		"a test":                {"timeout: 7m", "timeout: 7m\n    tests: [{from: 2026-01-01, next: [2026-01-01 03:00]}]", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(hashed, c.old) {
				t.Fatalf("%q is not there", c.old)
			}
			var changed []string
			after := hashes(t, strings.Replace(hashed, c.old, c.with, 1))
			for _, job := range []string{"one", "two"} {
				if after[job] != before[job] {
					changed = append(changed, job)
				}
			}
			if got := strings.Join(changed, " "); got != c.changed {
				t.Errorf("changed: got %q, want %q", got, c.changed)
			}
		})
	}
}

func TestHashFollowsAnchors(t *testing.T) {
	t.Parallel()
	with := func(interval string) string {
		return "jobs:\n  - &base {name: one, schedule: '@every 1h', shell: 'true', retry: &again {maxAttempts: 3, initialInterval: " + interval + "}}\n" +
			"  - {<<: *base, name: two}\n  - {name: three, schedule: '@every 1h', shell: 'true', retry: *again}\n"
	}
	before, after := hashes(t, with("1s")), hashes(t, with("2s"))
	for _, job := range []string{"one", "two", "three"} {
		if before[job] == after[job] {
			t.Errorf("%s: its hash has not changed with what its alias stands for", job)
		}
	}
}

func TestGenerationIsANumberThatCounts(t *testing.T) {
	t.Parallel()
	const jobs = "\njobs: [{name: j, schedule: manual, shell: 'true'}]"
	if got := good(t, "generation: 12"+jobs).Generation; got != 12 {
		t.Errorf("got %d, want 12", got)
	}
	for _, text := range []string{"-1", "1000000001", "x"} {
		bad(t, "generation: "+text+jobs)
	}
}
