package importer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config/importer"
	"github.com/solocron/solocron/jobs"
)

// manifest is a CronJob with more fields in its spec, in its Job's, and in its
// container.
func manifest(spec, job, container string) string {
	return `apiVersion: batch/v1
kind: CronJob
metadata: { name: a }
spec:
  schedule: "0 5 * * *"
` + spec + `
  jobTemplate:
    spec:
` + job + `
      template:
        spec:
          containers:
            - name: c
              command: [/bin/true]
` + container + "\n"
}

func TestTheFieldsOfACronJobBecomeThoseOfAJob(t *testing.T) {
	t.Parallel()
	r := cronJobs(t, manifest("  concurrencyPolicy: Replace\n  startingDeadlineSeconds: 90\n  timeZone: Asia/Tokyo\n  suspend: true\n  failedJobsHistoryLimit: 0",
		"      backoffLimit: 3\n      activeDeadlineSeconds: 60", "              args: [-v]\n              workingDir: /tmp"))
	job := loaded(t, r).Jobs[0]
	c, _ := job.Runner.(*jobs.Command)
	if c == nil || !slices.Equal(c.Argv, []string{"/bin/true", "-v"}) || c.Dir != "/tmp" || c.StopGrace != 30*time.Second {
		t.Errorf("got %+v, want /bin/true -v in /tmp with 30s to stop", job.Runner)
	}
	if job.Overlap != jobs.ReplaceOverlap || job.StartingDeadline != 90*time.Second || job.Timeout != time.Minute || !job.Suspend ||
		job.TimeZone != "Asia/Tokyo" || job.Retry.MaxAttempts != 4 || job.History.Failed != 1 {
		t.Errorf("got %+v, want the fields of the CronJob", job)
	}
	if !says(r, 10, importer.Changed, "history keeps") {
		t.Errorf("got %v, want a note on the history that cannot be 0", r.Notes)
	}
}

func TestWhatACronJobDoesNotSayIsWhatKubernetesTakes(t *testing.T) {
	t.Parallel()
	job := loaded(t, cronJobs(t, manifest("", "", ""))).Jobs[0]
	if job.Overlap != jobs.AllowOverlap || job.Retry.MaxAttempts != 7 || job.Retry.MaxInterval != 6*time.Minute || job.Suspend {
		t.Errorf("got %+v, want overlapping runs and six retries", job)
	}
	none := loaded(t, cronJobs(t, manifest("", "      backoffLimit: 0", ""))).Jobs[0]
	if none.Retry.MaxAttempts > 1 {
		t.Errorf("got %d attempts, want one", none.Retry.MaxAttempts)
	}
}

// TestDaysAreThoseOfKubernetes compares with a walk by the rule of Kubernetes: one
// day field is enough unless one of them is *.
func TestDaysAreThoseOfKubernetes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec string
		is   func(t time.Time) bool
	}{
		{"0 0 */2 * 1", func(t time.Time) bool { return t.Day()%2 == 1 || t.Weekday() == time.Monday }},
		{"0 0 13 * */3", func(t time.Time) bool { return t.Day() == 13 || t.Weekday()%3 == 0 }},
		{"0 0 */2 * *", func(t time.Time) bool { return t.Day()%2 == 1 }},
		{"0 0 * * 1", func(t time.Time) bool { return t.Weekday() == time.Monday }},
		{"0 0 1,15 * ?", func(t time.Time) bool { return t.Day() == 1 || t.Day() == 15 }},
		{"0 0 */1 * 1", func(t time.Time) bool { return t.Weekday() == time.Monday }},
	} {
		text := strings.Replace(manifest("", "", ""), "0 5 * * *", c.spec, 1)
		s := loaded(t, cronJobs(t, text)).Jobs[0].Schedule
		for day := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() == 2027; day = day.AddDate(0, 0, 1) {
			if got := s.Next(day.Add(-time.Second)).Equal(day); got != c.is(day) {
				t.Errorf("%s on %s: got %v, want %v", c.spec, day.Format("Mon 2006-01-02"), got, !got)
				break
			}
		}
	}
}

func TestVariablesOfACronJob(t *testing.T) {
	t.Parallel()
	r := cronJobs(t, manifest("", "", `              args: ["$(A)", "$(B)", "$$(A)", "$(NOWHERE)"]
              env:
                - { name: A, value: old }
                - { name: A, value: one }
                - { name: AA, value: "$(A)-two" }
                - { name: B, valueFrom: { configMapKeyRef: { name: m, key: k } } }
                - { name: IP, valueFrom: { fieldRef: { fieldPath: status.podIP } } }
                - { name: SOLOCRON_X, value: x }`))
	c := loaded(t, r).Jobs[0].Runner.(*jobs.Command)
	if want := []string{"/bin/true", "one", "$(B)", "$(A)", "$(NOWHERE)"}; !slices.Equal(c.Argv, want) {
		t.Errorf("got %q, want %q", c.Argv, want)
	}
	if len(c.Env) != 3 || c.Env["A"].Literal != "one" || c.Env["AA"].Literal != "one-two" || c.Env["B"].Env != "B" {
		t.Errorf("got %+v, want A, AA and B", c.Env)
	}
	for _, words := range []string{"IP", "SOLOCRON_X", "$(B)"} {
		if !slices.ContainsFunc(r.Notes, func(n importer.Note) bool { return n.Severity == importer.Lost && strings.Contains(n.Msg, words) }) {
			t.Errorf("want %s noted as lost, got %v", words, r.Notes)
		}
	}
}

func TestObjectsAreFoundInListsAndDocuments(t *testing.T) {
	t.Parallel()
	one := manifest("", "", "")
	r := cronJobs(t, "---\n"+one+"---\n---\nkind: Secret\n---\nkind: List\nitems:\n- "+strings.ReplaceAll(strings.TrimSpace(one), "\n", "\n  ")+"\n")
	cfg := loaded(t, r)
	if len(cfg.Jobs) != 2 || cfg.Jobs[0].Name != "a" || cfg.Jobs[1].Name != "a-2" {
		t.Errorf("got %s, want the jobs a and a-2", r.YAML)
	}
	if !slices.ContainsFunc(r.Notes, func(n importer.Note) bool { return strings.Contains(n.Msg, "kind Secret is passed over") }) {
		t.Errorf("got %v, want the Secret noted", r.Notes)
	}
}

func TestACronJobThatCannotBecomeAJobIsNoted(t *testing.T) {
	t.Parallel()
	good := manifest("", "", "")
	for name, c := range map[string]struct{ from, to, want string }{
		"no command":       {"              command: [/bin/true]\n", "", "no command"},
		"no container":     {"            - name: c\n              command: [/bin/true]\n", "", "no container"},
		"bad schedule":     {"0 5 * * *", "0 5 * *", "fields"},
		"no schedule":      {"  schedule: \"0 5 * * *\"\n", "", "schedule"},
		"bad zone":         {"  jobTemplate", "  timeZone: Mars\n  jobTemplate", "timeZone"},
		"wrong type":       {"  jobTemplate", "  suspend: [x]\n  jobTemplate", "wrong type, in line 7"},
		"NUL in a command": {"/bin/true", `"a\0b"`, "control character"},
	} {
		r := cronJobs(t, strings.Replace(good, c.from, c.to, 1))
		if r.Jobs != 0 || !slices.ContainsFunc(r.Notes, func(n importer.Note) bool {
			return n.Severity == importer.Lost && n.Line == 1 && strings.Contains(n.Msg, c.want)
		}) {
			t.Errorf("%s: got %d jobs and %v, want a note with %q", name, r.Jobs, r.Notes, c.want)
		}
	}
	for _, text := range []string{"a: [", "\t", "a: &a [*a, *a]\nkind: CronJob\n---\n*x"} {
		if _, err := importer.CronJob(strings.NewReader(text)); err == nil {
			t.Errorf("%q: want an error", text)
		}
	}
}

func TestAliasesDoNotBlowAManifestUp(t *testing.T) {
	t.Parallel()
	bomb := "kind: CronJob\nx0: &x0 {a: b}\n"
	for i := range 30 {
		bomb += fmt.Sprintf("x%d: &x%d {a: *x%d, b: *x%d}\n", i+1, i+1, i, i)
	}
	start := time.Now()
	r := cronJobs(t, bomb+"metadata: {labels: *x30}\nspec: *x30\n")
	if took := time.Since(start); took > 5*time.Second || r.Jobs != 0 {
		t.Errorf("took %s and made %d jobs", took, r.Jobs)
	}
}
