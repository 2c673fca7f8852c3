package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/scheduler"
)

const (
	mixed = 30 * time.Second
	// noticed is how long replicas of an older configuration may take to notice that
	// there is a newer one: they look each 5 s, and whenever a claim is refused.
	noticed = 7 * time.Second
	// settles is what the last run of all gets to end.
	settles = 3 * time.Second
)

// A release is one configuration of the roll-out: what each job runs writes down the
// name of its release.
type release struct {
	name, dir string
	schedules map[string]string // by job
}

func (r release) jobs() string {
	var b strings.Builder
	for _, job := range slices.Sorted(maps.Keys(r.schedules)) {
		fmt.Fprintf(&b, "  - name: %s\n    schedule: \"%s\"\n    seconds: true\n    history: {succeeded: 1000, failed: 1000}\n", job, r.schedules[job])
		fmt.Fprintf(&b, "    shell: |\n      echo %s %s%s\n", r.mark(job), markLine, r.file(job))
	}
	return b.String()
}

func (r release) file(job string) string { return filepath.Join(r.dir, job) }

// mark is what a run of job writes. That of the job "same" is the same in every
// release, as its definition is.
func (r release) mark(job string) string {
	if job == "same" {
		return "same"
	}
	return r.name
}

// moments are the ticks of job in (from, to].
func (r release) moments(t *testing.T, job string, from, to time.Time) []time.Time {
	t.Helper()
	s, err := schedule.Parse(r.schedules[job], schedule.Options{Key: "e2e/" + job, Seconds: true})
	if err != nil {
		t.Fatal(err)
	}
	var list []time.Time
	for at := s.Next(from); !at.After(to); at = s.Next(at) {
		list = append(list, at.UTC())
	}
	return list
}

// by are the marks of a release, as moments, each in (from, to].
func by(marks []mark, what string, from, to time.Time) []time.Time {
	var list []time.Time
	for _, m := range marks {
		if m.what == what && m.tick.After(from) && !m.tick.After(to) {
			list = append(list, m.tick.UTC())
		}
	}
	return list
}

// ranJust reports if what a release has run of job in (from, to] is not just these
// moments, each once and in order.
func (r release) ranJust(t *testing.T, job string, from, to time.Time, want []time.Time) {
	t.Helper()
	if got := by(read(t, r.file(job)), r.mark(job), from, to); !slices.EqualFunc(got, want, time.Time.Equal) {
		t.Errorf("%s of release %s ran at %s, want %s", job, r.name, clocks(got), clocks(want))
	}
}

func clocks(list []time.Time) string {
	words := make([]string, len(list))
	for i, at := range list {
		words[i] = at.Format("05")
	}
	return "[" + strings.Join(words, " ") + "]"
}

// recorded reports if the journal does not have just one row for each of these
// moments of job in (from, to], of a run that succeeded.
func recorded(t *testing.T, p *process, job string, from, to time.Time, want []time.Time) {
	t.Helper()
	var list admin.Runs
	p.ask(t, http.MethodGet, "/jobs/"+job+"/runs?limit=1000", "", http.StatusOK, &list)
	var got []time.Time
	for _, x := range list.Items {
		if !x.Tick.After(from) || x.Tick.After(to) {
			continue
		}
		if x.Verdict != scheduler.Succeeded {
			t.Errorf("%s: %s ended as %s (%s), want succeeded", job, x.ID, x.Verdict, x.Reason)
		}
		got = append(got, x.Tick)
	}
	slices.SortFunc(got, time.Time.Compare)
	if !slices.EqualFunc(got, want, time.Time.Equal) {
		t.Errorf("%s: the journal has the ticks %s, want %s", job, clocks(got), clocks(want))
	}
}

// TestARolloutLosesAndDoublesNoTickAndTheNewerDefinitionIsInForce has replicas of two
// configurations side by side for half a minute: one job has another schedule in the
// newer one, one is missing there, one is only there, and one is the same.
func TestARolloutLosesAndDoublesNoTickAndTheNewerDefinitionIsInForce(t *testing.T) {
	t.Parallel()
	server, dir := redistest.Start(t), t.TempDir()
	every := func(n int) string { return fmt.Sprintf("*/%d * * * * *", n) }
	old := release{"old", dir, map[string]string{"same": every(1), "changed": every(2), "removed": every(1)}}
	fresh := release{"new", dir, map[string]string{"same": every(1), "changed": every(3), "added": every(1)}}
	const settings = shortLease + "\nshutdownGrace: 5s\n"

	before := []*process{serve(t, "old-1", server.Addr, settings, old.jobs()), serve(t, "old-2", server.Addr, settings, old.jobs())}
	for _, p := range before {
		p.url(t)
	}
	await(t, "the first runs", 20*time.Second, func() bool { return len(read(t, old.file("same"))) > 1 })
	began := time.Now()
	<-time.After(5 * time.Second) // of the old configuration alone

	rollout := time.Now()
	after := []*process{serve(t, "new-1", server.Addr, settings, fresh.jobs()), serve(t, "new-2", server.Addr, settings, fresh.jobs())}
	for _, p := range after {
		p.url(t)
	}
	await(t, "the first run of the new configuration", 20*time.Second, func() bool { return len(read(t, fresh.file("added"))) > 0 })
	stands := time.Now().Add(noticed)
	<-time.After(mixed)
	end := time.Now()
	for _, p := range before {
		p.terminate(t)
	}
	alone := time.Now()
	<-time.After(5 * time.Second) // of the new configuration alone
	last := time.Now().Add(-time.Second)
	<-time.After(settles)

	// The same in both: not one tick is lost or run twice, by whomever.
	same := old.moments(t, "same", began, last)
	old.ranJust(t, "same", began, last, same)
	recorded(t, after[0], "same", began, last, same)

	// Changed: the old schedule until the new one is there, and then the new one alone,
	// also while replicas that know only the old one live.
	old.ranJust(t, "changed", began, rollout, old.moments(t, "changed", began, rollout))
	old.ranJust(t, "changed", stands, last, nil)
	fresh.ranJust(t, "changed", stands, last, fresh.moments(t, "changed", stands, last))
	recorded(t, after[1], "changed", stands, last, fresh.moments(t, "changed", stands, last))
	twice(t, read(t, fresh.file("changed")))

	// Removed: it is left alone while a replica has it, and never runs again after.
	old.ranJust(t, "removed", began, end.Add(-time.Second), old.moments(t, "removed", began, end.Add(-time.Second)))
	old.ranJust(t, "removed", alone.Add(time.Second), last, nil)

	// Added: nothing from before, and from its first run on each tick once.
	marks := read(t, fresh.file("added"))
	first := marks[0].tick
	if first.Before(rollout.Truncate(time.Second)) {
		t.Errorf("added: the first run is of %s, before it was there", first)
	}
	fresh.ranJust(t, "added", first, last, fresh.moments(t, "added", first, last))
	recorded(t, after[0], "added", first, last, fresh.moments(t, "added", first, last))
}

// twice reports ticks with more than one mark.
func twice(t *testing.T, marks []mark) {
	t.Helper()
	count := map[time.Time]int{}
	for _, m := range marks {
		if count[m.tick]++; count[m.tick] == 2 {
			t.Errorf("the tick %s ran twice", m.tick)
		}
	}
}

// TestANewConfigurationWhosePodIsKilledStandsTheOthersDownForSecondsOnly kills the
// only replica of a new configuration.
func TestANewConfigurationWhosePodIsKilledStandsTheOthersDownForSecondsOnly(t *testing.T) {
	t.Parallel()
	server, dir := redistest.Start(t), t.TempDir()
	old := release{"old", dir, map[string]string{"changed": "* * * * * *"}}
	fresh := release{"new", dir, map[string]string{"changed": "*/2 * * * * *"}}
	for _, name := range []string{"old-1", "old-2"} {
		serve(t, name, server.Addr, shortLease, old.jobs())
	}
	await(t, "the first runs", 20*time.Second, func() bool { return len(read(t, old.file("changed"))) > 1 })
	dying := serve(t, "new-1", server.Addr, shortLease, fresh.jobs())
	await(t, "a run of the new one", 20*time.Second, func() bool {
		return len(by(read(t, old.file("changed")), "new", time.Time{}, time.Now().Add(time.Hour))) > 1
	})
	dying.kill()
	killed := time.Now()
	later := killed.Add(scheduler.EnrolLife)
	await(t, "the old definition in force again", 2*scheduler.EnrolLife, func() bool {
		return len(by(read(t, old.file("changed")), "old", later.Add(-time.Second), killed.Add(time.Hour))) > 3
	})
	marks := read(t, old.file("changed"))
	twice(t, marks)
	if at := marks[len(marks)-1].tick; marks[len(marks)-1].what != "old" {
		t.Errorf("the last run, of %s, is of %s", at, marks[len(marks)-1].what)
	}
}
