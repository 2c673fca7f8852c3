package telemetry_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// logged returns the one line that e makes at level, decoded; nil if none.
func logged(t *testing.T, level slog.Level, e scheduler.Event) map[string]any {
	t.Helper()
	var b bytes.Buffer
	telemetry.NewLog(slog.New(telemetry.NewHandler(&b, "json", level))).Observe(e)
	if b.Len() == 0 {
		return nil
	}
	var line map[string]any
	if err := json.Unmarshal(b.Bytes(), &line); err != nil {
		t.Fatalf("%s: %v", b.String(), err)
	}
	return line
}

func TestEveryLineOfARunNamesItsRunAndToken(t *testing.T) {
	t.Parallel()
	for _, phase := range []scheduler.Phase{scheduler.Started, scheduler.Ended, scheduler.Output, scheduler.Noted} {
		e := started("report", 0)
		e.Phase, e.Verdict = phase, scheduler.Succeeded
		line := logged(t, slog.LevelInfo, e)
		for key, want := range map[string]any{
			"job": "report", "tick": "2026-11-29T01:30:00Z", "run": "report.20261129T013000Z",
			"token": 41.0, "replica": "a", "attempt": 1.0,
		} {
			if got := line[key]; got != want {
				t.Errorf("%s: %s: got %v, want %v", phase, key, got, want)
			}
		}
	}
}

func TestTheLevelOfALineFollowsTheVerdict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verdict scheduler.Verdict
		reason  scheduler.Reason
		want    string
	}{
		{scheduler.Succeeded, "", "INFO"},
		{scheduler.Failed, "", "ERROR"},
		{scheduler.TimedOut, "", "ERROR"},
		{scheduler.LeaseLost, "", "ERROR"},
		{scheduler.Missed, scheduler.ReasonStore, "ERROR"},
		{scheduler.Skipped, scheduler.ReasonOverlap, "WARN"},
		{scheduler.Skipped, scheduler.ReasonPaused, "INFO"},
		{scheduler.Interrupted, "", "WARN"},
		{scheduler.Cancelled, "", "WARN"},
	} {
		line := logged(t, slog.LevelDebug, ended("report", c.verdict, c.reason, 0))
		if got := line["level"]; got != c.want {
			t.Errorf("%s %s: got %v, want %s", c.verdict, c.reason, got, c.want)
		}
	}
}

func TestWhatAnotherReplicaRunsIsSaidOnlyWhenDebugging(t *testing.T) {
	t.Parallel()
	e := scheduler.Event{Phase: scheduler.Yielded, Tick: scheduler.Tick{Job: "report", At: at}, By: "b", Replica: "a"}
	if line := logged(t, slog.LevelInfo, e); line != nil {
		t.Errorf("at info: got %v, want nothing", line)
	}
	if got := logged(t, slog.LevelDebug, e)["by"]; got != "b" {
		t.Errorf("by: got %v, want b", got)
	}
}

func TestALineSaysWhyAndForHowLong(t *testing.T) {
	t.Parallel()
	e := ended("report", scheduler.Failed, scheduler.ReasonPanic, 1234567*time.Microsecond)
	e.Err = errors.New("boom")
	line := logged(t, slog.LevelInfo, e)
	for key, want := range map[string]string{
		"msg": "run failed", "reason": "panic", "err": "boom", "took": "1.234567s",
	} {
		if got := line[key]; got != want {
			t.Errorf("%s: got %v, want %v", key, got, want)
		}
	}
}

func TestOutputOfAJobIsOneLineWithItsStreamWhateverItHolds(t *testing.T) {
	t.Parallel()
	e := started("report", 0)
	e.Phase, e.Stream, e.Note = scheduler.Output, "stderr", "a\nlevel=ERROR msg=forged \x1b[31m"
	for _, format := range []string{"text", "json"} {
		var b bytes.Buffer
		telemetry.NewLog(slog.New(telemetry.NewHandler(&b, format, slog.LevelInfo))).Observe(e)
		if got := strings.Count(b.String(), "\n"); got != 1 {
			t.Errorf("%s: got %d lines, want 1: %q", format, got, b.String())
		}
		if strings.Contains(b.String(), "\x1b") {
			t.Errorf("%s: control bytes reach the log: %q", format, b.String())
		}
	}
	if got := logged(t, slog.LevelInfo, e)["stream"]; got != "stderr" {
		t.Errorf("stream: got %v, want stderr", got)
	}
}

func TestALongErrorIsCut(t *testing.T) {
	t.Parallel()
	e := ended("report", scheduler.Failed, "", 0)
	e.Err = errors.New(strings.Repeat("ä", 1<<20))
	if got := len(logged(t, slog.LevelInfo, e)["err"].(string)); got > 5000 {
		t.Errorf("error in the log: got %d bytes, want at most 5000", got)
	}
}

func TestAPipeGetsJSONUnlessTextIsWished(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{"auto": "{", "json": "{", "text": "t"} {
		var b bytes.Buffer
		slog.New(telemetry.NewHandler(&b, format, slog.LevelInfo)).Info("hello")
		if got := b.String()[:1]; got != want {
			t.Errorf("%s: line starts with %q, want %q", format, got, want)
		}
	}
}

func TestTenThousandWaitingTicksMakeAHandfulOfLinesThatSayHowManyAreLeftOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		log := telemetry.NewLog(slog.New(telemetry.NewHandler(&b, "json", slog.LevelInfo)))
		e := scheduler.Event{
			Phase: scheduler.Waiting, Tick: scheduler.Tick{Job: "report", At: at}, Replica: "a",
			Err: errors.New("connection refused"), Retry: time.Second,
		}
		for range 10_000 {
			log.Observe(e)
		}
		time.Sleep(10 * time.Second)
		log.Observe(e)
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		if got := len(lines); got < 2 || got > 20 {
			t.Fatalf("lines: got %d, want a handful", got)
		}
		if last := lines[len(lines)-1]; !strings.Contains(last, `"lines_left_out":999`) {
			t.Errorf("last line: got %s, want the number left out", last)
		}
	})
}

func TestATickThatWaitsByTheRulesIsNotAWarning(t *testing.T) {
	t.Parallel()
	e := scheduler.Event{Phase: scheduler.Waiting, Tick: scheduler.Tick{Job: "report", At: at}, By: "b", Note: "claimed"}
	if line := logged(t, slog.LevelInfo, e); line != nil {
		t.Errorf("got %v, want nothing above debug", line)
	}
}
