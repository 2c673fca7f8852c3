package memjournal

import (
	"slices"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal/internal/limit"
)

// book is what is kept of one job.
type book struct {
	def, hash string
	adopted   bool
	since     time.Time
	epoch     int64
	told      time.Time
	streak    int
	latest    time.Time                             // tick of all that have ended
	forgotten time.Time                             // scheduled tick of all rows that were dropped
	past      [scheduler.NotRun + 1][]scheduler.Row // by sort, as they ended
}

func (b *book) raise(to time.Time) {
	if to.After(b.told) {
		b.told = to
	}
}

// advance moves the watermark by what e says of ticks.
func (b *book) advance(e *scheduler.Entry) {
	if !e.Prev.IsZero() && !b.told.Before(e.Prev) {
		b.raise(e.Row.Tick)
	}
	b.raise(e.Upto)
}

// has returns the row of a run that has ended.
func (b *book) has(run string) *scheduler.Row {
	for _, rows := range b.past {
		for i := range rows {
			if rows[i].ID == run {
				return &rows[i]
			}
		}
	}
	return nil
}

// end keeps the row of an ended run and returns the streak of failures.
func (b *book) end(e *scheduler.Entry, now time.Time) {
	switch limit.EffectOf(e.Row.Verdict) {
	case limit.Extends:
		b.streak++
	case limit.Resets:
		b.streak = 0
	}
	if e.Row.Tick.After(b.latest) {
		b.latest = e.Row.Tick
	}
	rows := &b.past[e.Row.Sort()]
	*rows = append(*rows, e.Row)
	b.drop(rows, len(*rows)-limit.Keep(e))
	b.age(now.Add(-e.Keep.MaxAge))
}

// age drops rows older than cut, but for the last of each sort.
func (b *book) age(cut time.Time) {
	for i := range b.past {
		rows := &b.past[i]
		old := 0
		for old < len(*rows)-1 && limit.EndOf(&(*rows)[old]).Before(cut) {
			old++
		}
		b.drop(rows, old)
	}
}

// drop forgets the n oldest rows.
func (b *book) drop(rows *[]scheduler.Row, n int) {
	if n <= 0 {
		return
	}
	for _, r := range (*rows)[:n] {
		if r.Cause == scheduler.BySchedule && r.Tick.After(b.forgotten) {
			b.forgotten = r.Tick
		}
	}
	*rows = slices.Delete(*rows, 0, n)
}
