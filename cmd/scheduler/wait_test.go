package main_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestCtrlCWhileWaitingLeavesTheRunAndSaysHowToWaitAgain(t *testing.T) {
	t.Parallel()
	s := serve(t, remoteJobs)
	s.ready(t)
	for _, args := range [][]string{{"trigger", "long", "--wait"}, {"run", "logs", "long", "-f"}} {
		p := start(t, s.cmd.Dir, []string{"SOLOCRON_SERVER=" + s.url}, args...)
		until(t, 20*time.Second, "the run", func() bool {
			return strings.Contains(s.ask(t, 0, "run", "list", "long", "--status", "running").stdout, "long.")
		})
		until(t, 20*time.Second, "what is said at first", func() bool { return p.stdout.String() != "" })
		p.signal(t, syscall.SIGINT)
		got := p.wait(t)
		if got.code != 130 {
			t.Errorf("%v: got %d, want 130\n%s%s", args, got.code, got.stdout, got.stderr)
		}
		if args[0] == "trigger" {
			says(t, got.stderr, `interrupted: run long\.KEY-\S+ goes on; to wait again: scheduler run watch long\.KEY-`)
		}
	}
	says(t, s.ask(t, 0, "run", "list", "long", "--status", "running", "-o", "name").stdout, `^long\.`)
}

func TestATokenIsNeededWhereThereIsAuthenticationAndItsRoleCounts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tokens := ""
	for _, role := range []string{"viewer", "operator"} {
		got := scheduler(t, dir, "token", "hash", "--name", role, "--role", role, "--new")
		if got.code != 0 {
			t.Fatalf("got %d\n%s", got.code, got.stderr)
		}
		tokens += got.stdout
		write(t, filepath.Join(dir, role), strings.TrimPrefix(got.stderr, "token: "))
	}
	file := write(t, filepath.Join(dir, "tokens"), tokens)
	s := serve(t, remoteJobs+"admin: { tokens: "+file+" }\n")
	until(t, 20*time.Second, "readiness", func() bool {
		return scheduler(t, dir, "trigger", "report", "--dry-run", "--server", s.url, "--token-file", filepath.Join(dir, "operator")).code == 0
	})
	says(t, s.ask(t, 4, "job", "list").stderr, `(?i)not authenticated`)
	says(t, s.ask(t, 0, "job", "list", "--token-file", filepath.Join(dir, "viewer")).stdout, `(?m)^report `)
	says(t, s.ask(t, 4, "trigger", "report", "--token-file", filepath.Join(dir, "viewer")).stderr, `^scheduler: `)
	says(t, s.ask(t, 0, "trigger", "report", "--wait", "-q", "--token-file", filepath.Join(dir, "operator")).stdout, `(?m)^succeeded on `)
	says(t, s.ask(t, 0, "activity", "list", "--token-file", filepath.Join(dir, "viewer")).stdout, `operator +trigger +report\.KEY-`)
}
