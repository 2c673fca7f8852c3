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
		{"plan " + good + " " + good, 0, ""},
		{"test " + good, 0, ""},
		{"suggest --every 1h -c " + good, 0, ""},

		{"serv", 2, `did you mean serve`},
		{"config valid", 2, `did you mean validate`},
		{"--nope", 2, `unknown flag: --nope`},
		{"serve --nope", 2, `unknown flag: --nope`},
		{"serve extra", 2, `unknown command "extra"`},
		{"config validate", 2, `requires at least 1 arg(s)`},
		{"version extra", 2, `unknown command "extra"`},
		{"next", 2, `requires at least 1 arg(s)`},
		{"next @hourly -n 0", 2, `not between 1 and`},
		{"next @hourly -n x", 2, `invalid argument "x"`},
		{"next @hourly -o xml", 2, `-o "xml" is none of table`},
		{"next @hourly -c " + good, 2, `-c is for the name of a job`},
		{"next a --tz UTC -c " + good, 2, `are for an expression`},
		{"plan " + good, 2, `accepts 2 arg(s), received 1`},
		{"plan " + good + " " + good + " --days 0", 2, `not between 1 and 366`},
		{"plan " + good + " " + good + " --list -1", 2, `not between 0 and`},
		{"test", 2, `accepts 1 arg(s), received 0`},
		{"suggest -c " + good, 2, `either --every`},
		{"suggest --daily --every 1h -c " + good, 2, `either --every`},
		{"suggest --every 7m -c " + good, 2, `divides an hour`},
		{"run lst", 2, `did you mean list`},
		{"job", 0, ""},
		{"help exit-codes", 0, ""},
		{"config validate " + good + " " + good, 0, ""},
		{"config validate " + good + " " + bad, 3, `bad.yaml:3`},
		{"config diff " + good + " --against " + bad, 3, `bad.yaml:3`},
		{"config import crontab " + filepath.Join(dir, "none"), 3, `no such file`},
		{"token hash", 2, `--name and --role`},
		{"token hash --name a --role king", 2, `--role`},
		{"docs man", 2, `accepts 1 arg(s)`},

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
		{"next a -c " + bad, 3, `bad.yaml:3`},
		{"next b -c " + good, 3, `no job "b"`},
		{"plan " + good + " " + bad, 3, `bad.yaml:3`},
		{"plan " + good + " " + good + " --from yesterday", 3, `is not a time`},
		{"test " + bad, 3, `bad.yaml:3`},
		{"suggest --daily -c " + bad, 3, `bad.yaml:3`},
		{"suggest --daily --for b -c " + good, 3, `no job "b"`},
		{"suggest --daily --tz Berlin -c " + good, 3, `--tz`},
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
