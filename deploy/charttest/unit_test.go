package charttest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/solocron/solocron/deploy/charttest"
)

const unit = "../systemd/solocron.service"

// Systemd looks at the unit as it would before it starts it: an unknown word, or a
// program that is not there, is a fault.
func TestSystemdTakesTheUnit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		if os.Getenv("SOLOCRON_ALLOW_SKIP") == "1" {
			t.Skip("no systemd-analyze: install Debian's package systemd")
		}
		t.Fatal("no systemd-analyze: install Debian's package systemd, or set SOLOCRON_ALLOW_SKIP=1")
	}
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "solocron.service")
	here := strings.ReplaceAll(text(t, unit), "/usr/local/bin/scheduler", path)
	if err := os.WriteFile(file, []byte(here), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", file).CombinedOutput(); err != nil || strings.Contains(string(out), file) {
		t.Errorf("%v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true", "--no-pager", file).CombinedOutput()
	found := regexp.MustCompile(`Overall exposure level for .*: ([0-9.]+)`).FindSubmatch(out)
	if err != nil || found == nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, err := strconv.ParseFloat(string(found[1]), 64); err != nil || got > 2 {
		t.Errorf("exposure: got %s of 10, want 2 at most\n%s", found[1], out)
	}
}

func TestTheUnitKillsNoSoonerThanTheSchedulerBelieves(t *testing.T) {
	t.Parallel()
	u := text(t, unit)
	stop := regexp.MustCompile(`(?m)^TimeoutStopSec=(\d+)$`).FindStringSubmatch(u)
	told := regexp.MustCompile(`SCHEDULER_TERMINATION_GRACE_PERIOD=(\d+)s`).FindStringSubmatch(u)
	if stop == nil || told == nil || stop[1] != told[1] {
		t.Errorf("got %v and %v, want the same seconds", stop, told)
	}
}

// The program's commands in the unit are commands it has.
func TestTheUnitStartsWhatThereIs(t *testing.T) {
	t.Parallel()
	lines := regexp.MustCompile(`(?m)^ExecStart(?:Pre)?=/usr/local/bin/scheduler (.*)$`).FindAllStringSubmatch(text(t, unit), -1)
	if len(lines) != 2 {
		t.Fatalf("got %d commands, want 2", len(lines))
	}
	for _, l := range lines {
		args := slices.DeleteFunc(strings.Fields(l[1]), func(a string) bool { return strings.HasPrefix(a, "/") || a == "-c" })
		if out, err := scheduler(t, nil, append(args, "--help")...).CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}

func TestTheTableOfValuesNamesEachOnce(t *testing.T) {
	t.Parallel()
	got, err := charttest.Table("# none\n# -- One of\n# two lines | a bar.\na: 1\nb:\n  # -- Below.\n  c: {d: e}\n  f: []\n# -- As one.\ng:\n  h: x\n")
	if err != nil {
		t.Fatal(err)
	}
	const want = "| value | default | |\n|---|---|---|\n" +
		"| `a` | `1` | One of two lines \\| a bar. |\n| `b.c` | `{\"d\":\"e\"}` | Below. |\n| `b.f` | `[]` |  |\n| `g` | `{\"h\":\"x\"}` | As one. |\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
