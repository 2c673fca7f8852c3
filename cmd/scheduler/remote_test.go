package main_test

import (
	"encoding/json"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"
)

const remoteJobs = `
redis: { addr: embedded }
jobs:
  - name: report
    schedule: "30 2 * * *"
    timeZone: Europe/Berlin
    params:
      - { name: day, default: "2026-01-01" }
      - { name: rows, type: int, default: "3" }
    shell: 'echo "day $SOLOCRON_PARAM_DAY, $SOLOCRON_PARAM_ROWS rows"'
  - name: broken
    schedule: "@yearly"
    retry: { maxAttempts: 2, initialInterval: 100ms }
    shell: "exit 7"
  - name: long
    schedule: "@yearly"
    shell: "echo begin; sleep 60"
`

// ask runs a command against s, which must end with code.
func (s served) ask(t *testing.T, code int, args ...string) ran {
	t.Helper()
	got := scheduler(t, s.cmd.Dir, append(args, "--server", s.url)...)
	if got.code != code {
		t.Fatalf("%v: got %d, want %d\n%s%s", args, got.code, code, got.stdout, got.stderr)
	}
	if code != 0 && strings.Count(got.stderr, "\n") > 1 {
		t.Errorf("%v: what is wrong takes more than a line:\n%s", args, got.stderr)
	}
	return got
}

// says checks that a text matches each of the forms.
func says(t *testing.T, text string, forms ...string) {
	t.Helper()
	for _, form := range forms {
		if !regexp.MustCompile(form).MatchString(text) {
			t.Errorf("no %q in\n%s", form, text)
		}
	}
}

// last is the last word of the first line of what a command printed: the ID of a run.
func last(out string) string {
	line, _, _ := strings.Cut(out, "\n")
	words := strings.Fields(line)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

func TestAJobIsRunLookedAtAndRunAgainFromTheCommandLine(t *testing.T) {
	t.Parallel()
	s := serve(t, remoteJobs)
	s.ready(t)
	got := s.ask(t, 0, "trigger", "report", "--param", "day=2026-11-28", "--param", "rows=5", "--reason", "dns is back", "--key", "k1", "--wait")
	says(t, got.stdout, `(?m)^queued report\.KEY-[0-9a-f]{16}$`, `(?m)^succeeded on \S+ after \d+`)
	run := last(got.stdout)
	if again := s.ask(t, 0, "trigger", "report", "--param", "day=2026-11-28", "--param", "rows=5", "--reason", "dns is back", "--key", "k1"); last(again.stdout) != run {
		t.Errorf("the same key: got %s, want %s", again.stdout, run)
	}
	if got := s.ask(t, 0, "logs", run).stdout; got != "day 2026-11-28, 5 rows\n" {
		t.Errorf("logs: got %q", got)
	}
	says(t, s.ask(t, 0, "run", run).stdout, `(?m)^reason +dns is back$`, `(?m)^param day +2026-11-28$`, `(?m)^status +succeeded$`, `(?m)^attempt +1$`)
	says(t, s.ask(t, 0, "runs", "report").stdout, `(?m)^RUN +STATUS`, `(?m)^`+run+` +succeeded +\S+ +\d{4}-`)
	again := s.ask(t, 0, "rerun", run, "--param", "rows=6", "--wait")
	if got := s.ask(t, 0, "logs", "-f", last(again.stdout)).stdout; got != "day 2026-11-28, 6 rows\n" {
		t.Errorf("logs of the rerun: got %q", got)
	}
	var list struct{ Items []map[string]any }
	if err := json.Unmarshal([]byte(s.ask(t, 0, "runs", "report", "-o", "json").stdout), &list); err != nil || len(list.Items) != 2 {
		t.Errorf("as JSON: got %v, %v, want two runs", list, err)
	}
}

func TestWhatIsWrongWithARequestIsSaidInALine(t *testing.T) {
	t.Parallel()
	s := serve(t, remoteJobs)
	s.ready(t)
	s.ask(t, 0, "trigger", "long")
	until(t, 10*time.Second, "the run", func() bool { return strings.Contains(s.ask(t, 0, "runs").stdout, "running") })
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{5, `No such job.*"nope"`, []string{"trigger", "nope"}},
		{2, `Invalid parameters.*rows "x".*dya is not declared.*day`, []string{"trigger", "report", "--param", "rows=x", "--param", "dya=1"}},
		{6, `already running.*run long\.`, []string{"trigger", "long"}},
		{5, `No such run`, []string{"cancel", "report.20260101T000000Z"}},
		{5, `No such run`, []string{"logs", "report.20260101T000000Z"}},
		{5, `Not a tick.*prev .*next `, []string{"why", "report", "2026-11-29T02:31"}},
		{5, `Not a dead letter`, []string{"dead-letters", "--ack", "report.20260101T000000Z"}},
		{2, `Too many ticks`, []string{"backfill", "report", "--from", "2025-01-01", "--to", "2026-01-01"}},
		{3, `is not a time`, []string{"why", "report", "yesterday"}},
		{3, `does not exist`, []string{"why", "report", "2026-03-29T02:30"}},
	} {
		says(t, s.ask(t, c.code, c.args...).stderr, c.says)
	}
}

func TestARunIsCancelledAndAFailureDealtWithFromTheCommandLine(t *testing.T) {
	t.Parallel()
	s := serve(t, remoteJobs)
	s.ready(t)
	run := last(s.ask(t, 0, "trigger", "long").stdout)
	until(t, 10*time.Second, "its output", func() bool { return strings.Contains(s.ask(t, 0, "logs", run).stdout, "begin") })
	says(t, s.ask(t, 0, "cancel", run, "--reason", "enough").stdout, `^told to stop: `+run)
	until(t, 15*time.Second, "its end", func() bool { return strings.Contains(s.ask(t, 0, "run", run).stdout, "cancelled") })
	says(t, s.ask(t, 6, "cancel", run).stderr, `Run has ended`)

	got := s.ask(t, 10, "trigger", "broken", "--wait", "-q")
	says(t, got.stdout, `failed on \S+ after .*exit status 7`)
	if got.stderr != "" {
		t.Errorf("stderr: got %q, want nothing: the end of the run is said", got.stderr)
	}
	dead := last(got.stdout)
	says(t, s.ask(t, 0, "dead-letters").stdout, `(?m)^`+dead+` +failed`)
	again := last(s.ask(t, 0, "dead-letters", "--redrive", dead).stdout)
	until(t, 15*time.Second, "the second letter", func() bool { return strings.Contains(s.ask(t, 0, "dead-letters").stdout, again) })
	says(t, s.ask(t, 0, "dead-letters", "--ack", again).stdout, `^acknowledged: `+again)
	says(t, s.ask(t, 0, "dead-letters").stderr, `(?m)^no dead letters$`)
}

func TestAJobIsPausedAndAskedAboutFromTheCommandLine(t *testing.T) {
	t.Parallel()
	s := serve(t, remoteJobs)
	s.ready(t)
	says(t, s.ask(t, 0, "job", "pause", "report", "--reason", "upgrade").stdout, `^paused: report until it is resumed`)
	says(t, s.ask(t, 0, "why", "report", "2099-06-01T02:30").stdout,
		`^report, Mon 2099-06-01 02:30:00 \+0200 Europe/Berlin`, `(?m)^02:30:00.000 will be due, in `, `(?m)^now +the job is paused by api: upgrade: it will be skipped$`)
	says(t, s.ask(t, 0, "resume", "report").stdout, `^open: report`)
	says(t, s.ask(t, 0, "pause", "report", "--for", "90m").stdout, `^paused: report until \d{4}-`)
	says(t, s.ask(t, 0, "skip-next", "report").stdout, `^will be skipped: report \d{4}-`)
	var story struct {
		IsTick bool
		Story  []string
	}
	if err := json.Unmarshal([]byte(s.ask(t, 0, "why", "report", "2099-06-01T02:30", "-o", "json").stdout), &story); err != nil || !story.IsTick || len(story.Story) == 0 {
		t.Errorf("as JSON: got %+v, %v", story, err)
	}
	says(t, s.ask(t, 0, "backfill", "report", "--from", "2026-11-01", "--to", "2026-11-03", "--max", "2").stdout,
		`(?m)^report\.20261101T013000Z\.backfill-\w+ +queued`, `(?m)^report\.20261102T013000Z\.backfill-\w+ +queued`)
}

func TestCommandsForReplicasRefuseWhatMakesNoSense(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := "http://" + closed.Addr().String()
	closed.Close()
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"why report", 2, "accepts 2 arg"},
		{"why report 02:30 -o xml", 2, "is none of table"},
		{"trigger report --param day", 2, "not name=value"},
		{"trigger report --param day=1 --param day=2", 2, "given twice"},
		{"runs report --limit 0", 2, "not between"},
		{"pause report --for 1h --until 12:00", 2, "either --until or --for"},
		{"backfill report", 2, "--from and --to"},
		{"backfill report --from 2026-01-01 --to 2026-01-02 --max 2000", 2, "not between"},
		{"dead-letters --ack x --redrive y", 2, "either --ack or --redrive"},
		{"runs --server ftp://x", 2, "not an address"},
		{"runs --server " + addr, 7, "refused"},
	} {
		got := scheduler(t, dir, strings.Fields(c.args)...)
		if got.code != c.code || !strings.Contains(got.stderr, c.says) {
			t.Errorf("%s: got %d %q, want %d and %q", c.args, got.code, got.stderr, c.code, c.says)
		}
	}
}
