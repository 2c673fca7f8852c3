package notify_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/notify"
)

func TestACommandFindsTheMessageInItsEnvironment(t *testing.T) {
	t.Setenv("PAGE_KEY", "hunter2-hunter2")
	t.Setenv("SCHEDULER_REDIS_PASSWORD", "of the scheduler")
	t.Setenv("SLACK_OF_OTHERS", "of another channel")
	out := filepath.Join(t.TempDir(), "out")
	script := `printf '%s\n' "$NOTIFY_EVENT|$NOTIFY_JOB|$NOTIFY_TITLE|$KEY|$SCHEDULER_REDIS_PASSWORD$SLACK_OF_OTHERS$PAGE_KEY" "$NOTIFY_JSON" > "` + out + `"`
	err := send(t, config.Channel{Command: &config.CommandAlert{
		Argv: []string{"/bin/sh", "-c", script}, Env: map[string]jobs.Secret{"KEY": {Env: "PAGE_KEY"}, "NOTIFY_JOB": {Literal: "ours wins"}},
		Withheld: map[string]bool{"SLACK_OF_OTHERS": true, "PAGE_KEY": true},
	}}, failure())
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(string(data), "\n")
	if want := "failure|nightly-report|nightly-report failed, 2 times in a row|hunter2-hunter2|"; first != want {
		t.Errorf("got %s, want %s", first, want)
	}
	var list []notify.Message
	if err := json.Unmarshal([]byte(second), &list); err != nil || len(list) != 1 || list[0].Failures != 2 {
		t.Errorf("got %v and %v of %s", list, err, second)
	}
}

func TestACommandThatFailsOrHangsIsAnError(t *testing.T) {
	t.Parallel()
	err := send(t, config.Channel{Command: &config.CommandAlert{Argv: []string{"/bin/sh", "-c", "echo no credit >&2; exit 3"}}}, failure())
	if err == nil || !strings.Contains(err.Error(), "no credit") {
		t.Errorf("got %v, want the last line", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	err = sender(t, config.Channel{Command: &config.CommandAlert{Argv: []string{"/bin/sleep", "60"}}}).Send(ctx, failure())
	if took := time.Since(began); err == nil || took > 20*time.Second {
		t.Errorf("got %v after %s, want its end", err, took)
	}
}
