//go:build linux

package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solocron/solocron/jobs"
)

// journal keeps checkpoints.
type journal struct {
	mu   sync.Mutex
	kept []string
	err  error
}

func (j *journal) keep(data []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		j.kept = append(j.kept, string(data))
	}
	return j.err
}

func (j *journal) all() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]string(nil), j.kept...)
}

// checkpointed runs text with and without a guard and returns what it printed
// and what was kept each time, which must be the same.
func checkpointed(t *testing.T, restored []byte, text string) (printed, kept string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for i, runIt := range []func(context.Context, *testing.T, string, jobs.Exec, jobs.Run) error{runShell, runGuarded} {
		var j journal
		out := lines{}
		run := testRun()
		run.Restored, run.Checkpoint, run.Link = restored, j.keep, jobs.Hooks{OnOutput: out.take}
		if err := runIt(t.Context(), t, text, jobs.Exec{}, run); err != nil {
			t.Fatal(err)
		}
		if left := fileNames(t, dir); len(left) != 0 {
			t.Errorf("got %v left behind", left)
		}
		p, k := strings.ReplaceAll(fmt.Sprint(out), dir, "DIR"), fmt.Sprint(j.all())
		if i > 0 && (p != printed || k != kept) {
			t.Errorf("got %s and %s with a guard, %s and %s without", p, k, printed, kept)
		}
		printed, kept = p, k
	}
	return printed, kept
}

func TestCheckpointOfTheAttemptBeforeIsInAPrivateFile(t *testing.T) {
	printed, kept := checkpointed(t, []byte("row 17"), `cat "$SOLOCRON_CHECKPOINT"; echo; stat -c %a "$SOLOCRON_CHECKPOINT"`)
	if printed != "map[stdout:[row 17 600]]" || kept != "[]" {
		t.Errorf("got %s, kept %s, want row 17 for the owner only, and nothing kept", printed, kept)
	}
}

func TestLastCheckpointIsKeptAtTheEnd(t *testing.T) {
	_, kept := checkpointed(t, nil, `echo a > "$SOLOCRON_CHECKPOINT"; printf b > "$SOLOCRON_CHECKPOINT.new"; mv "$SOLOCRON_CHECKPOINT.new" "$SOLOCRON_CHECKPOINT"`)
	if kept != "[b]" {
		t.Errorf("got %s, want b, which replaced the file", kept)
	}
}

func TestCheckpointIsKeptWhateverEndsTheRun(t *testing.T) {
	t.Parallel()
	var j journal
	run := testRun()
	run.Checkpoint = j.keep
	_ = runGuarded(t.Context(), t, `printf half > "$SOLOCRON_CHECKPOINT"; kill -9 $$`, jobs.Exec{}, run)
	if got := fmt.Sprint(j.all()); got != "[half]" {
		t.Errorf("got %s, want the checkpoint of the killed run", got)
	}
}

func TestCheckpointIsKeptWhileTheRunGoesOn(t *testing.T) {
	t.Parallel()
	var j journal
	run := testRun()
	run.Checkpoint = j.keep
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- runGuarded(ctx, t, `printf early > "$SOLOCRON_CHECKPOINT"; sleep 60`, jobs.Exec{}, run)
	}()
	waitFor(t, "the checkpoint", func() bool { return fmt.Sprint(j.all()) == "[early]" })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := fmt.Sprint(j.all()); got != "[early]" {
		t.Errorf("got %s, want it kept once", got)
	}
}

func TestCheckpointThatIsNoneIsToldOnceAndNotKept(t *testing.T) {
	for text, want := range map[string]string{
		`head -c 65536 /dev/zero > "$SOLOCRON_CHECKPOINT"; head -c 65537 /dev/zero > "$SOLOCRON_CHECKPOINT"; sleep 4.5`: "map[stderr:[the checkpoint was not kept: it has 65537 bytes, over the 65536 that are kept]]",
		`rm "$SOLOCRON_CHECKPOINT"; mkfifo "$SOLOCRON_CHECKPOINT"`:                                                      "map[stderr:[the checkpoint was not kept: it is no regular file]]",
		`rm "$SOLOCRON_CHECKPOINT"`:    "map[]",
		`: > "$SOLOCRON_CHECKPOINT"`:   "map[]",
		`touch "$SOLOCRON_CHECKPOINT"`: "map[]",
	} {
		if printed, kept := checkpointed(t, []byte("x"), text); printed != want || kept != "[]" {
			t.Errorf("%s: got %s, kept %s, want %s and nothing kept", text, printed, kept, want)
		}
	}
}

func TestCheckpointOfTheGreatestLengthIsKeptWhole(t *testing.T) {
	t.Parallel()
	var got []byte
	run := testRun()
	run.Checkpoint = func(data []byte) error { got = bytes.Clone(data); return nil }
	if err := runGuarded(t.Context(), t, `head -c 65536 /dev/zero | tr '\0' z > "$SOLOCRON_CHECKPOINT"`, jobs.Exec{}, run); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, bytes.Repeat([]byte("z"), 65536)) {
		t.Errorf("got %d bytes, want 65536", len(got))
	}
}

func TestJournalThatKeepsNoCheckpointIsToldOnce(t *testing.T) {
	t.Parallel()
	j := journal{err: errors.New("journal: no answer")}
	out := lines{}
	run := testRun()
	run.Checkpoint, run.Link = j.keep, jobs.Hooks{OnOutput: out.take}
	if err := runShell(t.Context(), t, `echo a > "$SOLOCRON_CHECKPOINT"; sleep 4.5`, jobs.Exec{}, run); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(out); got != "map[stderr:[the checkpoint was not kept: journal: no answer]]" {
		t.Errorf("got %s, want one line", got)
	}
}

func TestRunWithoutAUseForCheckpointsHasNoFile(t *testing.T) {
	t.Parallel()
	out := lines{}
	run := testRun()
	run.Link = jobs.Hooks{OnOutput: out.take}
	if err := runGuarded(t.Context(), t, `echo "${SOLOCRON_CHECKPOINT-none}"`, jobs.Exec{}, run); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(out) != "map[stdout:[none]]" {
		t.Errorf("got %v, want none", out)
	}
}

func TestMissingDirectoryForCheckpointsStopsNoRun(t *testing.T) {
	t.Setenv("TMPDIR", "/absent")
	out := lines{}
	run := testRun()
	run.Attempt = 1
	run.Checkpoint, run.Link = func([]byte) error { return nil }, jobs.Hooks{OnOutput: out.take}
	if err := runShell(t.Context(), t, `echo "${SOLOCRON_CHECKPOINT-none}"`, jobs.Exec{}, run); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(out); !strings.Contains(got, "there is no checkpoint file: ") || !strings.Contains(got, "stdout:[none]") {
		t.Errorf("got %s, want a complaint and a run", got)
	}
}

func TestFileOfARunThatWasKilledIsRemovedByALaterAttempt(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	writeAged(t, dir+"/.solocron-nightly.tmp-7", 8*24*time.Hour)
	writeAged(t, dir+"/.solocron-nightly.tmp-8", 6*24*time.Hour)
	run := testRun()
	run.Checkpoint = func([]byte) error { return nil }
	if err := runShell(t.Context(), t, "true", jobs.Exec{}, run); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(fileNames(t, dir)); got != "[.solocron-nightly.tmp-8]" {
		t.Errorf("got %s, want the one of a week ago gone", got)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatal(err)
	}
}
