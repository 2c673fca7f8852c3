package config_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
)

func TestAByteOrderMarkAndCarriageReturnsAreFine(t *testing.T) {
	t.Parallel()
	cfg := good(t, "\uFEFFnamespace: x\r\njobs:\r\n  - name: a\r\n    schedule: '0 5 * * *'\r\n    shell: echo hi\r\n")
	if cfg.Namespace != "x" || cfg.Jobs[0].Spec != "0 5 * * *" || cfg.Jobs[0].Line != 3 {
		t.Errorf("got %+v, want the file read as if it had neither", cfg)
	}
	got := bad(t, "\uFEFFnamespcae: x\r\n"+oneJob)
	if want := "c.yaml:1:1 namespcae is unknown: did you mean namespace?"; got.Error() != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDocumentMarkersAroundTheOnlyDocumentAreFine(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"---\n" + oneJob, oneJob + "...\n", "# c\n--- # c\n" + oneJob + "# end\n"} {
		good(t, text)
	}
}

func TestBytesThatAreNoTextAreRefusedWithTheirPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a: b\nc: \xff":            "c.yaml:2:4 c holds the byte 0xff, which is not UTF-8: save the file as UTF-8",
		"\xff\xfea\x00":            "c.yaml:1:1 is UTF-16: save the file as UTF-8",
		"a: é\x07":                 "c.yaml:1:5 a holds the control character U+0007: remove it, or write it as an escape in double quotes",
		"a: \u0085":                "c.yaml:1:4 a holds the control character U+0085: remove it, or write it as an escape in double quotes",
		"a: b\n\u2028c: d":         "c.yaml:2:1 c holds the line separator U+2028: replace it by a plain newline",
		"a: b\n  - \x00":           "c.yaml:2:5 holds the control character U+0000: remove it, or write it as an escape in double quotes",
		"a: \uFEFF":                "c.yaml:1:4 a holds the control character U+FEFF: remove it, or write it as an escape in double quotes",
		"# \x7f":                   "c.yaml:1:3 holds the control character U+007F: remove it, or write it as an escape in double quotes",
		"a: [\"\xed\xa0\x80\"]":    "c.yaml:1:6 a holds the byte 0xed, which is not UTF-8: save the file as UTF-8",
		"namespace: x\njobs: \x1b": "c.yaml:2:7 jobs holds the control character U+001B: remove it, or write it as an escape in double quotes",
	} {
		if got := bad(t, text).Error(); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", text, got, want)
		}
	}
}

func TestSyntaxErrorsInALargeFileAreFoundSoonAndInTheirLine(t *testing.T) {
	t.Parallel()
	lines := strings.Split(string(manyJobs(5_000)), "\n")
	start := time.Now()
	good(t, strings.Join(lines, "\n"))
	limit := 20 * (time.Since(start) + 10*time.Millisecond) // a walk per quote or line would take hundreds of times as long
	for _, c := range []struct {
		line       int
		text, want string
	}{
		{10_001, `    schedule: "0 0 * * *`, `c.yaml:10001:15 schedule the quoted text that begins here`},
		{10_001, `    schedule: @daily`, `c.yaml:10001:15 schedule unquoted text cannot begin with @: put the value in quotes: schedule: "@daily"`},
		{10_002, `   func: demo.noop`, `c.yaml:10002:4 func the indentation of this line fits nothing above it: "   func:"`},
	} {
		broken := append([]string(nil), lines...)
		broken[c.line-1] = c.text
		start := time.Now()
		got := bad(t, strings.Join(broken, "\n")).Error()
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		if took := time.Since(start); took > limit {
			t.Errorf("took %s, want less than %s", took, limit)
		}
	}
}

func TestFilesAndListsThatAreTooLargeAreRefused(t *testing.T) {
	t.Parallel()
	huge := bytes.Repeat([]byte{'\n'}, 64<<20+1)
	if _, err := config.Parse("c.yaml", huge, kinds()); fmt.Sprint(err) != "c.yaml: is larger than 64 MiB" {
		t.Errorf("got %v, want the size refused", err)
	}
	many := "jobs:\n" + strings.Repeat("- a\n", 200_001)
	if got, want := bad(t, many).Error(), "c.yaml:2:1 jobs holds 200001 jobs: at most 200000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	labels := strings.Repeat("x, ", 10_001)
	if got := bad(t, "jobs: [{name: a, schedule: '0 5 * * *', command: ["+labels+"]}]").Error(); !strings.Contains(got, "has 10001 items: at most 10000") {
		t.Errorf("got %s, want the list refused", got)
	}
	if got := bad(t, "jobs: [{name: a, schedule: '0 5 * * *', shell: "+strings.Repeat("x", 1<<20+1)+"}]").Error(); !strings.HasSuffix(got, "jobs[a].shell is longer than 1 MiB") {
		t.Errorf("got %s, want the text refused", got)
	}
}

func TestAliasesMayShareWhatIsLarge(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("jobs:\n- &base {name: j0, schedule: '0 5 * * *', shell: echo hi, labels: {a: b, c: d}, owner: me}\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "- {<<: *base, name: j%d}\n", i+1)
	}
	if got := len(good(t, b.String()).Jobs); got != 5001 {
		t.Errorf("got %d jobs, want 5001", got)
	}
}

func TestOnlyTheFirstHundredFaultsAreSpelledOut(t *testing.T) {
	t.Parallel()
	faults := bad(t, "jobs:\n"+strings.Repeat("- text\n", 150))
	lines := strings.Split(faults.Error(), "\n")
	if len(faults) != 150 || len(lines) != 101 || lines[100] != "and 50 more" || !strings.HasPrefix(lines[99], "c.yaml:101:3 jobs[99] ") {
		t.Errorf("got %d faults and %d lines, the last %q", len(faults), len(lines), lines[len(lines)-1])
	}
}

func TestReadingStopsAfterAThousandFaults(t *testing.T) {
	t.Parallel()
	faults := bad(t, "jobs:\n"+strings.Repeat("- text\n", 100_000))
	if last := faults[len(faults)-1]; len(faults) != 1001 || last.Msg != "too many faults: the rest was not checked" {
		t.Errorf("got %d faults, the last %v", len(faults), last)
	}
}

func TestTheSampleIsGood(t *testing.T) {
	t.Parallel()
	cfg, err := config.Load("../config.yaml", config.Overrides{}, kinds())
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Namespace != "demo" || cfg.Redis.Addr != config.Embedded || len(cfg.Jobs) != 10 {
		t.Errorf("got %+v, want the demo with its 10 jobs", cfg)
	}
	nightly := cfg.Jobs[len(cfg.Jobs)-1]
	for _, test := range nightly.Tests {
		at := test.From
		for _, want := range test.Next {
			if at = nightly.Schedule.Next(at); !at.Equal(want) {
				t.Errorf("line %d: got %s, want %s", test.Line, at, want)
			}
		}
	}
	if _, ok := nightly.Schedule.Excluded(moment(t, "2027-12-25T02:30:00+01:00")); !ok || len(nightly.Tests) == 0 {
		t.Errorf("got %+v, want a job with a test and without a run at Christmas", nightly)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"calendars: [{name: c, weekdays: [sat], dates: [12-25], ranges: [{from: 2026-01-01, to: x}]}]\njobs: [{name: a, schedule: ['0 5 * * *', '@at 2027-01-01T00:00'], dst: {gap: run}, jitter: 1h, startAt: 2026-01-01, exclude: {calendars: [c], action: defer}, tests: [{from: 2026-01-01, next: x}], func: demo.noop}]",
		oneJob, string(manyJobs(3)), "- a", "a: &a [*a]", "jobs: [{<<: *x}]", "? [a]\n: b", "jobs:\n  - name: \"a\n", "{", "\t", "--- a\n--- b",
		"redis: {password: {env: A}}\nlease: {ttl: 0.1s}\njobs: [{name: a, schedule: '@every 1s', http: {url: 'http://x', headers: {A: {file: f}}}}]",
		"concurrencyGroups: [{name: g, limit: 2}]\ndefaults: {catchup: none, retry: {maxAttempts: 3}}\njobs: [{name: a, params: [{name: p, type: int, default: 1, choices: [1, 2]}], dependsOn: [b, {job: c, window: 1h}], schedule: '0 5 * * *', concurrencyGroup: g, logs: {maxBytes: 1Mi}, func: demo.noop}, {name: b, schedule: manual, triggers: a, func: demo.noop}]",
		"jobs: [{name: a, schedule: 'H H * * *', sync: {source: {dsn: x}, key: [a], batch: 1}, retry: {maxAttempts: 2}, labels: {a: 1}}]",
	} {
		f.Add([]byte(seed))
	}
	for _, pattern := range []string{"testdata/cases/*.yaml", "testdata/bad/*.yaml", "../config.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	all := kinds()
	f.Fuzz(func(t *testing.T, data []byte) {
		cfg, err := config.Parse("fuzz.yaml", data, all)
		if (cfg == nil) == (err == nil) {
			t.Fatalf("got %v and %v, want one of them", cfg, err)
		}
		if err == nil && len(cfg.Jobs) == 0 {
			t.Fatal("accepted a file without jobs")
		}
		faults, _ := err.(config.Faults) //nolint:errorlint // Parse returns it bare
		lines := bytes.Count(data, []byte{'\n'}) + bytes.Count(data, []byte{'\r'}) + 1
		for _, fault := range faults {
			if fault.Line < 1 || fault.Line > lines || fault.Col < 1 || fault.Msg == "" {
				t.Fatalf("got the fault %+v in a file of %d lines", fault, lines)
			}
		}
	})
}
