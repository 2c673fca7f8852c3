package scheduler

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/solocron/solocron/jobs"
)

// A book holds the jobs of a scheduler, those with the same schedule together.
// It does not change once Run has begun.
type book struct {
	byName  map[string]*entry
	entries []*entry // in the order of Add
	groups  map[string]*group
}

// A group is all jobs that are due at the same moments.
type group struct {
	times   timetable
	def     string // fingerprint of the schedule, for the ledger
	entries []*entry

	memo struct { // the last answer of due: most jobs of a group share a cursor
		cursor, now time.Time
		ticks       []time.Time
		more        bool
	}
}

// An entry is one job. The cursor and the attempt belong to the engine's loop.
type entry struct {
	job      jobs.Job
	group    *group
	schedule display
	policy   policy
	keep     jobs.History
	defaults map[string]string // the parameters of a tick

	cursor  time.Time    // the last tick dealt with
	moved   time.Time    // when the cursor last moved, on this replica's clock
	attempt *attempt     // what is being done about the ticks after it; nil: nothing
	reached atomic.Int64 // cursor in Unix milliseconds, for others than the loop

	running atomic.Pointer[execution]
	last    lastly
}

// leaseKey is the key of the lease for a tick: the job, unless its runs may
// overlap; then each has a lease of its own.
func (e *entry) leaseKey(tick time.Time) string {
	if e.job.Overlap == jobs.AllowOverlap {
		return e.job.Name + "@" + strconv.FormatInt(tick.UnixMilli(), 10)
	}
	return e.job.Name
}

// reached lists the jobs that have ticks, and up to when each is decided as far as
// this replica knows.
func (b *book) reached() (names []string, upto []time.Time) {
	for _, e := range b.entries {
		if at := e.reached.Load(); at > 0 && !e.job.Suspend {
			names = append(names, e.job.Name)
			upto = append(upto, time.UnixMilli(at).UTC())
		}
	}
	return names, upto
}

// definition is what the journal is to know of e.
func (e *entry) definition() Definition {
	def := fingerprint(e.group.times.String())
	if e.job.Suspend {
		def += " suspended"
	}
	return Definition{Job: e.job.Name, Def: def}
}

// display is how the schedule of a job is shown to people.
type display struct {
	spec string
	zone *time.Location
}

func (g *group) due(cursor, now time.Time) ([]time.Time, bool) {
	m := &g.memo
	if !m.cursor.Equal(cursor) || !m.now.Equal(now) {
		m.cursor, m.now = cursor, now
		m.ticks, m.more = due(g.times, cursor, now)
	}
	return m.ticks, m.more
}

// add enters a job.
func (b *book) add(times timetable, shown display, job jobs.Job) error {
	if err := job.Validate(); err != nil {
		return err
	}
	if b.byName[job.Name] != nil {
		return fmt.Errorf("job %q is defined twice", job.Name)
	}
	if job.StartingDeadline == 0 {
		job.StartingDeadline = jobs.DefaultStartingDeadline
	}
	e := &entry{job: job, schedule: shown, policy: policyOf(job), keep: job.History.WithDefaults()}
	e.defaults, _ = job.ResolveParams(nil) // a parameter that a request must give has its default in a tick
	if job.Suspend {
		e.group = &group{times: times}
	} else {
		e.group = b.group(times)
		e.group.entries = append(e.group.entries, e)
	}
	b.byName[job.Name] = e
	b.entries = append(b.entries, e)
	return nil
}

func (b *book) group(times timetable) *group {
	key := times.String()
	g := b.groups[key]
	if g == nil {
		g = &group{times: times, def: fingerprint(key)}
		b.groups[key] = g
	}
	return g
}

func fingerprint(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return strconv.FormatUint(h.Sum64(), 16)
}

// ErrUnknownJob means that no job has the name.
var ErrUnknownJob = errors.New("unknown job")

func (b *book) find(name string) (*entry, error) {
	if e := b.byName[name]; e != nil {
		return e, nil
	}
	return nil, fmt.Errorf("job %q: %w", name, ErrUnknownJob)
}
