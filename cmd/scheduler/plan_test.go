package main_test

import (
	"path/filepath"
	"strings"
	"testing"
)

const oldPlan = `
jobs:
  - { name: nightly, schedule: "30 1 * * *", timeZone: Europe/Berlin, shell: "true" }
  - { name: gone, schedule: "0 12 * * 1", shell: "true" }
  - { name: kept, schedule: "0 5 * * *", shell: "true" }
`

const newPlan = `
jobs:
  - { name: nightly, schedule: "30 2 * * *", timeZone: Europe/Berlin, shell: "true" }
  - { name: kept, schedule: "0 5 * * *", shell: "true" }
  - { name: often, schedule: "*/10 5 * * *", shell: "true" }
`

func TestPlanShowsStartsGainedLostAndMoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "old.yaml"), oldPlan)
	write(t, filepath.Join(dir, "new.yaml"), newPlan)
	got := scheduler(t, dir, "plan", "old.yaml", "new.yaml", "--from", "2027-03-27", "--days", "3", "--list", "3")
	if got.code != 1 || got.stderr != "" {
		t.Errorf("got %d %q, want 1 and nothing on stderr", got.code, got.stderr)
	}
	want := `from 2027-03-27T00:00:00Z to 2027-03-30T00:00:00Z (3 days)

nightly   "30 1 * * *" Europe/Berlin becomes "30 2 * * *" Europe/Berlin
   4 moved
   ~ Sat 2027-03-27 01:30:00 +0100 -> 02:30:00 +0100 (1h later)
   ~ Sun 2027-03-28 01:30:00 +0100 -> 03:00:00 +0200 (30m later)   clock changes: 02:30 does not exist on 2027-03-28; runs 03:00
   ~ Mon 2027-03-29 01:30:00 +0200 -> 02:30:00 +0200 (1h later)
   and 1 more

often   starts to run: "*/10 5 * * *" UTC
   18 gained
   + Sat 2027-03-27 05:00:00 +0000
   + Sat 2027-03-27 05:10:00 +0000
   + Sat 2027-03-27 05:20:00 +0000
   and 15 more

gone   runs no longer: "0 12 * * 1" UTC
   1 lost
   - Mon 2027-03-29 12:00:00 +0000

3 jobs differ: 18 gained, 1 lost, 4 moved

BUSIEST MINUTE (UTC)   STARTS   BEFORE   DAYS   FIRST
05:00                  2        1        3      2027-03-27
00:30                  1        1        1      2027-03-29
01:00                  1        0        1      2027-03-28
01:30                  1        0        1      2027-03-27
05:10                  1        0        3      2027-03-27
`
	if got.stdout != want {
		t.Errorf("got\n%s\nwant\n%s", got.stdout, want)
	}
}

func TestPlanOfTheSameFileFindsNoDifference(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "old.yaml"), oldPlan)
	got := scheduler(t, dir, "plan", "old.yaml", "old.yaml")
	if got.code != 0 || !strings.Contains(got.stdout, "no difference in 3 jobs") || got.stderr != "" {
		t.Errorf("got %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
}

func TestPlanSeesASuspendedJobAsOneThatDoesNotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "old.yaml"), oldPlan)
	write(t, filepath.Join(dir, "new.yaml"), strings.Replace(oldPlan, `"0 5 * * *", `, `"0 5 * * *", suspend: true, `, 1))
	got := scheduler(t, dir, "plan", "old.yaml", "new.yaml", "--from", "2027-01-01", "--days", "2", "--list", "0")
	if got.code != 1 || !strings.Contains(got.stdout, "kept   runs no longer") || !strings.Contains(got.stdout, "1 job differs: 0 gained, 2 lost, 0 moved") {
		t.Errorf("got %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
}

func TestSuggestFindsTheMinuteThatOthersLeave(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "config.yaml"), `
jobs:
  - { name: hourly, schedule: "0 * * * *", shell: "true" }
  - { name: half, schedule: "30 * * * *", shell: "true" }
`)
	for _, c := range []struct {
		args string
		want string
	}{
		{"suggest --every 1h -n 1", "15 * * * *      at most 0                  0            15m away"},
		{"suggest --every 1h -n 1 --for half", "30 * * * *      at most 0                  0            30m away"},
		{"suggest --every 30m -n 1", "15/30 * * * *   at most 0                  0            15m away"},
		{"suggest --daily -n 1 --tz Asia/Tokyo", "15 0 * * *                         at most 0                  0            15m away"},
	} {
		got := scheduler(t, dir, strings.Fields(c.args)...)
		lines := strings.Split(got.stdout, "\n")
		if got.code != 0 || len(lines) != 3 || strings.Join(strings.Fields(lines[1]), " ") != strings.Join(strings.Fields(c.want), " ") {
			t.Errorf("%s: got %d:\n%s%s\nwant %s", c.args, got.code, got.stdout, got.stderr, c.want)
		}
	}
}

func TestTheTestsOfAFileAreRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const head = `
calendars:
  - { name: de-holidays, dates: [2026-12-25] }
jobs:
  - name: nightly
    schedule: "30 2 * * *"
    timeZone: Europe/Berlin
    exclude: { calendars: [de-holidays], action: skip }
    shell: "true"
    tests:
      - from: 2027-03-27T12:00:00+01:00
        next: ["2027-03-28T03:00:00+02:00", "2027-03-29T02:30:00+02:00"]
      - from: 2026-12-24T12:00:00+01:00
        next: ["2026-12-26T02:30:00+01:00"]
`
	write(t, filepath.Join(dir, "good.yaml"), head)
	if got := scheduler(t, dir, "test", "good.yaml"); got.code != 0 || got.stdout != "ok: 2 tests\n" || got.stderr != "" {
		t.Errorf("got %d %q %q, want two tests that hold", got.code, got.stdout, got.stderr)
	}
	write(t, filepath.Join(dir, "bad.yaml"), head+`
      - from: 2027-03-27T12:00:00+01:00
        next: ["2027-03-28T02:30:00+01:00"]
  - name: once
    schedule: "@at 2027-01-01T00:00"
    shell: "true"
    tests:
      - from: 2026-06-01T00:00:00Z
        next: ["2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z"]
`)
	got := scheduler(t, dir, "test", "bad.yaml")
	want := `bad.yaml:15: nightly: tick 1 after 2027-03-27T12:00:00+01:00: got 2027-03-28T03:00:00+02:00 (02:30 does not exist on 2027-03-28; runs 03:00), want 2027-03-28T03:30:00+02:00
bad.yaml:21: once: tick 2 after 2026-06-01T00:00:00Z: got none, want 2028-01-01T00:00:00Z
`
	if got.code != 1 || got.stdout != want || got.stderr != "scheduler: 2 of 4 tests failed\n" {
		t.Errorf("got %d %q\n%s\nwant 1\n%s", got.code, got.stderr, got.stdout, want)
	}
}
