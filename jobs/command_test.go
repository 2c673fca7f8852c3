//go:build linux

package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/solocron/solocron/jobs"
)

// lines collects output by stream.
type lines map[string][]string

func (l lines) take(stream, line string) { l[stream] = append(l[stream], line) }

func runShell(ctx context.Context, t *testing.T, text string, e jobs.Exec, run jobs.Run) error {
	t.Helper()
	s := &jobs.Shell{Text: text}
	if err := s.SetExec(e); err != nil {
		t.Fatal(err)
	}
	return s.Run(ctx, run)
}

// running reports whether pid is a process that is not dead.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	state, _ := jobs.StatFields(stat)
	return state != 'Z' && state != 'X'
}

func readPID(t *testing.T, path string) int {
	t.Helper()
	var pid int
	waitFor(t, "a pid in "+path, func() bool {
		b, _ := os.ReadFile(path)
		var err error
		pid, err = strconv.Atoi(strings.TrimSpace(string(b)))
		return err == nil && strings.HasSuffix(string(b), "\n")
	})
	return pid
}

func TestCommandGetsTheIdentityOfItsRun(t *testing.T) {
	t.Setenv("SCHEDULER_REDIS_PASSWORD", "not-for-jobs")
	t.Setenv("SOLOCRON_STALE", "from outside")
	t.Setenv("KEEP_ME", "kept")
	t.Setenv("DATABASE_OF_ANOTHER", "not-for-this-job")
	t.Setenv("THE_KEY", "from the environment")
	got := lines{}
	run := testRun()
	run.Link = jobs.Hooks{OnOutput: got.take}
	dir := t.TempDir()
	c := &jobs.Command{Argv: []string{"env"}, Exec: jobs.Exec{Dir: dir, Env: map[string]jobs.Secret{
		"api_Key": {Env: "THE_KEY"}, "LEVEL": {Literal: "info"},
	}, Withheld: map[string]bool{"THE_KEY": true, "DATABASE_OF_ANOTHER": true}}}
	if err := c.Run(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	env := "\n" + strings.Join(got["stdout"], "\n") + "\n"
	for _, want := range []string{
		"SOLOCRON_RUN_ID=nightly.20261129T013000Z", "SOLOCRON_JOB=nightly", "SOLOCRON_TICK=2026-11-29T01:30:00Z",
		"SOLOCRON_ATTEMPT=2", "SOLOCRON_TOKEN=41", "KEEP_ME=kept", "LEVEL=info", "PWD=" + dir, "api_Key=[env THE_KEY]",
	} {
		if !strings.Contains(env, "\n"+want+"\n") {
			t.Errorf("%s is missing in the environment:%s", want, env)
		}
	}
	for _, bad := range []string{"SCHEDULER_", "SOLOCRON_STALE", "from the environment", "THE_KEY=", "DATABASE_OF_ANOTHER"} {
		if strings.Contains(env, bad) {
			t.Errorf("%s is in the output", bad)
		}
	}
}

func TestSecretThatCannotBeReadNamesTheVariableOnly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "absent")
	err := runShell(t.Context(), t, "true", jobs.Exec{Env: map[string]jobs.Secret{"API_KEY": {File: path}}}, testRun())
	if err == nil || !strings.Contains(err.Error(), "API_KEY") {
		t.Errorf("got %v, want an error that names API_KEY", err)
	}
}

func TestSecretsAreMaskedInOutputAndErrors(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte("s3cr3t-value\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := lines{}
	run := testRun()
	run.Link = jobs.Hooks{OnOutput: got.take}
	err := runShell(t.Context(), t, `echo "key=$KEY"; echo "bad $KEY" >&2; exit 3`,
		jobs.Exec{Env: map[string]jobs.Secret{"KEY": {File: path}}}, run)
	all := fmt.Sprint(got, err)
	if strings.Contains(all, "s3cr3t") || !strings.Contains(err.Error(), "bad [file ") {
		t.Errorf("got %s, want the secret masked", all)
	}
}

func TestExitCodesAreToldWithTheLastLineOfStderr(t *testing.T) {
	t.Parallel()
	err := runShell(t.Context(), t, "echo first >&2; printf '%0300d\\n' 7 >&2; exit 42", jobs.Exec{}, testRun())
	exit, ok := errors.AsType[*jobs.ExitError](err)
	if !ok || exit.Code != 42 || exit.Signal != 0 {
		t.Fatalf("got %#v, want exit code 42", err)
	}
	if want := "exit status 42: " + strings.Repeat("0", 200); err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if err := runShell(t.Context(), t, "exit 42", jobs.Exec{SuccessExitCodes: []int{7, 42}}, testRun()); err != nil {
		t.Errorf("42 is success here, got %v", err)
	}
	if err := runShell(t.Context(), t, "exit 0", jobs.Exec{SuccessExitCodes: []int{7}}, testRun()); err != nil {
		t.Errorf("0 always is success, got %v", err)
	}
	err = runShell(t.Context(), t, "kill -9 $$", jobs.Exec{}, testRun())
	exit, ok = errors.AsType[*jobs.ExitError](err)
	if !ok || exit.Code != -1 || exit.Signal != syscall.SIGKILL {
		t.Errorf("got %#v, want signal 9", err)
	}
}

func TestProgramThatIsMissingFailsToStart(t *testing.T) {
	t.Parallel()
	err := (&jobs.Command{Argv: []string{"/absent/program"}}).Run(t.Context(), testRun())
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "/absent/program") {
		t.Errorf("got %v, want not exist with the path", err)
	}
	err = (&jobs.Command{Argv: []string{"true"}, Exec: jobs.Exec{Dir: "/absent"}}).Run(t.Context(), testRun())
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want not exist for the directory", err)
	}
}

func TestCarriageReturnsOfAWindowsFileDoNoHarm(t *testing.T) {
	t.Parallel()
	got := lines{}
	run := testRun()
	run.Link = jobs.Hooks{OnOutput: got.take}
	if err := runShell(t.Context(), t, "if true; then\r\n  echo a\r\nfi\r\n", jobs.Exec{}, run); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != "map[stdout:[a]]" {
		t.Errorf("got %q, want one line a", got)
	}
}

func TestEndOfTheContextKillsGrandchildrenThatIgnoreSIGTERM(t *testing.T) {
	t.Parallel()
	pidFile := filepath.Join(t.TempDir(), "pid")
	cause := errors.New("lease lost")
	ctx, cancel := context.WithCancelCause(t.Context())
	text := `sh -c 'trap "" TERM; echo $$ > ` + pidFile + `; while :; do sleep 0.05; done' & trap "exit 0" TERM; while :; do sleep 0.05; done`
	ended := make(chan error, 1)
	go func() {
		ended <- runShell(ctx, t, text, jobs.Exec{StopGrace: 300 * time.Millisecond}, testRun())
	}()
	pid := readPID(t, pidFile)
	begin := time.Now()
	cancel(cause)
	err := <-ended
	took := time.Since(begin)
	if !errors.Is(err, cause) {
		t.Errorf("got %v, want the cause of the context", err)
	}
	if running(pid) {
		t.Errorf("grandchild %d survives", pid)
	}
	if took < 300*time.Millisecond || took > 5*time.Second {
		t.Errorf("took %v, want the grace period of 300ms and little more", took)
	}
}

func TestLeaseThatIsNearlyOverShortensTheGracePeriod(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	ready := make(chan struct{})
	run := testRun()
	run.Link = jobs.Hooks{
		Left:     func() time.Duration { return 400 * time.Millisecond },
		OnOutput: func(string, string) { close(ready) },
	}
	ended := make(chan error, 1)
	go func() {
		ended <- runShell(ctx, t, `trap "" TERM; echo ready; while :; do sleep 0.05; done`, jobs.Exec{StopGrace: time.Minute}, run)
	}()
	<-ready
	begin := time.Now()
	cancel()
	err := <-ended
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("took %v, want about 200ms", took)
	}
	exit, ok := errors.AsType[*jobs.ExitError](err)
	if !errors.Is(err, context.Canceled) || !ok || exit.Signal != syscall.SIGKILL {
		t.Errorf("got %v, want cancelled, killed", err)
	}
}

func TestNothingIsLeftBehindByAProgramThatExits(t *testing.T) {
	t.Parallel()
	pidFile := filepath.Join(t.TempDir(), "pid")
	begin := time.Now()
	err := runShell(t.Context(), t, `sleep 60 & echo $! > `+pidFile+`; echo started`, jobs.Exec{}, testRun())
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("took %v: waited for a process left behind", took)
	}
	if pid := readPID(t, pidFile); running(pid) {
		t.Errorf("process %d is left behind", pid)
	}
}

func TestProcessOutsideTheGroupDoesNotHoldTheRun(t *testing.T) {
	t.Parallel()
	pidFile := filepath.Join(t.TempDir(), "pid")
	begin := time.Now()
	err := runShell(t.Context(), t, `setsid sh -c 'echo $$ > `+pidFile+`; exec sleep 60' & while [ ! -s `+pidFile+` ]; do sleep 0.01; done`, jobs.Exec{}, testRun())
	pid := readPID(t, pidFile)
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("took %v, want no wait for the pipe", took)
	}
}

func TestContextThatHasEndedStartsNothing(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "mark")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := runShell(ctx, t, "touch "+mark, jobs.Exec{}, testRun()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want cancelled", err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the command ran")
	}
}

func TestOutputOfAnyLengthIsCutAndMemoryStaysFlat(t *testing.T) {
	var longest, count atomic.Int64
	var last atomic.Value
	run := testRun()
	run.Link = jobs.Hooks{OnOutput: func(_, line string) {
		count.Add(1)
		longest.Store(max(longest.Load(), int64(len(line))))
		last.Store(line)
	}}
	var peak atomic.Int64
	stop := watchHeap(&peak)
	text := `head -c 100000000 /dev/zero | tr '\0' x; echo; head -c 1000000 /dev/zero | tr '\0' '\n'; printf end`
	err := runShell(t.Context(), t, text, jobs.Exec{}, run)
	stop()
	if err != nil {
		t.Fatal(err)
	}
	if got := longest.Load(); got < 16<<10 || got > 17<<10 {
		t.Errorf("the longest line has %d bytes, want 16 KiB and a note", got)
	}
	if got := count.Load(); got != 1_000_002 {
		t.Errorf("got %d lines, want 1000002", got)
	}
	if last.Load() != "end" {
		t.Errorf("got %q, want the last line without its end", last.Load())
	}
	if got := peak.Load(); got > 64<<20 {
		t.Errorf("the heap grew to %d bytes", got)
	}
}

func TestOutputNobodyWantsIsDrained(t *testing.T) {
	t.Parallel()
	if err := runShell(t.Context(), t, `head -c 10000000 /dev/zero; head -c 10000000 /dev/zero >&2`, jobs.Exec{}, testRun()); err != nil {
		t.Error(err)
	}
}
