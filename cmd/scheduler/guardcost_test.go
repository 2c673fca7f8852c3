//go:build linux

package main_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/guard"
	"github.com/solocron/solocron/jobs"
)

// TestGuardBeginsBeforeThePackagesOfTheProgram holds the reason of package early:
// what a guard has to wait for must stay few of the hundreds of packages.
func TestGuardBeginsBeforeThePackagesOfTheProgram(t *testing.T) {
	t.Parallel()
	g := exec.Command(guard.Self()[0], guard.Self()[1:]...)
	g.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	text, err := g.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 2 || !strings.Contains(string(text), "guard: a scheduler starts this") {
		t.Fatalf("got %v and %s, want a guard that misses its pipes", err, text)
	}
	if got := strings.Count(string(text), "init "); got == 0 || got > 40 {
		t.Errorf("got %d packages initialised, want at most 40:\n%s", got, text)
	}
}

// BenchmarkCommand says what a guard costs: the time of a run of /bin/true, and
// the memory of a guard that waits. The test binary has the packages of the
// program, and is linked like it.
func BenchmarkCommand(b *testing.B) {
	for name, argv := range map[string][]string{"direct": nil, "guarded": guard.Self()} {
		c := &jobs.Command{Argv: []string{"/bin/true"}, Guard: argv}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := c.Run(b.Context(), jobs.Run{Job: "bench"}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/run")
		})
	}
	b.Run("memory", func(b *testing.B) {
		for b.Loop() {
			p, err := guard.Start(guard.Self(), exec.Command("sleep", "60"), time.Second, guard.Unlimited())
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(kibibytes(b, p.GuardPid(), "VmHWM:"), "KiB-most")
			b.ReportMetric(kibibytes(b, p.GuardPid(), "RssAnon:"), "KiB-own")
			_ = p.Stop(0) // found out by Wait
			if _, err := p.Wait(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func kibibytes(b *testing.B, pid int, field string) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), field)
	n, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return n
}
