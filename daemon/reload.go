package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// Load reads the configuration again, as it was read at the start. An error about its
// contents is, or wraps, config.Faults.
type Load func() (*config.Config, error)

// rejected is the phase of journal.AboutConfig that says that a configuration was
// not taken.
const rejected = "rejected"

// reloader puts another configuration in force while the replica runs. All of it is
// done by one goroutine.
type reloader struct {
	load    Load
	boot    *config.Config // that the process was started with: what is not reloaded is as it says
	configs *configs
	engine  *scheduler.Scheduler
	members interface{ SetRevision(string) } // nil: nobody is told
	feed    *journal.Feed                    // nil: nobody is told
	metrics *telemetry.Metrics               // nil: nothing is counted
	trace   func(jobs.Runner) jobs.Runner    // nil: runs are in no trace
	hooks   []func(*config.Config)           // told what is in force
	log     *slog.Logger
}

// Result is what came of reading the configuration again.
type result uint8

const (
	taken   result = iota // it is in force
	same                  // it is the one that is in force
	refused               // it has faults: the one before stays in force
	later                 // the store gives no answer: to be tried again
)

// reload reads the configuration and puts it in force, all of it or nothing.
func (r *reloader) reload(ctx context.Context) result {
	next, err := r.load()
	if err != nil {
		return r.reject("", problemsOf(r.configs.file, err))
	}
	was := r.configs.current()
	if next.Namespace != was.Namespace {
		return r.reject(next.Revision, []admin.Problem{{
			File: r.configs.file, Path: "namespace", Message: fmt.Sprintf("cannot change from %q to %q without a restart: its jobs are others", was.Namespace, next.Namespace),
		}})
	}
	fixed := fixedChanges(r.boot, next, r.loadable())
	if next.Revision != "" && next.Revision == was.Revision {
		r.configs.note(&admin.Reload{At: time.Now().UTC(), OK: true, Revision: next.Revision, Problems: needRestart(r.configs.file, fixed)})
		if r.metrics != nil {
			r.metrics.Configure(was) // a file that was refused before is put right
		}
		r.log.Info("the configuration is the one in force", "revision", next.Revision)
		return same
	}
	change, err := r.engine.Reload(ctx, setOf(next, r.trace))
	switch {
	case errors.Is(err, scheduler.ErrNotReloaded):
		if ctx.Err() == nil {
			r.log.Warn("a new configuration is not in force yet; it is tried again", "revision", next.Revision, "err", err)
		}
		return later
	case err != nil:
		return r.reject(next.Revision, problemsOf(r.configs.file, err))
	}
	r.accept(next, change, fixed)
	return taken
}

// accept tells everybody that cfg is in force.
func (r *reloader) accept(cfg *config.Config, change scheduler.Change, fixed []string) {
	now := time.Now()
	r.configs.put(cfg, now)
	if r.members != nil {
		r.members.SetRevision(cfg.Revision)
	}
	if r.metrics != nil {
		r.metrics.Configure(cfg)
	}
	if r.feed != nil {
		r.feed.Say(journal.Happening{Topic: journal.AboutConfig, Phase: journal.Loaded, Note: cfg.Revision})
	}
	for _, hook := range r.hooks {
		hook(cfg)
	}
	r.log.Info("configuration reloaded", "revision", cfg.Revision, "jobs", len(cfg.Jobs), "same", change.Same,
		"added", few(change.Added), "removed", few(change.Removed), "changed", few(change.Changed))
	if len(fixed) > 0 {
		r.log.Warn("some settings of the new configuration need a restart; the rest is in force", "settings", strings.Join(fixed, ", "))
	}
	r.configs.note(&admin.Reload{At: now.UTC(), OK: true, Revision: cfg.Revision, Problems: needRestart(r.configs.file, fixed)})
}

// maxNamed is how many jobs, or problems, one line of the log lists.
const maxNamed = 10

// few lists some of names, and says how many more there are.
func few(names []string) string {
	if len(names) <= maxNamed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), len(names)-maxNamed)
}

// reject tells everybody that a configuration was not taken.
func (r *reloader) reject(revision string, problems []admin.Problem) result {
	if r.metrics != nil {
		r.metrics.ConfigRejected()
	}
	lines := make([]string, len(problems))
	for i := range problems {
		lines[i] = line(&problems[i])
	}
	if r.feed != nil && len(lines) > 0 {
		r.feed.Say(journal.Happening{Topic: journal.AboutConfig, Phase: rejected, Note: lines[0]})
	}
	r.log.Error("THE CONFIGURATION WAS NOT TAKEN; the one before stays in force, whole",
		"file", r.configs.file, "kept", r.configs.current().Revision, "problems", len(problems), "err", few(lines))
	r.configs.note(&admin.Reload{At: time.Now().UTC(), Revision: revision, Problems: problems})
	return refused
}

// line is p in one line.
func line(p *admin.Problem) string {
	where := ""
	if p.Line > 0 {
		where = fmt.Sprintf("%d:%d ", p.Line, p.Col)
	}
	return strings.TrimSpace(where + strings.TrimSpace(p.Path+" "+p.Message))
}

// loadable are the sections of settings that a reload puts in force; notify is, if
// somebody who sends notifications is told.
func (r *reloader) loadable() []string {
	list := []string{"generation", "concurrencyGroups", "metrics"}
	if len(r.hooks) > 0 {
		list = append(list, "notify")
	}
	return list
}

// fixedChanges are the settings of next that differ from those that the process was
// started with and that only a restart can change.
func fixedChanges(boot, next *config.Config, loadable []string) []string {
	var list []string
	a, b := *boot, *next
	a.Jobs, b.Jobs = nil, nil
	for _, c := range config.Diff(&a, &b, time.Now()) {
		for _, f := range c.Fields {
			section, _, _ := strings.Cut(f.Path, ".")
			if !slices.Contains(loadable, section) {
				list = append(list, f.Path)
			}
		}
	}
	return list
}

func needRestart(file string, settings []string) []admin.Problem {
	list := make([]admin.Problem, len(settings))
	for i, path := range settings {
		list[i] = admin.Problem{File: file, Path: path, Message: "needs a restart", Warning: true}
	}
	return list
}

// setOf is the jobs of cfg as the engine takes them, with their runs told of their
// trace; nil: there is none.
func setOf(cfg *config.Config, trace func(jobs.Runner) jobs.Runner) scheduler.Set {
	set := scheduler.Set{
		Revision: cfg.Revision, Number: int64(cfg.Generation), Groups: make(map[string]int, len(cfg.Groups)),
		Jobs: make([]scheduler.Spec, len(cfg.Jobs)),
	}
	for _, g := range cfg.Groups {
		set.Groups[g.Name] = g.Limit
	}
	for i := range cfg.Jobs {
		j := &cfg.Jobs[i]
		set.Jobs[i] = scheduler.Spec{Job: j.Job, Hash: j.Hash}
		if trace != nil {
			set.Jobs[i].Job.Runner = trace(j.Runner)
		}
		if !j.Unscheduled {
			set.Jobs[i].Schedule = j.Schedule
		}
	}
	return set
}
