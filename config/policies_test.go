package config_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

// policiesOf parses one job with the fields given, below settings for the whole file.
func policiesOf(t *testing.T, top, fields string) jobs.Policies {
	t.Helper()
	cfg := good(t, top+"\njobs:\n  - {name: a, schedule: '0 5 * * *', func: demo.noop, "+fields+"}\n")
	return cfg.Jobs[0].Policies
}

func TestEachPolicyArrivesAsItIsWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fields string
		want   jobs.Policies
	}{
		{"", jobs.Policies{}},
		{"overlapPolicy: skip", jobs.Policies{}},
		{"overlapPolicy: Forbid", jobs.Policies{}},
		{"overlapPolicy: queue", jobs.Policies{Overlap: jobs.QueueOverlap, QueueLimit: 1}},
		{"overlapPolicy: buffer_one", jobs.Policies{Overlap: jobs.QueueOverlap, QueueLimit: 1}},
		{"overlapPolicy: queue, queueLimit: 1000", jobs.Policies{Overlap: jobs.QueueOverlap, QueueLimit: 1000}},
		{"overlapPolicy: replace", jobs.Policies{Overlap: jobs.ReplaceOverlap}},
		{"overlapPolicy: Replace", jobs.Policies{Overlap: jobs.ReplaceOverlap}},
		{"overlapPolicy: allow", jobs.Policies{Overlap: jobs.AllowOverlap}},
		{"overlapPolicy: Allow", jobs.Policies{Overlap: jobs.AllowOverlap}},
		{"catchup: latest", jobs.Policies{}},
		{"catchup: none", jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupNone}}},
		{"catchup: all", jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupAll, Max: 10}}},
		{"catchup: { policy: all, max: 3, spacing: 90s }", jobs.Policies{Catchup: jobs.Catchup{Policy: jobs.CatchupAll, Max: 3, Spacing: 90 * time.Second}}},
		{"retry: { maxAttempts: 1, initialInterval: 1m }", jobs.Policies{}},
		{"retry: { maxAttempts: 3 }", jobs.Policies{Retry: jobs.Retry{MaxAttempts: 3, InitialInterval: 10 * time.Second, BackoffCoefficient: 2, Jitter: 0.2}}},
		{"retry: { maxAttempts: 3, initialInterval: 10m }", jobs.Policies{Retry: jobs.Retry{MaxAttempts: 3, InitialInterval: 10 * time.Minute, BackoffCoefficient: 2, Jitter: 0.2}}},
		{
			"retry: { maxAttempts: 100, initialInterval: 100ms, backoffCoefficient: 1.5, maxInterval: 100ms, jitter: 0, nonRetryableExitCodes: [64, 65] }",
			jobs.Policies{Retry: jobs.Retry{
				MaxAttempts: 100, InitialInterval: 100 * time.Millisecond, BackoffCoefficient: 1.5,
				MaxInterval: 100 * time.Millisecond, NonRetryableExitCodes: []int{64, 65},
			}},
		},
		{"pauseOnFailure: 3", jobs.Policies{PauseOnFailure: 3}},
		{"pauseOnFailure: 0", jobs.Policies{}},
		{"mode: shadow", jobs.Policies{Shadow: true}},
		{"mode: active", jobs.Policies{}},
		{"concurrencyGroup: db", jobs.Policies{Group: "db"}},
		{"history: { succeeded: 10 }", jobs.Policies{History: jobs.History{Succeeded: 10, Failed: 50, MaxAge: 30 * 24 * time.Hour}}},
		{"history: { succeeded: 50, failed: 50, maxAge: 30d }", jobs.Policies{}},
		{"onHolderLost: skip, onInterrupt: rerun, onStoreDown: wait, onOverrun: report, idempotent: false", jobs.Policies{}},
		{"onHolderLost: rerun", jobs.Policies{OnHolderLost: jobs.RerunOnHolderLost}},
		{"onInterrupt: skip", jobs.Policies{OnInterrupt: jobs.SkipOnInterrupt}},
		{"onStoreDown: skip", jobs.Policies{OnStoreDown: jobs.SkipOnStoreDown}},
		{"onStoreDown: run, idempotent: true", jobs.Policies{OnStoreDown: jobs.RunOnStoreDown, Idempotent: true}},
		{"onOverrun: exit", jobs.Policies{OnOverrun: jobs.ExitOnOverrun}},
		{"logs: { maxBytes: 0 }", jobs.Policies{LogLimit: -1}},
		{"logs: { maxBytes: 1Mi }", jobs.Policies{}},
		{"logs: { maxBytes: 512Ki }", jobs.Policies{LogLimit: 512 << 10}},
		{"logs: { maxBytes: 64Mi }", jobs.Policies{LogLimit: 64 << 20}},
		{"logs: { maxBytes: 65536 }", jobs.Policies{LogLimit: 65536}},
		{
			`params: [{ name: region, default: north, choices: [north, south], description: Where }, { name: n, type: int, default: 5 },
			{ name: f, type: number, default: 1.50, choices: ["1.50", 2] }, { name: ok, type: bool, default: True }, { name: must, required: true, default: "" }]`,
			jobs.Policies{Params: []jobs.Param{
				{Name: "region", Type: "string", Default: "north", Description: "Where", Choices: []string{"north", "south"}},
				{Name: "n", Type: "int", Default: "5"},
				{Name: "f", Type: "number", Default: "1.5", Choices: []string{"1.5", "2"}},
				{Name: "ok", Type: "bool", Default: "true"},
				{Name: "must", Type: "string", Required: true},
			}},
		},
	} {
		top := "concurrencyGroups: [{name: db, limit: 2}, {name: unused, limit: 1000}]"
		if got := policiesOf(t, top, c.fields); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.fields, got, c.want)
		}
	}
}

func TestPoliciesOfDefaultsHoldForWhatAJobLeavesOut(t *testing.T) {
	t.Parallel()
	const top = `defaults:
  overlapPolicy: queue
  catchup: { policy: all, max: 3, spacing: 1m }
  retry: { maxAttempts: 5, maxInterval: 1m, nonRetryableExitCodes: [2] }
  pauseOnFailure: 4
  history: { failed: 20 }
  logs: { maxBytes: 64Ki }
`
	base := jobs.Policies{
		Overlap:        jobs.QueueOverlap,
		Catchup:        jobs.Catchup{Policy: jobs.CatchupAll, Max: 3, Spacing: time.Minute},
		Retry:          jobs.Retry{MaxAttempts: 5, InitialInterval: 10 * time.Second, BackoffCoefficient: 2, MaxInterval: time.Minute, Jitter: 0.2, NonRetryableExitCodes: []int{2}},
		PauseOnFailure: 4,
		History:        jobs.History{Succeeded: 50, Failed: 20, MaxAge: 30 * 24 * time.Hour},
		LogLimit:       64 << 10,
	}
	changed := func(change func(*jobs.Policies)) jobs.Policies {
		p := base
		change(&p)
		return p
	}
	for fields, want := range map[string]jobs.Policies{
		"owner: me":           base,
		"pauseOnFailure: 0":   changed(func(p *jobs.Policies) { p.PauseOnFailure, p.QueueLimit = 0, 1 }),
		"overlapPolicy: skip": changed(func(p *jobs.Policies) { p.Overlap = jobs.SkipOverlap }),
		"queueLimit: 7":       changed(func(p *jobs.Policies) { p.QueueLimit = 7 }),
		"catchup: none": changed(func(p *jobs.Policies) {
			p.Catchup, p.QueueLimit = jobs.Catchup{Policy: jobs.CatchupNone}, 1
		}),
		"catchup: { max: 5 }": changed(func(p *jobs.Policies) { p.Catchup.Max, p.QueueLimit = 5, 1 }),
		"retry: { initialInterval: 20s, nonRetryableExitCodes: [] }": changed(func(p *jobs.Policies) {
			p.Retry.InitialInterval, p.Retry.NonRetryableExitCodes, p.QueueLimit = 20*time.Second, []int{}, 1
		}),
		"retry: { maxAttempts: 1 }":    changed(func(p *jobs.Policies) { p.Retry, p.QueueLimit = jobs.Retry{}, 1 }),
		"history: { succeeded: 5 }":    changed(func(p *jobs.Policies) { p.History.Succeeded, p.QueueLimit = 5, 1 }),
		"logs: { maxBytes: 1048576 }":  changed(func(p *jobs.Policies) { p.LogLimit, p.QueueLimit = 0, 1 }),
		"mode: shadow, queueLimit: 10": changed(func(p *jobs.Policies) { p.Shadow, p.QueueLimit = true, 10 }),
	} {
		if got := policiesOf(t, top, fields); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", fields, got, want)
		}
	}
	cfg := good(t, top+oneJob)
	if got := cfg.Defaults.Policies; !reflect.DeepEqual(got, base) {
		t.Errorf("got the defaults %+v, want %+v", got, base)
	}
}

// O8 of the collected bug reports: a misspelt policy was taken for "allow".
func TestAMisspeltPolicyIsRefusedAndNotTakenForAllow(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"Forbidd":   `jobs[a].overlapPolicy "Forbidd" is unknown: there are skip, queue, replace and allow`,
		"replce":    `jobs[a].overlapPolicy "replce" is unknown: did you mean replace? There are skip, queue, replace and allow`,
		"SKIP":      `jobs[a].overlapPolicy "SKIP" is unknown: did you mean skip? There are skip, queue, replace and allow`,
		"BufferOne": `jobs[a].overlapPolicy "BufferOne" is unknown: there are skip, queue, replace and allow`,
		"''":        "jobs[a].overlapPolicy is empty: write skip, queue, replace or allow",
		"true":      `jobs[a].overlapPolicy "true" is unknown: there are skip, queue, replace and allow`,
		"~":         `jobs[a].overlapPolicy has no value: write "" for an empty text`,
	} {
		got := bad(t, "jobs: [{name: a, schedule: '0 5 * * *', func: demo.noop, overlapPolicy: "+word+"}]").Error()
		if want = "c.yaml:1:73 " + want; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", word, got, want)
		}
	}
}

func TestLinksBetweenJobsArriveInEitherForm(t *testing.T) {
	t.Parallel()
	cfg := good(t, `jobs:
  - name: report
    schedule: "0 5 * * *"
    dependsOn: [load, { job: check, condition: finished, window: 2h }]
    triggers: mail
    func: demo.noop
  - name: mail
    triggers: [{ job: alarm, condition: failed }]
    func: demo.noop
  - { name: alarm, schedule: manual, func: demo.noop, timeZone: Europe/Berlin }
  - { name: load, schedule: "0 4 * * *", func: demo.noop, triggers: [check] }
  - { name: check, schedule: "0 4 * * *", func: demo.noop }
`)
	report, mail, alarm := cfg.Jobs[0], cfg.Jobs[1], cfg.Jobs[2]
	if want := []jobs.Dependency{{Job: "load", Condition: "succeeded"}, {Job: "check", Condition: "finished", Window: 2 * time.Hour}}; !reflect.DeepEqual(report.DependsOn, want) {
		t.Errorf("got %+v, want %+v", report.DependsOn, want)
	}
	if want := []jobs.Trigger{{Job: "mail", Condition: "succeeded"}}; !reflect.DeepEqual(report.Triggers, want) {
		t.Errorf("got %+v, want %+v", report.Triggers, want)
	}
	if want := []jobs.Trigger{{Job: "alarm", Condition: "failed"}}; !reflect.DeepEqual(mail.Triggers, want) {
		t.Errorf("got %+v, want %+v", mail.Triggers, want)
	}
	for _, j := range []config.Job{mail, alarm} {
		if !j.Unscheduled || j.Schedule != nil || j.Spec != "" {
			t.Errorf("%s: got unscheduled %t, %v, %q, want no schedule", j.Name, j.Unscheduled, j.Schedule, j.Spec)
		}
	}
	if report.Unscheduled || report.Schedule == nil {
		t.Errorf("got no schedule for %s", report.Name)
	}
}

func TestWhatIsSaidOfParametersIsHandedToTheKinds(t *testing.T) {
	t.Parallel()
	cfg := good(t, `jobs:
  - name: export
    schedule: "0 5 * * *"
    params: [{ name: region, default: north }]
    report: { dsn: "sqlite:a.db", query: "select :region", output: "{{.Params.region}}.csv" }
  - name: hook
    schedule: "0 5 * * *"
    params: [{ name: region, default: north }]
    http: { url: "https://example.org/{{.Params.region}}", body: "{{.Params.region}}" }
  - { name: plain, schedule: "0 5 * * *", http: { url: "https://example.org/" } }
`)
	want := cfg.Jobs[0].Params
	if got := cfg.Jobs[0].Runner.(*jobs.Report).Params; len(got) != 1 || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := cfg.Jobs[1].Runner.(*jobs.HTTP).Params; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := cfg.Jobs[2].Runner.(*jobs.HTTP).Params; got != nil {
		t.Errorf("got %+v for a job without", got)
	}
}

func TestGroupsAndTheBoundOfAReplicaAreSettings(t *testing.T) {
	t.Parallel()
	cfg := good(t, "maxConcurrent: 20\nconcurrencyGroups: [{name: b, limit: 1}, {name: a, limit: 1000}]\n"+oneJob)
	if want := []config.Group{{Name: "b", Limit: 1}, {Name: "a", Limit: 1000}}; cfg.MaxConcurrent != 20 || !reflect.DeepEqual(cfg.Groups, want) {
		t.Errorf("got %d and %+v, want 20 and %+v", cfg.MaxConcurrent, cfg.Groups, want)
	}
	env := func(name string) (string, bool) { return "7", name == "SCHEDULER_MAX_CONCURRENT" }
	over, err := config.Load(written(t, oneJob), config.Overrides{Env: env}, kinds())
	if err != nil || over.MaxConcurrent != 7 {
		t.Errorf("got %v, %v, want the environment's 7", over, err)
	}
	for text, want := range map[string]string{
		"concurrencyGroups: { db: 2 }\n" + oneJob:                                        "c.yaml:1:20 concurrencyGroups must be a list of maps with name and limit, not a map",
		"concurrencyGroups: [" + strings.Repeat("{},", 1001) + "]\n" + oneJob:            "c.yaml:1:20 concurrencyGroups holds 1001 groups: at most 1000",
		"jobs: [{name: a, schedule: '0 5 * * *', func: demo.noop, concurrencyGroup: b}]": `c.yaml:1:76 jobs[a].concurrencyGroup "b" is no concurrency group: there are none below the key concurrencyGroups at the top of the file`,
	} {
		if got := bad(t, text).Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestDefaultsThatDoNotGoWithAJobAreReportedAtTheJob(t *testing.T) {
	t.Parallel()
	got := bad(t, `defaults: { overlapPolicy: allow, retry: { maxInterval: 1m } }
jobs:
  - name: copy
    schedule: "0 5 * * *"
    sync: { source: { dsn: "sqlite:a.db" }, target: { dsn: "sqlite:b.db" }, table: orders, key: id, watermark: n }
  - name: slow
    schedule: "0 5 * * *"
    func: demo.noop
    retry: { maxAttempts: 3, initialInterval: 5m }
`)
	const want = `c.yaml:3:5 jobs[copy].overlapPolicy cannot be allow for a sync: two at once would fight over one checkpoint; write skip, queue or replace
c.yaml:9:12 jobs[slow].retry.maxInterval 1m0s is less than initialInterval, 5m0s`
	if got.Error() != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestALongChainOfJobsIsReadAndALongCycleIsCutShort(t *testing.T) {
	t.Parallel()
	const n = 20_000
	chain := func(last string) string {
		var b strings.Builder
		b.WriteString("jobs:\n")
		for i := range n - 1 {
			fmt.Fprintf(&b, "  - {name: j%d, schedule: '0 5 * * *', func: demo.noop, dependsOn: [j%d]}\n", i, i+1)
		}
		fmt.Fprintf(&b, "  - {name: j%d, schedule: '0 5 * * *', func: demo.noop, dependsOn: [%s]}\n", n-1, last)
		return b.String()
	}
	if cfg := good(t, chain("")); len(cfg.Jobs) != n {
		t.Errorf("got %d jobs", len(cfg.Jobs))
	}
	faults := bad(t, chain("j0"))
	if len(faults) != 1 || !strings.Contains(faults[0].Msg, "(19951 more)") || len(faults[0].Msg) > 1000 {
		t.Errorf("got %.2000v, want one short message", faults)
	}
}

func TestEveryCycleIsNamedOnceWithItsWholePath(t *testing.T) {
	t.Parallel()
	job := func(name, rest string) string {
		return "  - {name: " + name + ", schedule: '0 5 * * *', func: demo.noop, " + rest + "}\n"
	}
	for _, c := range []struct {
		what, jobs string
		want       []string
	}{
		{"triggers", job("a", "triggers: [b]") + job("b", "triggers: [a]"), []string{"3:66 jobs[b].triggers[0] a -> b -> a"}},
		{"dependencies", job("a", "dependsOn: [b]") + job("b", "dependsOn: [a]"), []string{"3:67 jobs[b].dependsOn[0] b -> a -> b"}},
		{"both", job("a", "triggers: [b]") + job("b", "") + job("c", "dependsOn: [b], triggers: [a]"), []string{"4:82 jobs[c].triggers[0] a -> b -> c -> a"}},
		{"waits for what it starts", job("a", "dependsOn: [b], triggers: [b]") + job("b", ""), []string{"2:82 jobs[a].triggers[0] b -> a -> b"}},
		{
			"two rings", job("a", "triggers: [b, c]") + job("b", "triggers: [a]") + job("c", "triggers: [a]"),
			[]string{"3:66 jobs[b].triggers[0] a -> b -> a", "4:66 jobs[c].triggers[0] a -> c -> a"},
		},
		{"a diamond is none", job("a", "triggers: [b, c]") + job("b", "triggers: [d]") + job("c", "triggers: [d]") + job("d", ""), nil},
		{"said twice is none", job("a", "triggers: [b]") + job("b", "dependsOn: [a]"), nil},
	} {
		_, err := config.Parse("", []byte("jobs:\n"+c.jobs), kinds())
		var got []string
		faults, _ := errors.AsType[config.Faults](err)
		for _, f := range faults {
			path := strings.TrimPrefix(f.Msg, "closes a cycle, in which each run would wait for or start the next: ")
			got = append(got, fmt.Sprintf("%d:%d %s %s", f.Line, f.Col, f.Path, strings.TrimSuffix(path, "; remove one of these links")))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", c.what, got, c.want)
		}
	}
}

func TestSizesHaveBinaryUnits(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"1MB":                   `"1MB" has the unknown unit "MB": there are Ki, Mi and Gi: did you mean 1Mi?`,
		"5k":                    `"5k" has the unknown unit "k": there are Ki, Mi and Gi: did you mean 5Ki?`,
		"5x":                    `"5x" has the unknown unit "x": there are Ki, Mi and Gi`,
		"1.5Mi":                 `"1.5Mi" has the unknown unit ".5Mi": there are Ki, Mi and Gi`,
		"-1":                    `"-1" is not a size: write a whole number of bytes such as 65536, 512Ki or 1Mi`,
		"Mi":                    `"Mi" is not a size: write a whole number of bytes such as 65536, 512Ki or 1Mi`,
		"9223372036854775807Gi": `"9223372036854775807Gi" is too large`,
		"1Gi":                   "must be at most 64Mi",
		"~":                     "has no value: write a size such as 1Mi",
		"[1]":                   "must be a size such as 1Mi, not a list",
	} {
		faults := bad(t, "jobs: [{name: a, schedule: '0 5 * * *', func: demo.noop, logs: {maxBytes: "+written+"}}]")
		if got := faults[0]; len(faults) != 1 || got.Path != "jobs[a].logs.maxBytes" || got.Msg != want {
			t.Errorf("%s: got %s, want %s", written, faults, want)
		}
	}
}

func TestAScheduledJobNeedsDefaultsForItsTicks(t *testing.T) {
	t.Parallel()
	const params = "params: [{name: p, required: true, choices: [x, y]}], func: demo.noop}"
	if got := bad(t, "jobs: [{name: a, schedule: '0 5 * * *', "+params+"]").Error(); got != "c.yaml:1:50 jobs[a].params[0].default is missing: the job has a schedule, and its ticks have the default" {
		t.Errorf("got %s", got)
	}
	if cfg := good(t, "jobs: [{name: a, schedule: manual, "+params+"]"); !cfg.Jobs[0].Params[0].Required {
		t.Errorf("got %+v", cfg.Jobs[0].Params)
	}
}
