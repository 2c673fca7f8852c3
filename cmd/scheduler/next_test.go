package main_test

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestNextShowsMomentsInBothClocks(t *testing.T) {
	t.Parallel()
	got := scheduler(t, t.TempDir(), "next", "30 2 * * *", "--tz", "Europe/Berlin", "-n", "3")
	if got.code != 0 {
		t.Fatalf("got %d: %s", got.code, got.stderr)
	}
	rows := regexp.MustCompile(`(?m)^\d +\w{3} \d{4}-\d\d-\d\d 0[23]:[03]0:00 \+0[12]00 +\d{4}-\d\d-\d\dT0[01]:[03]0:00Z +in \d+.*$`).FindAllString(got.stdout, -1)
	if len(rows) != 3 {
		t.Errorf("got %d rows, want 3:\n%s", len(rows), got.stdout)
	}
	if !strings.Contains(got.stdout, "means      At 02:30 every day, Europe/Berlin.") {
		t.Errorf("no words in:\n%s", got.stdout)
	}
}

// The acceptance of the schedule language.
func TestNextNotesThatTheClockJumpsOverAMoment(t *testing.T) {
	t.Parallel()
	got := scheduler(t, t.TempDir(), "next", "30 2 * * *", "--tz", "Europe/Berlin", "--from", "2027-03-27T00:00:00+01:00", "-n", "3")
	_, table, _ := strings.Cut(got.stdout, "NOTE\n")
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	if got.code != 0 || len(lines) != 3 {
		t.Fatalf("got %d, want three moments:\n%s%s", got.code, got.stdout, got.stderr)
	}
	for i, want := range []string{
		`^1   Sat 2027-03-27 02:30:00 \+0100   2027-03-27T01:30:00Z   [^ ].*(in|ago)?`,
		`^2   Sun 2027-03-28 03:00:00 \+0200   2027-03-28T01:00:00Z   .* 02:30 does not exist on 2027-03-28; runs 03:00$`,
		`^3   Mon 2027-03-29 02:30:00 \+0200   2027-03-29T00:30:00Z   `,
	} {
		if !regexp.MustCompile(want).MatchString(lines[i]) {
			t.Errorf("got  %s\nwant %s", lines[i], want)
		}
		if noted := strings.Contains(lines[i], "exist"); noted != (i == 1) || strings.HasSuffix(lines[i], " ") {
			t.Errorf("got %q", lines[i])
		}
	}
}

func TestNextAsJSONHasTheFieldsItPromises(t *testing.T) {
	t.Parallel()
	got := scheduler(t, t.TempDir(), "next", "-o", "json", "--tz", "Europe/Berlin", "--from", "2027-03-27T12:00", "-n", "2", "--", "30 2 * * *")
	var v map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &v); err != nil || got.code != 0 || got.stderr != "" {
		t.Fatalf("got %d, %v:\n%s%s", got.code, err, got.stdout, got.stderr)
	}
	words, _ := v["description"].(string)
	if !strings.HasPrefix(words, "At 02:30 every day, Europe/Berlin") {
		t.Errorf("description: got %q", words)
	}
	delete(v, "description")
	want := map[string]any{
		"expression": "30 2 * * *", "timeZone": "Europe/Berlin",
		"items": []any{
			map[string]any{"time": "2027-03-28T03:00:00+02:00", "utc": "2027-03-28T01:00:00Z", "note": "02:30 does not exist on 2027-03-28; runs 03:00"},
			map[string]any{"time": "2027-03-29T02:30:00+02:00", "utc": "2027-03-29T00:30:00Z", "note": ""},
		},
	}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("got  %v\nwant %v", v, want)
	}
}

func TestNextAsJSONHasAnEmptyListWhenNothingFollows(t *testing.T) {
	t.Parallel()
	got := scheduler(t, t.TempDir(), "next", "-o", "json", "@at 2001-01-01T00:00:00Z")
	if got.code != 0 || !strings.Contains(got.stdout, `"items": []`) {
		t.Errorf("got %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
	table := scheduler(t, t.TempDir(), "next", "@at 2001-01-01T00:00:00Z")
	if table.code != 0 || !strings.Contains(table.stdout, "no further moments") {
		t.Errorf("got %d:\n%s%s", table.code, table.stdout, table.stderr)
	}
}

func TestInvalidInputToNextIsOneLineOnStderr(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"61 * * * *"}, `"61" (position 1)`},
		{[]string{"--", "*-5 * * * *"}, `"*-5"`},
		{[]string{"--", "-5 * * * *"}, `"-5"`},
		{[]string{","}, "expected"},
		{[]string{"1,,2 * * * *"}, "empty element"},
		{[]string{"0 0 30 2 *"}, "never comes"},
		{[]string{"* * * *\n*"}, "control character"},
		{[]string{strings.Repeat("1,", 600) + "1 * * * *"}, "too long"},
		{[]string{"nonsense"}, `"nonsense" is no expression`},
		{[]string{"61"}, `"61" is no expression`},
		{[]string{"H * * * *"}, "--key"},
		{[]string{"0 0 0 1 1 *"}, "--seconds"},
		{[]string{"--seconds", "0 0 1 1 *"}, "6 expected"},
		{[]string{"@hourly", "--tz", "Berlin"}, "did you mean Europe/Berlin"},
		{[]string{"@hourly", "--tz", "Local"}, "depends on the host"},
		{[]string{"@hourly", "--from", "tomorrow"}, "is not a time"},
		{[]string{"@hourly", "--from", ""}, ""},
		{[]string{"@hourly", "--from", "2027-02-30"}, "is not a time"},
		{[]string{"@hourly", "--tz", "Europe/Berlin", "--from", "2027-03-28T02:30"}, "does not exist"},
		{[]string{"@hourly", "--tz", "America/Santiago", "--from", "2026-09-06"}, "does not exist"},
	} {
		got := scheduler(t, dir, append([]string{"next", "-n", "1"}, c.args...)...)
		if c.says == "" {
			if got.code != 0 || got.stderr != "" {
				t.Errorf("%q: got %d %q, want success", c.args, got.code, got.stderr)
			}
			continue
		}
		if got.code != 3 || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, c.says) || got.stdout != "" {
			t.Errorf("%q: got %d %q %q, want 3 and one line that says %q", c.args, got.code, got.stderr, got.stdout, c.says)
		}
	}
	write(t, filepath.Join(dir, "config.yaml"), "jobs: 1\nx: 2\n")
	if got := scheduler(t, dir, "next", "nonsense"); got.code != 3 || strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("a broken config.yaml that nobody asked for: got %d %q, want 3 and one line", got.code, got.stderr)
	}
}

func TestFromIsReadInTheZoneOfTheSchedule(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, zone, want string }{
		{"2027-03-27", "Europe/Berlin", "2027-03-26T23:01:00Z"},
		{"2027-03-27 02:30", "Europe/Berlin", "2027-03-27T01:31:00Z"},
		{"2027-03-27T02:30:59", "Asia/Kathmandu", "2027-03-26T20:46:00Z"},
		{"2027-03-27T02:30:00Z", "Asia/Kathmandu", "2027-03-27T02:31:00Z"},
		{"2027-10-31T02:30", "Europe/Berlin", "2027-10-31T00:31:00Z"}, // comes twice: the first
		{"2027-03-27", "", "2027-03-27T00:01:00Z"},
		{"2011-12-31", "Pacific/Apia", "2011-12-30T10:01:00Z"}, // the day before does not exist
	} {
		args := []string{"next", "* * * * *", "-n", "1", "-o", "json", "--from", c.from, "--tz", c.zone}
		got := scheduler(t, t.TempDir(), args...)
		if got.code != 0 || !strings.Contains(got.stdout, `"utc": "`+c.want+`"`) {
			t.Errorf("%s in %q: got %d, want %s\n%s%s", c.from, c.zone, got.code, c.want, got.stdout, got.stderr)
		}
	}
}

func TestNextTakesAnExpressionWithoutQuotes(t *testing.T) {
	t.Parallel()
	got := scheduler(t, t.TempDir(), "next", "-n", "2", "0", "12", "1", "1", "1-5")
	if got.code != 0 || strings.Count(got.stdout, "12:00:00 +0000") != 2 {
		t.Errorf("got %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
}

func TestNextReadsSecondsAndKeysWhenItIsTold(t *testing.T) {
	t.Parallel()
	got := scheduler(t, t.TempDir(), "next", "--seconds", "*/20 * * * * *", "--from", "2027-01-01T00:00:30Z", "-n", "1", "-o", "json")
	if got.code != 0 || !strings.Contains(got.stdout, `"2027-01-01T00:00:40Z"`) {
		t.Errorf("seconds: got %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
	var seen []string
	for _, key := range []string{"prod/a", "prod/b", "prod/a"} {
		got := scheduler(t, t.TempDir(), "next", "H H * * *", "--key", key, "-n", "1", "-o", "json")
		if got.code != 0 {
			t.Fatalf("%s: got %d: %s", key, got.code, got.stderr)
		}
		seen = append(seen, got.stdout)
	}
	if seen[0] != seen[2] || seen[0] == seen[1] {
		t.Errorf("got %q, want one moment per key", seen)
	}
}

func TestWhatIsHardlyMeantIsAWarningBesideTheAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expr, says string }{
		{"*/90 * * * *", "@every 90m"},
		{"@every 1h", "--key"},
	} {
		got := scheduler(t, t.TempDir(), "next", c.expr, "-o", "json")
		if got.code != 0 || !strings.HasPrefix(got.stderr, "warning: ") || !strings.Contains(got.stderr, c.says) || !json.Valid([]byte(got.stdout)) {
			t.Errorf("%s: got %d %q\n%s", c.expr, got.code, got.stderr, got.stdout)
		}
	}
}

// next for a job shows what the engine will do: the job's zone, key and rules.
func TestNextKnowsTheRulesOfAJob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "config.yaml"), `
calendars:
  - { name: de-holidays, dates: [2026-12-25] }
jobs:
  - name: nightly
    schedule: "30 2 * * *"
    timeZone: Europe/Berlin
    exclude: { calendars: [de-holidays], action: skip }
    suspend: true
    shell: "true"
`)
	got := scheduler(t, dir, "next", "nightly", "--from", "2026-12-24", "-n", "2")
	if got.code != 0 || !strings.Contains(got.stdout, "excluded by de-holidays") || !strings.Contains(got.stdout, "zone       Europe/Berlin") {
		t.Errorf("got %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
	if !strings.Contains(got.stderr, "suspended") {
		t.Errorf("stderr is %q, want that the job is suspended", got.stderr)
	}
	write(t, filepath.Join(dir, "byhand.yaml"), "jobs:\n  - { name: byhand, schedule: manual, shell: 'true' }\n")
	if got := scheduler(t, dir, "next", "byhand", "-c", "byhand.yaml"); got.code != 3 || !strings.Contains(got.stderr, "on request only") {
		t.Errorf("a job without a schedule: got %d %q, want 3 and that it has none", got.code, got.stderr)
	}
	if got := scheduler(t, dir, "next", "nightli"); got.code != 3 || !strings.Contains(got.stderr, "did you mean nightly?") {
		t.Errorf("got %d %q, want 3 and the name that was meant", got.code, got.stderr)
	}
}

func TestEveryCommandOfTheScheduleLanguageIsListed(t *testing.T) {
	t.Parallel()
	help := scheduler(t, t.TempDir(), "--help").stdout
	for _, name := range []string{"next", "plan", "test", "suggest"} {
		if !slices.ContainsFunc(strings.Split(help, "\n"), func(line string) bool { return strings.HasPrefix(line, "  "+name+" ") }) {
			t.Errorf("%s is not in\n%s", name, help)
		}
	}
}
