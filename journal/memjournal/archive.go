package memjournal

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/internal/limit"
)

// Record implements scheduler.Archive. It keeps none if one is not acceptable.
func (j *Journal) Record(_ context.Context, entries []scheduler.Entry) ([]scheduler.Recorded, error) {
	kept := make([]scheduler.Entry, len(entries))
	for i, e := range entries {
		var err error
		if kept[i], err = limit.Entry(e); err != nil {
			return nil, err
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	out := make([]scheduler.Recorded, len(kept))
	for i := range kept {
		out[i] = j.record(&kept[i])
	}
	return out, nil
}

func (j *Journal) book(job string) *book {
	b := j.books[job]
	if b == nil {
		b = new(book)
		j.books[job] = b
	}
	return b
}

// record keeps one entry.
func (j *Journal) record(e *scheduler.Entry) scheduler.Recorded {
	b := j.book(e.Row.Job)
	b.advance(e)
	if e.Row.ID == "" {
		return scheduler.Recorded{Fresh: true}
	}
	was, open := j.open[e.Row.ID]
	over := !open && j.over(b, &e.Row)
	if e.Row.State != scheduler.RunEnded {
		if !over {
			j.begin(b, was, open, e.Row)
		}
		return scheduler.Recorded{Fresh: !over}
	}
	if over {
		return scheduler.Recorded{Streak: b.streak}
	}
	if len(was.Tries) > len(e.Row.Tries) {
		e.Row.Tries = was.Tries
	}
	delete(j.open, e.Row.ID)
	b.end(e, j.now())
	if e.Dead {
		j.bury(e.Row)
	}
	return scheduler.Recorded{Fresh: true, Streak: b.streak}
}

// over reports whether a run that is not open has ended.
func (j *Journal) over(b *book, r *scheduler.Row) bool {
	if r.Tick.After(b.latest) {
		return false
	}
	_, dead := j.letters[r.ID]
	return dead || b.has(r.ID) != nil
}

// begin keeps the row of an open run, unless it is of an earlier attempt than
// what is known, or older than what history has forgotten.
func (j *Journal) begin(b *book, was scheduler.Row, open bool, r scheduler.Row) {
	switch {
	case open && progress(&was) > progress(&r):
		return
	case !open && r.Cause == scheduler.BySchedule && !r.Tick.After(b.forgotten):
		return
	case !open && len(j.open) >= journal.MaxOpen:
		return
	}
	if len(was.Tries) > len(r.Tries) {
		r.Tries = was.Tries
	}
	j.open[r.ID] = r
}

// progress grows with the life of a run.
func progress(r *scheduler.Row) int {
	if r.State == scheduler.RunRetrying {
		return 2*r.Attempt + 1
	}
	return 2 * r.Attempt
}

// Open implements scheduler.Archive: at most journal.MaxOpen rows, the oldest
// tick first.
func (j *Journal) Open(context.Context) ([]scheduler.Row, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	rows := slices.Collect(maps.Values(j.open))
	slices.SortFunc(rows, func(a, b scheduler.Row) int { return cmp.Or(a.Tick.Compare(b.Tick), cmp.Compare(a.ID, b.ID)) })
	return copied(rows), nil
}

// copied is rows with all they point to.
func copied(rows []scheduler.Row) []scheduler.Row {
	out := make([]scheduler.Row, len(rows))
	for i, r := range rows {
		r.Params, r.Tries = maps.Clone(r.Params), slices.Clone(r.Tries)
		out[i] = r
	}
	return out
}

// Past implements scheduler.Archive.
func (j *Journal) Past(_ context.Context, job string, q scheduler.Query) ([]scheduler.Row, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	b := j.books[job]
	if b == nil {
		return nil, nil
	}
	var found []scheduler.Row
	for sort, rows := range b.past {
		if q.Sort == scheduler.AnySort || q.Sort == scheduler.RowSort(sort) {
			found = append(found, rows...)
		}
	}
	return copied(limit.Select(found, q)), nil
}

// Find implements scheduler.Archive.
func (j *Journal) Find(_ context.Context, run string) (scheduler.Row, bool, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if r, open := j.open[run]; open {
		return copied([]scheduler.Row{r})[0], true, nil
	}
	if job, _, ok := scheduler.JobOf(run); ok && j.books[job] != nil {
		if r := j.books[job].has(run); r != nil {
			return copied([]scheduler.Row{*r})[0], true, nil
		}
	}
	r, dead := j.letters[run]
	return copied([]scheduler.Row{r})[0], dead, nil
}

// Adopt implements scheduler.Archive.
func (j *Journal) Adopt(_ context.Context, defs []scheduler.Definition) ([]scheduler.Adopted, error) {
	if err := limit.Definitions(defs); err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.now()
	out := make([]scheduler.Adopted, len(defs))
	for i := range defs {
		out[i] = j.book(defs[i].Job).adopt(&defs[i], now)
	}
	return out, nil
}

func (b *book) adopt(d *scheduler.Definition, now time.Time) scheduler.Adopted {
	takes, superseded := b.judge(d)
	if takes {
		if !b.adopted || b.def != d.Def {
			b.raise(now) // nothing before this moment is a tick of it
			b.since = now
		}
		b.adopted, b.def, b.hash = true, d.Def, d.Hash
		if d.Hash == "" {
			b.epoch++
		} else {
			b.epoch = max(b.epoch, d.Generation)
		}
	}
	return scheduler.Adopted{Since: b.since, Epoch: b.epoch, Told: b.told, Superseded: superseded}
}

// judge reports whether d takes the place of what is in force, or is older than that.
// Without hashes the last one counts.
func (b *book) judge(d *scheduler.Definition) (takes, superseded bool) {
	switch {
	case !b.adopted:
		return true, false
	case d.Hash == "":
		return b.def != d.Def, false
	case b.hash == "":
		return true, false
	}
	return b.hash != d.Hash && d.Generation > b.epoch, b.hash != d.Hash && d.Generation < b.epoch
}

// Told implements scheduler.Archive.
func (j *Journal) Told(_ context.Context, jobs []string) ([]time.Time, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := make([]time.Time, len(jobs))
	for i, job := range jobs {
		if b := j.books[job]; b != nil {
			out[i] = b.told
		}
	}
	return out, nil
}
