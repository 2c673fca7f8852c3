package config_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
)

func TestAJobHasWhatIsWrittenAndElseTheDefaults(t *testing.T) {
	t.Parallel()
	cfg := good(t, `namespace: prod/billing
defaults: { timeZone: Europe/Berlin, timeout: 5m, startingDeadline: 1m, labels: { team: billing, tier: "2" } }
jobs:
  - name: plain
    schedule: " 30 2 * * * "
    func: demo.noop
  - name: full
    description: Does it all
    schedule: "@every 10m"
    timeZone: UTC
    timeout: 0
    startingDeadline: 1d
    suspend: true
    overlapPolicy: Forbid
    labels: { tier: 1, x: y }
    owner: me
    runbook: https://example.org/
    retry: { maxAttempts: 1, initialInterval: 10s }
    func: demo.noop
`)
	plain, full := cfg.Jobs[0], cfg.Jobs[1]
	if plain.Runner == nil || plain.Schedule == nil || full.Schedule == nil {
		t.Fatal("a job has no runner or no schedule")
	}
	same, err := schedule.Parse("@every 10m", schedule.Options{Key: "prod/billing/full"})
	if err != nil || full.Schedule.String() != same.String() {
		t.Errorf("got %v, want the phase of namespace/name: %v (%v)", full.Schedule, same, err)
	}
	if got, want := plain.Schedule.Location().String(), "Europe/Berlin"; got != want {
		t.Errorf("got the schedule in %s, want %s", got, want)
	}
	for i := range cfg.Jobs {
		cfg.Jobs[i].Runner, cfg.Jobs[i].Schedule = nil, nil
		cfg.Jobs[i].Hash = "" // see hash_test.go
	}
	want := []config.Job{{
		Job: jobs.Job{
			Name: "plain", Kind: "func", Timeout: 5 * time.Minute, StartingDeadline: time.Minute,
			Labels: map[string]string{"team": "billing", "tier": "2"},
		},
		Spec: "30 2 * * *", TimeZone: "Europe/Berlin", Line: 4,
	}, {
		Job: jobs.Job{
			Name: "full", Kind: "func", StartingDeadline: 24 * time.Hour, Suspend: true, Owner: "me",
			Labels: map[string]string{"team": "billing", "tier": "1", "x": "y"},
		},
		Spec: "@every 10m", TimeZone: "UTC", Description: "Does it all", Runbook: "https://example.org/", Line: 7,
	}}
	if !reflect.DeepEqual(cfg.Jobs, want) {
		t.Errorf("got  %+v\nwant %+v", cfg.Jobs, want)
	}
}

func TestJobsWithLettersInTheirScheduleDoNotShareOne(t *testing.T) {
	t.Parallel()
	cfg := good(t, `jobs:
  - {name: a, schedule: "@every 10m", func: demo.noop}
  - {name: b, schedule: "@every 10m", func: demo.noop}
  - {name: c, schedule: "5 5 * * *", func: demo.noop}
  - {name: d, schedule: "5 5 * * *", func: demo.noop}
  - {name: e, schedule: "5 5 * * *", timeZone: Asia/Tokyo, func: demo.noop}
`)
	moments := make([]string, 0, len(cfg.Jobs))
	for _, j := range cfg.Jobs {
		moments = append(moments, j.Schedule.String())
	}
	if moments[0] == moments[1] || moments[2] != moments[3] || moments[3] == moments[4] {
		t.Errorf("got %q, want a phase for each name, and the same moments for c and d only", moments)
	}
}

func TestACommandGetsItsEnvironmentDirectoryGraceAndExitCodes(t *testing.T) {
	t.Parallel()
	cfg := good(t, `defaults: { stopGracePeriod: 3s }
notify: { channels: { ops: { slack: { url: { env: OPS_HOOK } } }, page: { command: { argv: [/bin/page] } } } }
jobs:
  - name: warm-cache
    schedule: "0 5 * * *"
    command: [/app/warm, --region, eu]
    workingDir: /app
    successExitCodes: [3, 4]
    env: { LOG_LEVEL: info, log_level: no, EMPTY: "", API_KEY: { file: /run/secrets/key } }
  - name: line
    schedule: "0 5 * * *"
    shell: echo hi
    stopGracePeriod: 1500ms
    env: { TOKEN: { env: LINE_TOKEN } }
`)
	command := cfg.Jobs[0].Runner.(*jobs.Command)
	want := jobs.Exec{
		Env: map[string]jobs.Secret{
			"LOG_LEVEL": {Literal: "info"}, "log_level": {Literal: "no"}, "EMPTY": {}, "API_KEY": {File: "/run/secrets/key"},
		},
		Dir: "/app", StopGrace: 3 * time.Second, SuccessExitCodes: []int{3, 4},
		Withheld: map[string]bool{"OPS_HOOK": true, "LINE_TOKEN": true}, // the secrets of others, also of those that follow
	}
	if !reflect.DeepEqual(command.Exec, want) {
		t.Errorf("got %+v, want %+v", command.Exec, want)
	}
	if got := cfg.Notify.Channels["page"].Command.Withheld; !reflect.DeepEqual(got, want.Withheld) {
		t.Errorf("a command that tells people: got %v, want %v", got, want.Withheld)
	}
	if got := cfg.Jobs[1].Runner.(*jobs.Shell).StopGrace; got != 1500*time.Millisecond {
		t.Errorf("got a grace of %s, want 1.5s", got)
	}
}

func TestFieldsOfAProcessAreRefusedWhereThereIsNone(t *testing.T) {
	t.Parallel()
	got := bad(t, "jobs: [{name: a, schedule: '0 5 * * *', func: demo.noop, env: {A: b}, stopGracePeriod: 1s}]")
	const want = `c.yaml:1:63 jobs[a].env is for jobs that start a process, not for func
c.yaml:1:88 jobs[a].stopGracePeriod is for jobs that start a process, not for func`
	if got.Error() != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMergedMapsGiveWhatAJobLeavesOut(t *testing.T) {
	t.Parallel()
	cfg := good(t, `jobs:
  - &base
    name: a
    schedule: "0 5 * * *"
    shell: &line echo hi
    env: &env { A: x }
    timeout: 5m
  - <<: *base
    name: b
    timeout: 6m
    env: { <<: *env, B: y }
  - <<: [{ owner: first }, { owner: second, runbook: r }]
    name: c
    schedule: "0 6 * * *"
    shell: *line
`)
	b, c := cfg.Jobs[1], cfg.Jobs[2]
	if got := fmt.Sprint(b.Spec, b.Timeout, b.Runner.(*jobs.Shell).Text, len(b.Runner.(*jobs.Shell).Env)); got != "0 5 * * *6m0secho hi2" {
		t.Errorf("got %s for b", got)
	}
	if got := c.Owner + c.Runbook + c.Runner.(*jobs.Shell).Text; got != "firstrecho hi" {
		t.Errorf("got %s for c", got)
	}
}

func TestSharedCasesThatAreAcceptedMeanWhatTheyMust(t *testing.T) {
	t.Parallel()
	load := func(file string) []config.Job {
		cfg, err := config.Load("testdata/cases/"+file, config.Overrides{}, kinds())
		if err != nil {
			t.Fatal(err)
		}
		return cfg.Jobs
	}
	shell := func(j config.Job) string { return j.Runner.(*jobs.Shell).Text }
	minimal, full, folded, crlf := load("01-minimal.yaml"), load("02-full.yaml"), load("09-schedule-folded.yaml"), load("25-crlf-literal.yaml")
	percent, no := load("12-percent.yaml"), load("26-booleans-as-text.yaml")
	env := no[0].Runner.(*jobs.Shell).Env
	for _, c := range []struct{ what, got, want string }{
		{"zone of 01", minimal[0].TimeZone, "UTC"},
		{"timeout of 02", full[0].Timeout.String(), "1h30m0s"},
		{"zone of 02", full[0].TimeZone, "Europe/Berlin"},
		{"schedule of 09", folded[0].Spec, "0 5 * * *"},
		{"script of 25", shell(crlf[0]), "echo one\necho two\n"},
		{"command of 10", shell(load("10-comment-cuts-command.yaml")[0]), "curl -s https://example.org/a"},
		{"first of 12", shell(percent[0]), "tar czf /tmp/b-$(date +%Y%m%d).tgz /srv"},
		{"second of 12", shell(percent[1]), `date +\%F`},
		{"timeout of 28b", load("28b-timeout.yaml")[0].Timeout.String(), "24h0m0s"},
		{"timeout of 28e, 0 is no limit", load("28e-timeout.yaml")[0].Timeout.String(), "0s"},
		{"timeout of 28j", load("28j-timeout.yaml")[0].Timeout.String(), "1h30m0s"},
		{"name of 26", no[0].Name, "no"},
		{"env of 26", env["COUNTRY"].Literal + env["SWITCH"].Literal + env["ANSWER"].Literal + env["FLAG"].Literal, "NOonyestrue"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, c.got, c.want)
		}
	}
}

func TestNamesOfJobsFollowTheirRule(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"a": true, "nightly-report": true, "a.b_c-d": true, "0": true, "no": true, "null": true, strings.Repeat("a", 100): true,
		"": false, "-a": false, "a-": false, ".a": false, "a/b": false, "a b": false, "A": false, "ä": false, "a\n": false, strings.Repeat("a", 101): false,
	} {
		_, err := config.Parse("c.yaml", fmt.Appendf(nil, "jobs: [{name: %q, schedule: '0 5 * * *', shell: echo hi}]", name), kinds())
		if (err == nil) != ok {
			t.Errorf("%q: got %v, want accepted %t", name, err, ok)
		}
	}
}
