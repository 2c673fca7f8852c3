package config

import (
	"fmt"
	"reflect"
	"time"
)

// Change is what became of one job, or of the settings, between two configurations.
type Change struct {
	Kind   ChangeKind
	Job    string        // "": the settings
	Line   int           // of the job in the new file, in the old one if it was removed; 0 for the settings
	Fields []FieldChange // if it is in both; in an order that is the same each time
	Before time.Time     // its next run under the old configuration; zero: none
	After  time.Time     // and under the new one
}

// ChangeKind says what happened to a job.
type ChangeKind uint8

// The kinds of change.
const (
	Changed ChangeKind = iota
	Added
	Removed
)

// String is k in a word.
func (k ChangeKind) String() string {
	switch k {
	case Changed:
		return "changed"
	case Added:
		return "added"
	case Removed:
		return "removed"
	}
	return fmt.Sprintf("ChangeKind(%d)", k)
}

// FieldChange is one field, by its path in the file, that is not what it was. Texts
// are shortened, and never a secret.
type FieldChange struct {
	Path     string // schedule, retry.maxAttempts, env.LANG
	Old, New string // "": not there, or empty
}

// Diff returns what a change from a to b would change, seen from now: the settings
// first, then the jobs in the order of b, then those that b lacks. Both are as loaded,
// with defaults applied, so what means the same is no change. A job of the kind func is
// compared without the function, which has no name once it is loaded.
func Diff(a, b *Config, now time.Time) []Change {
	var list []Change
	if fields := settingChanges(a, b); len(fields) > 0 {
		list = append(list, Change{Kind: Changed, Fields: fields})
	}
	before := make(map[string]*Job, len(a.Jobs))
	for i := range a.Jobs {
		before[a.Jobs[i].Name] = &a.Jobs[i]
	}
	for i := range b.Jobs {
		j := &b.Jobs[i]
		old := before[j.Name]
		delete(before, j.Name)
		if old == nil {
			list = append(list, Change{Kind: Added, Job: j.Name, Line: j.Line, After: j.nextRun(now)})
			continue
		}
		if fields := jobChanges(old, j); len(fields) > 0 {
			list = append(list, Change{Kind: Changed, Job: j.Name, Line: j.Line, Fields: fields, Before: old.nextRun(now), After: j.nextRun(now)})
		}
	}
	for i := range a.Jobs {
		if j := &a.Jobs[i]; before[j.Name] != nil {
			list = append(list, Change{Kind: Removed, Job: j.Name, Line: j.Line, Before: j.nextRun(now)})
		}
	}
	return list
}

// maxExcluded is how many excluded ticks are passed over to find the next run.
const maxExcluded = 10_000

// nextRun is when j starts next after now: its first tick that is not excluded, with
// jitter and deferral, in the zone of its schedule. Zero: not at all, or not within
// 10,000 ticks.
func (j *Job) nextRun(now time.Time) time.Time {
	if j.Schedule == nil || j.Suspend {
		return time.Time{}
	}
	tick := now
	for range maxExcluded {
		if tick = j.Schedule.Next(tick); tick.IsZero() {
			return time.Time{}
		}
		if _, excluded := j.Schedule.Excluded(tick); !excluded {
			return j.Schedule.Release(tick).In(j.Schedule.Location())
		}
	}
	return time.Time{}
}

// settingChanges compares everything but the jobs and what is applied to them.
func settingChanges(a, b *Config) []FieldChange {
	var d differ
	d.structs("", reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem(), func(f reflect.StructField) bool { return f.Tag.Get("yaml") != "" })
	limits := func(c *Config) map[string]int {
		m := map[string]int{}
		for _, g := range c.Groups {
			m[g.Name] = g.Limit
		}
		return m
	}
	d.values("concurrencyGroups", reflect.ValueOf(limits(a)), reflect.ValueOf(limits(b)))
	return d.list
}
