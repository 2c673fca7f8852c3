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
// Once Run has begun it does not change: a reload puts another in its place, which
// shares the entries of the jobs that stay as they are.
type book struct {
	byName   map[string]*entry
	entries  []*entry // in the order in which they were added
	groups   map[string]*group
	places   map[string]int // in each concurrency group, in the whole cluster
	revision string         // of the configuration; "": it has none
	number   int64          // that whoever wrote the configuration gave it; 0: none
}

func newBook(places map[string]int) *book {
	return &book{byName: make(map[string]*entry), groups: make(map[string]*group), places: places}
}

// A group is all jobs that are due at the same moments.
type group struct {
	times   timetable
	def     string   // fingerprint of the schedule, for the ledger
	entries []*entry // the loop's, once Run has begun

	memo struct { // the last answer of due: most jobs of a group share a cursor
		cursor, now time.Time
		ticks       []time.Time
		more        bool
	}
}

// An entry is one job as one configuration defines it. A job whose definition
// changes gets another entry; what was begun under the old one goes on with that.
type entry struct {
	terms
	course
	standing
	*face
}

// terms is what a configuration says of a job. They never change.
type terms struct {
	job      jobs.Job
	hash     string // of the whole definition; "": it is not known
	group    *group
	schedule display
	policy   policy
	keep     jobs.History
	defaults map[string]string // the parameters of a tick
}

// course is how far a job is. It belongs to the engine's loop.
type course struct {
	cursor  time.Time    // the last tick dealt with
	moved   time.Time    // when the cursor last moved, on this replica's clock
	attempt *attempt     // what is being done about the ticks after it; nil: nothing
	own     attempt      // which it points to: a burst makes nothing new
	hushed  time.Time    // while it stands down: the last tick of which that was told
	retired bool         // it is out of the book: it plans nothing more
	heir    *entry       // that goes on when the attempt has ended; nil: nobody waits for that
	elder   *entry       // whose heir it is; nil: it goes on by itself
	reached atomic.Int64 // cursor in Unix milliseconds, for others than the loop
}

// standing is whether the definition of an entry is the one in force.
type standing struct {
	epoch  atomic.Int64 // the generation that claims are made for; 0: there are no generations
	asleep atomic.Bool  // a newer definition is in force: this replica stands down for the job
	gone   atomic.Bool  // the job was removed: nothing of it is started any more
}

// face is what people see of a job, whatever becomes of its definition.
type face struct {
	running atomic.Pointer[execution]
	last    lastly
	buried  atomic.Int64 // token of the last run that was found without a holder
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
// this replica knows. Those for which it stands down are not its to know.
func (b *book) reached() (names []string, upto []time.Time) {
	for _, e := range b.entries {
		if at := e.reached.Load(); at > 0 && !e.job.Suspend && !e.asleep.Load() {
			names = append(names, e.job.Name)
			upto = append(upto, time.UnixMilli(at).UTC())
		}
	}
	return names, upto
}

// definition is what the journal is to know of e, in a configuration of this generation.
func (e *entry) definition(generation int64) Definition {
	def := fingerprint(e.group.times.String())
	if e.job.Suspend {
		def += " suspended"
	}
	d := Definition{Job: e.job.Name, Def: def}
	if generation > 0 {
		d.Hash, d.Generation = e.hash, generation
	}
	return d
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

// add enters a job. Old, which may be nil, is the book that b takes the place of: a
// job that is defined there in the same way keeps its entry, and one that is defined
// otherwise keeps its face.
func (b *book) add(old *book, times timetable, shown display, x Spec) error {
	if err := x.Job.Validate(); err != nil {
		return err
	}
	if b.byName[x.Job.Name] != nil {
		return fmt.Errorf("job %q is defined twice", x.Job.Name)
	}
	e := newEntry(times, shown, x)
	e.group = b.enter(old, times, x.Job.Suspend)
	if was := old.named(x.Job.Name); was != nil {
		if e.same(was) {
			e = was
		} else {
			e.face = was.face
		}
	}
	b.byName[x.Job.Name] = e
	b.entries = append(b.entries, e)
	return nil
}

// newEntry makes an entry that is in no group yet.
func newEntry(times timetable, shown display, x Spec) *entry {
	job := x.Job
	if job.StartingDeadline == 0 {
		job.StartingDeadline = jobs.DefaultStartingDeadline
	}
	e := &entry{face: new(face)}
	e.terms = terms{job: job, hash: x.Hash, group: &group{times: times}, schedule: shown, policy: policyOf(job), keep: job.History.WithDefaults()}
	e.defaults, _ = job.ResolveParams(nil) // a parameter that a request must give has its default in a tick
	return e
}

// same reports whether e says what was does. Without hashes that is not known.
func (e *entry) same(was *entry) bool {
	return e.hash != "" && e.hash == was.hash && e.sameTimes(was)
}

// sameTimes reports whether the ticks of e are those of was.
func (e *entry) sameTimes(was *entry) bool {
	return e.job.Suspend == was.job.Suspend && e.group.times.String() == was.group.times.String()
}

// named returns the entry of a job; nil if there is none, or no book.
func (b *book) named(job string) *entry {
	if b == nil {
		return nil
	}
	return b.byName[job]
}

// enter returns the group for a timetable: that of the old book, if it has one.
// One that is suspended is in a group of its own, at which nobody looks.
func (b *book) enter(old *book, times timetable, suspended bool) *group {
	if suspended {
		return &group{times: times}
	}
	key := times.String()
	g := b.groups[key]
	if g == nil && old != nil {
		g = old.groups[key]
	}
	if g == nil {
		g = &group{times: times, def: fingerprint(key)}
	}
	b.groups[key] = g
	return g
}

// members lists the entries of each group.
func (b *book) members() map[*group][]*entry {
	all := make(map[*group][]*entry, len(b.groups))
	for _, e := range b.entries {
		if !e.job.Suspend {
			all[e.group] = append(all[e.group], e)
		}
	}
	return all
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
