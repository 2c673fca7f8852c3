package daemon_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

// A plant is a replica whose configuration is a file.
type plant struct {
	*daemon.Daemon
	t     *testing.T
	file  string
	log   logBook
	feed  *journal.Feed
	runs  atomic.Int64
	long  atomic.Int64 // runs of the long job that go on
	hooks atomic.Int64

	journal journalAway
	stop    func() error
}

// text is a configuration of n jobs that run at night, and two that run now.
func text(n int, more string) string {
	var b strings.Builder
	b.WriteString("namespace: test\nreplica: pod-0\nadmin: {listen: '127.0.0.1:0'}\nshutdownGrace: 10ms\n" + more + "\njobs:\n")
	b.WriteString("  - {name: now, schedule: '@every 1s', func: test.count}\n  - {name: long, schedule: '@every 1s', func: test.long, timeout: 0}\n")
	for i := range n {
		fmt.Fprintf(&b, "  - {name: job-%d, schedule: '%d 3 * * *', func: test.nothing}\n", i, i%60)
	}
	return b.String()
}

// build writes a configuration to file and starts a replica that watches it.
func build(t *testing.T, file, content string) *plant {
	t.Helper()
	p := &plant{t: t, file: file}
	p.journal.Journal = memjournal.New(nil)
	if content != "" {
		p.write(content)
	}
	kinds := jobs.Kinds(map[string]jobs.Func{
		"test.count":   func(context.Context, jobs.Run) error { p.runs.Add(1); return nil },
		"test.nothing": nothing,
		"test.long": func(ctx context.Context, _ jobs.Run) error {
			p.long.Add(1)
			defer p.long.Add(-1)
			<-ctx.Done()
			return ctx.Err()
		},
	})
	load := func() (*config.Config, error) { return config.Load(file, config.Overrides{}, kinds) }
	cfg, err := load()
	if err != nil {
		t.Fatal(err)
	}
	with := deps(new(store))
	p.feed = journal.NewFeed(memjournal.NewBatches(), "pod-0")
	with.Log, with.File, with.Load = p.log.logger(), file, load
	with.Memory = &daemon.Memory{Journal: &p.journal, Feed: p.feed}
	with.Reloaded = []func(*config.Config){func(*config.Config) { p.hooks.Add(1) }}
	p.Daemon = assemble(t, cfg, with)
	p.stop = launch(t, p.Daemon)
	t.Cleanup(func() {
		if err := p.stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("log:\n%s", p.log.String())
		}
	})
	p.await("the first runs", func() bool { return p.runs.Load() > 0 && p.long.Load() == 1 })
	return p
}

// journalAway is a journal that puts no configuration in order while it is away.
type journalAway struct {
	*memjournal.Journal
	away atomic.Bool
}

// Enrol implements scheduler.Generations.
func (j *journalAway) Enrol(ctx context.Context, e scheduler.Enrolment) (scheduler.Enrolled, error) {
	if j.away.Load() {
		return scheduler.Enrolled{}, errAway
	}
	return j.Journal.Enrol(ctx, e)
}

func (p *plant) write(content string) {
	p.t.Helper()
	if err := os.WriteFile(p.file, []byte(content), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// await polls until ok, for at most 20 s.
func (p *plant) await(what string, ok func() bool) {
	p.t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("waited in vain for %s", what)
		}
	}
}

func (p *plant) loaded() *admin.Loaded { return p.Admin().Current() }
func (p *plant) last() *admin.Reload   { return p.Admin().Reloaded() }

// rejects waits until the file has been refused, for this reason, and checks that
// nothing else has changed.
func (p *plant) rejects(reason string) {
	p.t.Helper()
	before := p.loaded()
	p.await("a refusal because of "+reason, func() bool {
		r := p.last()
		return r != nil && !r.OK && len(r.Problems) > 0 && strings.Contains(fmt.Sprintf("%+v", r.Problems), reason)
	})
	if after := p.loaded(); after.Revision != before.Revision || after.Jobs != before.Jobs || len(p.Engine().Jobs()) != before.Jobs {
		p.t.Errorf("in force: got %+v with %d jobs, want still %+v", after, len(p.Engine().Jobs()), before)
	}
	if err := p.Ready(); err != nil {
		p.t.Errorf("ready: got %v, want ready: what there was is in force", err)
	}
	if got := p.log.String(); !strings.Contains(got, "THE CONFIGURATION WAS NOT TAKEN") || !strings.Contains(got, reason) {
		p.t.Errorf("the log does not say so, and why: %q", reason)
	}
	p.runsOn()
}

// runsOn waits until the jobs that were there run again.
func (p *plant) runsOn() {
	p.t.Helper()
	before := p.runs.Load()
	p.await("another run", func() bool { return p.runs.Load() > before })
	if got := p.long.Load(); got != 1 {
		p.t.Errorf("runs of the long job that go on: got %d, want 1", got)
	}
}

// takes waits until a configuration with so many jobs is in force.
func (p *plant) takes(jobs int) {
	p.t.Helper()
	p.await(fmt.Sprintf("%d jobs", jobs), func() bool {
		r := p.last()
		return r != nil && r.OK && p.loaded().Jobs == jobs && len(p.Engine().Jobs()) == jobs && r.Revision == p.loaded().Revision
	})
}

func TestOneBadJobAmongTenKeepsTheWholeOldSet(t *testing.T) {
	t.Parallel()
	p := build(t, filepath.Join(t.TempDir(), "c.yaml"), text(10, ""))
	p.write(strings.Replace(text(11, ""), "name: job-4, schedule", "name: job-4, shedule", 1))
	p.rejects("is unknown: did you mean schedule?")
	if problem := p.last().Problems[0]; problem.Line == 0 || problem.Path == "" {
		t.Errorf("problem: got %+v, want where it is", problem)
	}
	p.write(text(11, ""))
	p.takes(13)
	if got := p.hooks.Load(); got != 1 {
		t.Errorf("hooks were told %d times, want once: of what was taken", got)
	}
}

func TestConfigMapThatIsSwappedIsFollowed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	project := func(version, content string) {
		if err := os.Mkdir(filepath.Join(dir, version), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, version, "config.yaml"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		link(t, version, filepath.Join(dir, "..data_tmp"))
		if err := os.Rename(filepath.Join(dir, "..data_tmp"), filepath.Join(dir, "..data")); err != nil {
			t.Fatal(err)
		}
	}
	project("..2026_11_29_01", text(1, ""))
	link(t, "..data/config.yaml", filepath.Join(dir, "config.yaml"))
	p := build(t, filepath.Join(dir, "config.yaml"), "")
	for i := 2; i <= 4; i++ {
		began := time.Now()
		project(fmt.Sprint("..2026_11_29_0", i), text(i, ""))
		p.takes(i + 2)
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("it took %s, want less than the 30 s of a look: the swap is an event", took)
		}
		if err := os.RemoveAll(filepath.Join(dir, fmt.Sprint("..2026_11_29_0", i-1))); err != nil {
			t.Fatal(err)
		}
	}
	p.runsOn()
}

func link(t *testing.T, to, from string) {
	t.Helper()
	if err := os.Symlink(to, from); err != nil {
		t.Fatal(err)
	}
}

func TestAFileInAnotherPlaceIsFollowedThroughItsLink(t *testing.T) {
	t.Parallel()
	here, there := t.TempDir(), t.TempDir()
	target := filepath.Join(there, "real.yaml")
	if err := os.WriteFile(target, []byte(text(1, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	link(t, target, filepath.Join(here, "c.yaml"))
	p := build(t, filepath.Join(here, "c.yaml"), "")
	if err := os.WriteFile(target, []byte(text(2, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	p.takes(4)
}

func TestAFileThatIsHalfWrittenIsTakenWhenItIsWhole(t *testing.T) {
	t.Parallel()
	p := build(t, filepath.Join(t.TempDir(), "c.yaml"), text(3, ""))
	whole := text(5, "")
	p.write(whole[:strings.LastIndex(whole, "schedule")+12]) // within a quoted text
	p.rejects("c.yaml")
	p.write(whole)
	p.takes(7)
	p.runsOn()
}

func TestTouchingTheFileChangesNothing(t *testing.T) {
	t.Parallel()
	p := build(t, filepath.Join(t.TempDir(), "c.yaml"), text(3, ""))
	before, loaded := p.Engine().Jobs(), p.loaded()
	for range 3 {
		now := time.Now()
		if err := os.Chtimes(p.file, now, now); err != nil {
			t.Fatal(err)
		}
		p.write(text(3, "")) // the same once more
		p.runsOn()           // some time goes by
	}
	if got := p.last(); got != nil {
		t.Errorf("reload: got %+v, want none", got)
	}
	if got := p.loaded(); got != loaded {
		t.Errorf("in force: got %+v, want what was", got)
	}
	for i, after := range p.Engine().Jobs() {
		if strings.HasPrefix(after.Job, "job-") && !after.Next.Equal(*before[i].Next) {
			t.Errorf("%s: the next tick was %s and is %s", after.Job, before[i].Next, after.Next)
		}
	}
	p.write(text(3, "# a comment"))
	p.takes(5)
	p.runsOn()
}

func TestAnEditedScheduleShowsItsNextTickAtOnce(t *testing.T) {
	t.Parallel()
	p := build(t, filepath.Join(t.TempDir(), "c.yaml"), text(3, ""))
	p.write(strings.Replace(text(3, ""), "'1 3 * * *'", "'17 5 * * *'", 1))
	p.await("the next tick", func() bool {
		st, err := p.Engine().Job("job-1")
		return err == nil && st.Next.Format("15:04") == "05:17"
	})
	if st, err := p.Engine().Job("job-2"); err != nil || st.Next.Format("15:04") != "03:02" {
		t.Errorf("another job: got %+v, error %v", st, err)
	}
	// The engine has it before the daemon notes that it has: the note comes last.
	var known []string
	p.await("what is in force and what was", func() bool {
		known = p.Admin().Versions.Known()
		return len(known) == 2 && known[0] == p.loaded().Revision
	})
	before, ok1 := p.Admin().Versions.Revision(known[1])
	after, ok2 := p.Admin().Versions.Revision(known[0])
	if !ok1 || !ok2 {
		t.Fatal("a configuration that is known is not there")
	}
	if list := config.Diff(before, after, time.Now()); len(list) != 1 || list[0].Job != "job-1" {
		t.Errorf("difference: got %+v, want that of job-1", list)
	}
	if def, ok := p.Admin().Define("job-1"); !ok || def.Name != "job-1" {
		t.Errorf("definition: got %+v", def)
	}
	if o, ok := p.Admin().About("job-1"); !ok || o.Source.File != p.file || o.Source.Line == 0 {
		t.Errorf("where it is defined: got %+v", o)
	}
}

func TestAFileThatIsEmptyOrGoneIsNotAFileWithoutJobs(t *testing.T) {
	t.Parallel()
	p := build(t, filepath.Join(t.TempDir(), "c.yaml"), text(3, ""))
	p.write("")
	p.rejects("there are no jobs")
	p.write(text(4, ""))
	p.takes(6)
	if err := os.Remove(p.file); err != nil {
		t.Fatal(err)
	}
	p.rejects("no such file")
	p.write(text(5, ""))
	p.takes(7)
	p.write("jobs: []\n")
	p.rejects("there must be at least one job")
}

func TestAFileThatIsReplacedBeforeItIsMissedIsTakenWithoutAWord(t *testing.T) {
	t.Parallel()
	p := build(t, filepath.Join(t.TempDir(), "c.yaml"), text(3, ""))
	p.write("")
	fresh := p.file + ".new"
	if err := os.WriteFile(fresh, []byte(text(4, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(fresh, p.file); err != nil {
		t.Fatal(err)
	}
	p.takes(6)
	if strings.Contains(p.log.String(), "NOT TAKEN") {
		t.Error("it was cried out though all was well")
	}
}

func TestSettingsThatNeedARestartAreNamedAndTheRestIsTaken(t *testing.T) {
	t.Parallel()
	p := build(t, filepath.Join(t.TempDir(), "c.yaml"), text(3, ""))
	p.write(text(4, "maxConcurrent: 7\nclock: {maxOffset: 5s}\nconcurrencyGroups: [{name: db, limit: 2}]"))
	p.takes(6)
	var paths []string
	for _, problem := range p.last().Problems {
		if !problem.Warning {
			t.Errorf("problem: got %+v, want a warning", problem)
		}
		paths = append(paths, problem.Path)
	}
	if got := strings.Join(paths, " "); got != "clock.maxOffset maxConcurrent" {
		t.Errorf("settings that need a restart: got %q", got)
	}
	if !strings.Contains(p.log.String(), "clock.maxOffset, maxConcurrent") {
		t.Error("the log does not name them")
	}
	p.write(strings.Replace(text(5, ""), "namespace: test", "namespace: other", 1))
	p.rejects("cannot change")
}

func TestAConfigurationThatTheStoreKeepsOutIsTakenWhenItAnswers(t *testing.T) {
	t.Parallel()
	p := build(t, filepath.Join(t.TempDir(), "c.yaml"), text(3, ""))
	p.journal.away.Store(true)
	p.write(text(4, ""))
	p.await("a line of the log that says so", func() bool { return strings.Contains(p.log.String(), "is tried again") })
	if got := p.loaded().Jobs; got != 5 || p.last() != nil || p.Ready() != nil {
		t.Errorf("got %d jobs, reload %+v, ready %v, want what was", got, p.last(), p.Ready())
	}
	p.runsOn()
	p.journal.away.Store(false)
	p.takes(6)
}

func TestWhatIsReloadedIsTold(t *testing.T) {
	t.Parallel()
	p := build(t, filepath.Join(t.TempDir(), "c.yaml"), text(3, ""))
	told, first := make(chan journal.Told, 1000), p.loaded().Revision
	ctx, cancel := context.WithCancel(t.Context())
	from, err := p.feed.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	followed := make(chan error, 1)
	go func() {
		followed <- p.feed.Follow(ctx, from, func(list []journal.Told) error {
			for _, x := range list {
				// That of the start may come before or after from.
				if x.Topic == journal.AboutConfig && (x.Phase != journal.Loaded || !strings.Contains(x.Note, first)) {
					told <- x
				}
			}
			return nil
		})
	}()
	expect := func(phase, note string) {
		t.Helper()
		select {
		case x := <-told:
			if x.Phase != phase || !strings.Contains(x.Note, note) {
				t.Errorf("told: got %s %q, want %s %q", x.Phase, x.Note, phase, note)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("waited in vain to be told %s", phase)
		}
	}
	p.write("jobs: []")
	expect("rejected", "there must be at least one job")
	p.write(text(4, ""))
	p.takes(6)
	expect(journal.Loaded, p.loaded().Revision)
	cancel()
	<-followed
}
