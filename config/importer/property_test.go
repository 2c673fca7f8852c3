package importer_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/config/importer"
	"github.com/solocron/solocron/jobs"
)

// tester is what a rapid.T and a testing.T have in common.
type tester interface {
	Fatalf(format string, args ...any)
}

// sound checks what holds of every import of input.
func sound(t tester, input string, r importer.Result) {
	cfg, err := config.Parse("import.yaml", r.YAML, jobs.Kinds(nil))
	switch {
	case r.Jobs == 0 && (err == nil || !strings.Contains(err.Error(), "there are no jobs")):
		t.Fatalf("got %v, want a file of comments:\n%s", err, r.YAML)
	case r.Jobs > 0 && (err != nil || len(cfg.Jobs) != r.Jobs):
		t.Fatalf("got %v, want %d jobs:\n%s", err, r.Jobs, r.YAML)
	case r.Jobs == 0 && !r.Lost():
		t.Fatalf("there is no job and no note that says why")
	}
	lines := strings.Count(input, "\n") + strings.Count(input, "\r") + 1
	for i, n := range r.Notes {
		if n.Line < 0 || n.Line > lines || n.Msg == "" || i > 0 && n.Line < r.Notes[i-1].Line {
			t.Fatalf("got the note %+v in an input of %d lines", n, lines)
		}
	}
}

// line draws a line of a crontab: mostly well formed.
func line() *rapid.Generator[string] {
	field := rapid.OneOf(
		rapid.SampledFrom([]string{"*", "*", "*", "0", "5", "*/2", "1-5", "1,3", "mon", "jan", "0~5", "~", "7", "fri-mon", "?", "L", "60", "*/90", "-", "H", "1-"}),
		rapid.StringMatching(`[0-9*/,~-]{1,5}`),
	)
	command := rapid.OneOf(
		rapid.SampledFrom([]string{"true", "echo a: b", "/x/y.sh # z", `a%b%c`, `date +\%F`, "'", "- x", "{a}", "[ -x a ] && b", "&x", "*x", "@y", "a=b", "\"", "x\\", "|", "> f", "%", "? :", "no", "\u2028", "\ufeff", "ü"}),
		rapid.String(), rapid.StringMatching(`[ -~]{0,40}`),
	)
	return rapid.OneOf(
		rapid.Custom(func(t *rapid.T) string {
			return strings.Join([]string{
				field.Draw(t, "minute"), field.Draw(t, "hour"), field.Draw(t, "day"), field.Draw(t, "month"), field.Draw(t, "weekday"), command.Draw(t, "command"),
			}, " ")
		}),
		rapid.Custom(func(t *rapid.T) string {
			return "@" + rapid.SampledFrom([]string{"daily", "reboot", "Hourly", "every 5m", "midnight", "x"}).Draw(t, "word") + " " + command.Draw(t, "command")
		}),
		rapid.Custom(func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"MAILTO", "SHELL", "CRON_TZ", "TZ", "PATH", "A", "RANDOM_DELAY", "SOLOCRON_X", "B C"}).Draw(t, "name") +
				rapid.SampledFrom([]string{"=", " = ", "=\"", "="}).Draw(t, "sign") +
				rapid.OneOf(rapid.SampledFrom([]string{"Europe/Berlin", "/bin/bash", "a b", "10", "", "a\"", "-1", "Local"}), rapid.String()).Draw(t, "value")
		}),
		rapid.Map(rapid.String(), func(s string) string { return "# " + s }),
		rapid.String(),
		rapid.Just(""),
	)
}

func TestEveryCrontabBecomesAFileThatLoads(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(line(), 0, 12).Draw(t, "lines"), "\n")
		o := importer.Options{Name: rapid.String().Draw(t, "name"), System: rapid.Bool().Draw(t, "system")}
		r, err := importer.Crontab(strings.NewReader(text), o)
		if err != nil {
			t.Fatalf("got %v", err)
		}
		sound(t, text, r)
	})
}

func FuzzCrontab(f *testing.F) {
	seed(f, "testdata/*.crontab")
	f.Fuzz(func(t *testing.T, data []byte, system bool) {
		r, err := importer.Crontab(bytes.NewReader(data), importer.Options{System: system})
		if err != nil {
			t.Fatal(err)
		}
		sound(t, string(data), r)
	})
}

func FuzzCronJob(f *testing.F) {
	seed(f, "testdata/*.k8s.yaml")
	f.Fuzz(func(t *testing.T, data []byte, _ bool) {
		r, err := importer.CronJob(bytes.NewReader(data))
		if err == nil {
			sound(t, string(data), r)
		}
	})
}

func seed(f *testing.F, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		f.Fatalf("%s: %v", pattern, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, false)
		f.Add(data, true)
	}
}
