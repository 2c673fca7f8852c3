package main_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptJobs are the jobs that the scripts speak of.
const scriptJobs = `
redis: { addr: embedded }
namespace: script
replica: pod-0
jobs:
  - name: nightly-report
    schedule: "30 2 * * *"
    timeZone: Europe/Berlin
    owner: finance
    labels: { team: billing }
    params:
      - { name: day, default: "2026-01-01" }
    shell: 'echo "report of $SOLOCRON_PARAM_DAY"; echo done'
  - name: broken
    schedule: "@yearly"
    shell: "echo oops; exit 7"
  - name: flaky
    schedule: "@yearly"
    retry: { maxAttempts: 2, initialInterval: 100ms }
    shell: "echo try $SOLOCRON_ATTEMPT; exit 3"
  - name: long
    schedule: "@yearly"
    shell: "echo begin; sleep 60"
  - name: steps
    schedule: "@yearly"
    shell: "echo one; sleep 2; echo two"
  - name: weekly
    schedule: "0 6 * * 1"
    suspend: true
    shell: "true"
`

// TestTheCommandLineAsPeopleUseIt runs each file of testdata/script with the program
// against a replica of its own.
func TestTheCommandLineAsPeopleUseIt(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") == "1",
		Setup: func(env *testscript.Env) error {
			s := serve(t, scriptJobs)
			s.ready(t)
			bin := filepath.Join(env.WorkDir, "bin")
			if err := os.Mkdir(bin, 0o700); err != nil {
				return err
			}
			// The test binary is the program if the environment says so.
			if err := os.Symlink(self, filepath.Join(bin, "scheduler")); err != nil {
				return fmt.Errorf("program: %w", err)
			}
			env.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			env.Setenv("SOLOCRON_TEST_MAIN", "1")
			env.Setenv("SOLOCRON_SERVER", s.url)
			env.Setenv("GOCOVERDIR", env.WorkDir)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"code": exitsWith},
	})
}

// exitsWith runs the program, which must end with a code: code 10 trigger broken --wait.
func exitsWith(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N args...")
	}
	err := ts.Exec("scheduler", args[1:]...)
	code := "0"
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = strconv.Itoa(exit.ExitCode())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s\n%s%s", code, args[0], ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}
