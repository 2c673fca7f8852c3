package config_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

func TestPoliciesForTroubleThatContradictThemselvesAreRefused(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]string{
		"onHolderLost: rerunn": `c.yaml:1:72 jobs[a].onHolderLost "rerunn" is unknown: did you mean rerun? There are skip and rerun`,
		"onHolderLost: ''":     `c.yaml:1:72 jobs[a].onHolderLost is empty: write skip or rerun`,
		"onInterrupt: never":   `c.yaml:1:71 jobs[a].onInterrupt "never" is unknown: there are rerun and skip`,
		"onStoreDown: ''":      `c.yaml:1:71 jobs[a].onStoreDown is empty: write wait, skip or run`,
		"onOverrun: kill":      `c.yaml:1:69 jobs[a].onOverrun "kill" is unknown: there are report and exit`,
		"onStoreDown: run": "c.yaml:1:71 jobs[a].onStoreDown is run, which needs idempotent: true: " +
			"while Redis is away every replica runs the tick, without a lease",
	} {
		got := bad(t, "jobs: [{name: a, schedule: '0 5 * * *', func: demo.noop, "+fields+"}]").Error()
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", fields, got, want)
		}
	}
}

func TestPoliciesForTroubleMayStandInDefaults(t *testing.T) {
	t.Parallel()
	const top = "defaults: {onHolderLost: rerun, onStoreDown: run, idempotent: true, onOverrun: exit, onInterrupt: skip}"
	want := jobs.Policies{
		OnHolderLost: "rerun", OnStoreDown: "run", OnOverrun: "exit", OnInterrupt: "skip", Idempotent: true,
	}
	got := policiesOf(t, top, "onHolderLost: skip")
	want.OnHolderLost = jobs.SkipOnHolderLost
	if got.OnHolderLost != want.OnHolderLost || got.OnStoreDown != want.OnStoreDown || got.OnOverrun != want.OnOverrun ||
		got.OnInterrupt != want.OnInterrupt || !got.Idempotent {
		t.Errorf("got %+v, want %+v", got, want)
	}
	const job = "\njobs: [{name: a, schedule: '0 5 * * *', func: demo.noop, idempotent: false}]"
	if faults := bad(t, top+job); len(faults) != 1 || faults[0].Path != "jobs[a].onStoreDown" {
		t.Errorf("a job that is not idempotent: got %v, want one fault at its onStoreDown", faults)
	}
	if faults := bad(t, "defaults: {onStoreDown: run}\n"+oneJob); len(faults) != 1 || faults[0].Path != "defaults.onStoreDown" {
		t.Errorf("defaults alone: got %v, want one fault there", faults)
	}
}

func TestTheTimeToStopMustFitIntoThatOfThePod(t *testing.T) {
	t.Parallel()
	const shutdown = "shutdownGrace: 20s\ndefaults: {stopGracePeriod: 3s}\n"
	const list = "jobs: [{name: a, schedule: '0 5 * * *', shell: echo}, {name: slow, schedule: '0 5 * * *', shell: echo, stopGracePeriod: 8s}]\n"
	if cfg := good(t, shutdown+"terminationGracePeriod: 33s\n"+list); !cfg.Shutdown().Fits() || cfg.Shutdown().Needs() != 33*time.Second {
		t.Errorf("got %s", cfg.Shutdown())
	}
	const want = "c.yaml:3:25 terminationGracePeriod 32s is too short: shutdownGrace 20s + the longest stopGracePeriod 8s (job slow) " +
		"+ 5s to close = 33s; a process that is killed leaves its runs to crash recovery. Raise it, or lower the others"
	if got := bad(t, shutdown+"terminationGracePeriod: 32s\n"+list).Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := good(t, "shutdownGrace: 20s\njobs: [{name: a, schedule: '0 5 * * *', func: demo.noop}]").Shutdown().Needs(); got != 25*time.Second {
		t.Errorf("without processes: got %s, want 25s", got)
	}
	_, err := loaded(t, oneJob, config.Overrides{Env: environment("SCHEDULER_TERMINATION_GRACE_PERIOD=30s")})
	if err == nil || !regexp.MustCompile(`^environment: SCHEDULER_TERMINATION_GRACE_PERIOD 30s is too short: .* = 45s;`).MatchString(err.Error()) {
		t.Errorf("the pod's value in the environment: got %v", err)
	}
}

func TestTheClockMayBeOffByALittleOnly(t *testing.T) {
	t.Parallel()
	if got := good(t, "clock: {maxOffset: 100ms}\n"+oneJob).Clock.MaxOffset; got != 100*time.Millisecond {
		t.Errorf("got %s", got)
	}
	for _, bound := range []string{"99ms", "61s", "0s"} {
		const want = "c.yaml:1:20 clock.maxOffset must be from 100ms to 1m"
		if got := bad(t, "clock: {maxOffset: "+bound+"}\n"+oneJob).Error(); got != want {
			t.Errorf("%s: got %s, want %s", bound, got, want)
		}
	}
}

func TestTheRevisionNamesTheTextOfTheFileAndNothingElse(t *testing.T) {
	t.Parallel()
	first := good(t, oneJob).Revision
	if !regexp.MustCompile(`^[0-9a-f]{12}$`).MatchString(first) {
		t.Fatalf("got %q, want 12 hexadecimal digits", first)
	}
	overridden, err := loaded(t, oneJob, config.Overrides{Flags: map[string]string{"namespace": "other"}})
	if err != nil || overridden.Revision != first {
		t.Errorf("the same file with an override: got %v, %v, want %s", overridden, err, first)
	}
	if other := good(t, oneJob+"# a comment\n").Revision; other == first {
		t.Errorf("another text has the same revision %s", other)
	}
}
