package importer_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/solocron/solocron/config/importer"
	"github.com/solocron/solocron/jobs"
)

func TestALineOfACrontabBecomesAJob(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, name, schedule, shell string
	}{
		{"0 5 * * * /bin/true", "true", "0 5 * * *", "/bin/true"},
		{"\t0\t5 *  * *\techo  two  blanks", "echo-two", "0 5 * * *", "echo  two  blanks"},
		{"@Daily /opt/a.sh", "a", "@daily", "/opt/a.sh"},
		{"@every_minute /opt/a.sh", "a", "* * * * *", "/opt/a.sh"},
		{"0 5 * Jan-MAR Mon,Fri x", "x", "0 5 * Jan-MAR Mon,Fri", "x"},
		{"0 5 * * 7 x # not a comment here", "x", "0 5 * * 7", "x # not a comment here"},
		{"0~59 3~5 * * * x", "x", "H(0-59) H(3-5) * * *", "x"},
		{"0 5 * * * A=b C=d /opt/Über-Job.py", "ber-job", "0 5 * * *", "A=b C=d /opt/Über-Job.py"},
		{"0 5 * * * nice -n 10 sudo -u app timeout 5m python3 -u /x/y.py", "y", "0 5 * * *", "nice -n 10 sudo -u app timeout 5m python3 -u /x/y.py"},
		{`0 5 * * * date +\%F > /tmp/x`, "date", "0 5 * * *", "date +%F > /tmp/x"},
		{`0 5 * * * "my program"`, "my", "0 5 * * *", `"my program"`},
	} {
		r := crontab(t, c.line+"\n", importer.Options{})
		cfg := loaded(t, r)
		if len(cfg.Jobs) != 1 {
			t.Errorf("%s: got %d jobs, want 1: %v", c.line, len(cfg.Jobs), r.Notes)
			continue
		}
		shell, _ := cfg.Jobs[0].Runner.(*jobs.Shell)
		if got := cfg.Jobs[0]; got.Name != c.name || got.Spec != c.schedule || shell == nil || shell.Text != c.shell {
			t.Errorf("%s: got the job %q at %q running %+v, want %q at %q running %q", c.line, got.Name, got.Spec, shell, c.name, c.schedule, c.shell)
		}
	}
}

func TestALineThatIsNoJobIsKeptAsACommentWithItsReason(t *testing.T) {
	t.Parallel()
	for line, words := range map[string][]string{
		"@reboot /usr/bin/x":         {"@reboot", "boots"},
		"@fortnightly x":             {"@fortnightly"},
		"61 5 * * * x":               {"minute", "61"},
		"0 0 30 2 * x":               {"never comes"},
		"0 5 * *":                    {"neither a variable nor a schedule"},
		"0 5 * * *":                  {"no command"},
		"0 5 * * fri-mon x":          {"backwards", "5,6,0,1"},
		"hello world":                {"neither a variable nor a schedule"},
		"0 5 * * * echo \x1b[31mred": {"no text"},
		"0 5 * * * echo \xff\xfe":    {"no text"},
		"@daily":                     {"no command"},
		"0 5 * * * " + strings.Repeat("x", 140_000): {"shell", "bytes long"},
	} {
		r := crontab(t, "# first\n"+line+"\n0 6 * * * /bin/good\n", importer.Options{})
		if cfg := loaded(t, r); len(cfg.Jobs) != 1 || cfg.Jobs[0].Name != "good" {
			t.Errorf("%.40s: want the line after it translated, got %s", line, r.YAML)
		}
		if !says(r, 2, importer.Lost, words...) || !r.Lost() {
			t.Errorf("%.40s: want a note in line 2 with %q, got %v", line, words, r.Notes)
		}
		if !strings.Contains(string(r.YAML), "# line 2") || !strings.Contains(string(r.YAML), "# first") {
			t.Errorf("%.40s: want the line and the comment above it kept, got\n%s", line, r.YAML)
		}
	}
}

func TestVariablesHoldForTheLinesBelowThem(t *testing.T) {
	t.Parallel()
	r := crontab(t, strings.Join([]string{
		"0 1 * * * first",
		"PATH = /a:/b",
		`GREETING="hello  world"`,
		"SHELL=/bin/bash",
		"MAILTO=ops@example.org",
		"SOLOCRON_JOB=x",
		"CRON_TZ=Asia/Tokyo",
		"TZ=Asia/Seoul",
		"0 2 * * * second",
		"MAILTO=",
		"SHELL=/bin/sh",
		"CRON_TZ=Nowhere/Land",
		"0 3 * * * third",
	}, "\n"), importer.Options{})
	cfg := loaded(t, r)
	if len(cfg.Jobs) != 3 {
		t.Fatalf("got %d jobs, want 3", len(cfg.Jobs))
	}
	first, second, third := cfg.Jobs[0], cfg.Jobs[1], cfg.Jobs[2]
	if s := first.Runner.(*jobs.Shell); len(s.Env) != 0 || first.Owner != "" || first.TimeZone != "UTC" {
		t.Errorf("got %+v, want nothing of the lines below it", first)
	}
	c, _ := second.Runner.(*jobs.Command)
	if c == nil || !slices.Equal(c.Argv, []string{"/bin/bash", "-c", "second"}) || c.Env["PATH"].Literal != "/a:/b" ||
		c.Env["GREETING"].Literal != "hello  world" || c.Env["TZ"].Literal != "Asia/Seoul" || len(c.Env) != 3 {
		t.Errorf("got %+v, want bash with PATH, GREETING and TZ", second.Runner)
	}
	if second.Owner != "ops@example.org" || second.TimeZone != "Asia/Tokyo" {
		t.Errorf("got the owner %q in %s, want ops@example.org in Asia/Tokyo", second.Owner, second.TimeZone)
	}
	if third.Owner != "" || third.TimeZone != "UTC" || third.Kind != "shell" {
		t.Errorf("got %+v, want the settings taken back", third)
	}
	for line, words := range map[int]string{5: "MAILTO", 6: "SOLOCRON_JOB", 12: "CRON_TZ"} {
		if !says(r, line, importer.Lost, words) {
			t.Errorf("want a note on %s in line %d, got %v", words, line, r.Notes)
		}
	}
}

func TestTheSystemCrontabHasAUserBeforeTheCommand(t *testing.T) {
	t.Parallel()
	r := crontab(t, "0 5 * * * root /bin/a\n@daily app /bin/b\n", importer.Options{System: true})
	cfg := loaded(t, r)
	if len(cfg.Jobs) != 2 || cfg.Jobs[0].Name != "a" || cfg.Jobs[1].Name != "b" {
		t.Errorf("got %s, want the jobs a and b", r.YAML)
	}
	if !says(r, 0, importer.Lost, `ran as "app"`, "1 line") || !says(r, 0, importer.Lost, `ran as "root"`) {
		t.Errorf("got %v, want both users named", r.Notes)
	}
}

func TestTheReaderIsToldWhatChangesForEveryJob(t *testing.T) {
	t.Parallel()
	r := crontab(t, "0 5 * * * x\n", importer.Options{})
	for _, words := range []string{"UTC", "skipped", "1h", "late", "once in the whole cluster", "PATH", "mailed"} {
		if !says(r, 0, importer.Changed, words) {
			t.Errorf("want a note with %q, got %v", words, r.Notes)
		}
	}
	zoned := crontab(t, "0 5 * * * x\n", importer.Options{TimeZone: "Europe/Berlin"})
	if cfg := loaded(t, zoned); cfg.Jobs[0].TimeZone != "Europe/Berlin" || says(zoned, 0, importer.Changed, "UTC") {
		t.Errorf("got %s and %v, want the zone that was given and no note on UTC", cfg.Jobs[0].TimeZone, zoned.Notes)
	}
	if _, err := importer.Crontab(strings.NewReader(""), importer.Options{TimeZone: "Mars"}); err == nil {
		t.Error("want a zone that is none refused")
	}
}

func TestPercentSignsMakeTheStandardInput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ command, prints string }{
		{`cat%one%two`, "one\ntwo\n"},
		{`cat%one%%two%`, "one\n\ntwo\n"},
		{`cat %it's \% "fine"`, "it's % \"fine\"\n"},
		{`cat; echo end # %x`, "x\nend\n"},
		{`cat%`, ""},
		{`echo 50\%`, "50%\n"},
	} {
		cfg := loaded(t, crontab(t, "0 5 * * * "+c.command+"\n", importer.Options{}))
		cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", cfg.Jobs[0].Runner.(*jobs.Shell).Text)
		got, err := cmd.CombinedOutput()
		if err != nil || string(got) != c.prints {
			t.Errorf("%s: prints %q (%v), want %q", c.command, got, err, c.prints)
		}
	}
}

func TestNamesAreUniqueAndValid(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 300 {
		b.WriteString("0 5 * * * backup\n")
		fmt.Fprintf(&b, "0 5 * * * backup-%d\n", i%5)
	}
	r := crontab(t, b.String(), importer.Options{})
	if r.Jobs != 600 {
		t.Errorf("got %d jobs, want 600: %v", r.Jobs, r.Notes)
	}
	loaded(t, r) // refuses a name that is there twice
}

func TestNoNoteRepeatsASecret(t *testing.T) {
	t.Parallel()
	r := crontab(t, "DB_PASSWORD=hunter2\n0 5 * * * psql -c hunter2\n99 5 * * * psql hunter2\n@reboot hunter2\nTOKEN=\"hunter2\n", importer.Options{})
	for _, n := range r.Notes {
		if strings.Contains(n.String(), "hunter2") {
			t.Errorf("got %s", n)
		}
	}
	if !says(r, 1, importer.Changed, "DB_PASSWORD", "secret") {
		t.Errorf("got %v, want a note on the secret in line 1", r.Notes)
	}
}

func TestWhatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("# x\n", 2<<20)
	if _, err := importer.Crontab(strings.NewReader(huge), importer.Options{}); err == nil || !strings.Contains(err.Error(), "4 MiB") {
		t.Errorf("got %v, want the size refused", err)
	}
	many := crontab(t, strings.Repeat("0 5 * * * x\n", 10_001), importer.Options{})
	if many.Jobs != 10_000 || !says(many, 10_001, importer.Lost, "more than 10000") {
		t.Errorf("got %d jobs and %v, want 10000 and a note", many.Jobs, many.Notes[len(many.Notes)-1])
	}
	wide := crontab(t, "A="+strings.Repeat("x", 128<<10)+"\n"+strings.Repeat("B="+strings.Repeat("x", 100<<10)+"\n0 5 * * * x\n", 30), importer.Options{})
	if !says(wide, 1, importer.Lost, "too long") || wide.Jobs != 30 {
		t.Errorf("got %d jobs and %v, want 30 and the first variable refused", wide.Jobs, wide.Notes[:1])
	}
}

func TestACrontabOfCommentsBecomesComments(t *testing.T) {
	t.Parallel()
	r := crontab(t, "# one\n\n# two\n@reboot x\n", importer.Options{})
	if r.Jobs != 0 || !r.Lost() {
		t.Errorf("got %d jobs, want none, which is a loss", r.Jobs)
	}
	for line := range strings.Lines(string(r.YAML)) {
		if line != "\n" && !strings.HasPrefix(line, "#") {
			t.Errorf("got the line %q, want comments only", line)
		}
	}
}
