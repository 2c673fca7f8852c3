package main_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestExitCodesTellWhatIsWrong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bad := write(t, filepath.Join(dir, "bad.yaml"), "jobs:\n  - name: a\n    schedule: nonsense\n    shel: x\n")
	good := write(t, filepath.Join(dir, "good.yaml"), "jobs:\n  - name: a\n    schedule: '@hourly'\n    shell: 'true'\n")
	for _, c := range []struct {
		args string
		code int
		says string // on stderr; "": nothing
	}{
		{"", 0, ""},
		{"--help", 0, ""},
		{"version", 0, ""},
		{"config", 0, ""},
		{"config validate " + good, 0, ""},
		{"next @hourly", 0, ""},
		{"next a -c " + good, 0, ""},

		{"serv", 2, `did you mean serve`},
		{"config valid", 2, `did you mean validate`},
		{"--nope", 2, `unknown flag: --nope`},
		{"serve --nope", 2, `unknown flag: --nope`},
		{"serve extra", 2, `unknown command "extra"`},
		{"config validate", 2, `accepts 1 arg(s), received 0`},
		{"version extra", 2, `unknown command "extra"`},
		{"next", 2, `requires at least 1 arg(s)`},
		{"next nonsense", 2, `nonsense`},
		{"next @hourly -n 0", 2, `not between 1 and`},
		{"next @hourly --tz Berlin", 2, `--tz`},
		{"next b -c " + good, 2, `no job "b"`},
		{"next a --tz UTC -c " + good, 2, `--tz is for an expression`},
		{"dev a b", 2, `accepts at most 1 arg(s)`},
		{"dev --for x", 2, `invalid argument "x"`},
		{"dev --for -1s", 2, `negative`},
		{"dev --listen 0.0.0.0:80", 2, `loopback`},
		{"dev --listen 80", 2, `host:port`},

		{"config validate " + bad, 3, `bad.yaml:3`},
		{"serve -c " + bad, 3, `bad.yaml:4`},
		{"dev " + bad, 3, `bad.yaml:4`},
		{"config validate " + filepath.Join(dir, "none.yaml"), 3, `no such file`},
		{"serve -c " + dir, 3, `scheduler:`},
	} {
		got := scheduler(t, dir, strings.Fields(c.args)...)
		if got.code != c.code {
			t.Errorf("%q: got exit code %d, want %d\n%s", c.args, got.code, c.code, got.stderr)
		}
		if !strings.Contains(got.stderr, c.says) || c.says == "" && got.stderr != "" {
			t.Errorf("%q: stderr is %q, want %q", c.args, got.stderr, c.says)
		}
		if strings.Contains(got.stderr+got.stdout, "goroutine") {
			t.Errorf("%q: a panic\n%s", c.args, got.stderr)
		}
	}
}

func TestHelpTellsTheExitCodes(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--help"}, {"serve", "--help"}, {"config", "validate", "--help"}} {
		got := scheduler(t, t.TempDir(), args...).stdout
		if !strings.Contains(got, "Exit codes:") || !strings.Contains(got, "3  the configuration") {
			t.Errorf("%v: got %s", args, got)
		}
	}
}

func TestValidateListsEveryFaultInOneLineEach(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "bad.yaml"), `
jobs:
  - name: a
    schedule: "61 * * * *"
    shell: "true"
  - name: a
    schedule: "@hourly"
    shell: "true"
    timeot: 5s
`)
	got := scheduler(t, dir, "config", "validate", "bad.yaml")
	lines := strings.Split(strings.TrimSpace(got.stderr), "\n")
	if len(lines) != 3 {
		t.Errorf("got %d lines, want 3:\n%s", len(lines), got.stderr)
	}
	form := regexp.MustCompile(`^bad\.yaml:\d+:\d+ \S+ .+`)
	for _, line := range lines {
		if !form.MatchString(line) {
			t.Errorf("got %q, want file:line:col path message", line)
		}
	}
	if got.stdout != "" {
		t.Errorf("stdout: got %q, want nothing", got.stdout)
	}
}

func TestTheSampleIsValid(t *testing.T) {
	t.Parallel()
	got := scheduler(t, "../..", "config", "validate", "config.yaml")
	if got.code != 0 || !regexp.MustCompile(`^ok: \d+ jobs\n$`).MatchString(got.stdout) {
		t.Errorf("got %d %q %q", got.code, got.stdout, got.stderr)
	}
}

func TestNextShowsMomentsInBothClocks(t *testing.T) {
	t.Parallel()
	got := scheduler(t, t.TempDir(), "next", "30 2 * * *", "--tz", "Europe/Berlin", "-n", "3")
	if got.code != 0 {
		t.Fatalf("got %d: %s", got.code, got.stderr)
	}
	rows := regexp.MustCompile(`(?m)^\d +\w{3} \d{4}-\d\d-\d\d 0[23]:[03]0:00 \+0[12]00 +\d{4}-\d\d-\d\dT0[01]:[03]0:00Z +in \d+.*$`).FindAllString(got.stdout, -1)
	if len(rows) != 3 {
		t.Errorf("got %d rows, want 3:\n%s", len(rows), got.stdout)
	}
}

func TestNextTakesAnExpressionWithoutQuotes(t *testing.T) {
	t.Parallel()
	got := scheduler(t, t.TempDir(), "next", "-n", "2", "0", "12", "1", "1", "1-5")
	if got.code != 0 || strings.Count(got.stdout, "12:00:00 +0000") != 2 {
		t.Errorf("got %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
}

func TestNextSaysWhenThereAreNoMoreMoments(t *testing.T) {
	t.Parallel()
	got := scheduler(t, t.TempDir(), "next", "@at 2001-01-01T00:00:00Z")
	if got.code != 0 || !strings.Contains(got.stdout, "no further moments") {
		t.Errorf("got %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
}
