package limit

import (
	"cmp"
	"slices"
	"time"

	"github.com/solocron/solocron/scheduler"
)

// Select returns those of rows that q is about, newest tick first, as far as
// ticks and the limit go. It reorders rows.
func Select(rows []scheduler.Row, q scheduler.Query) []scheduler.Row {
	rows = slices.DeleteFunc(rows, func(r scheduler.Row) bool {
		return !q.From.IsZero() && r.Tick.Before(q.From) || !q.To.IsZero() && r.Tick.After(q.To)
	})
	slices.SortFunc(rows, func(a, b scheduler.Row) int {
		return cmp.Or(b.Tick.Compare(a.Tick), cmp.Compare(b.ID, a.ID))
	})
	if q.Limit > 0 && len(rows) > q.Limit {
		rows = rows[:q.Limit]
	}
	return rows
}

// ByEnd orders rows by their end; a row without one, by its tick.
func ByEnd(a, b *scheduler.Row) int {
	return cmp.Or(EndOf(a).Compare(EndOf(b)), cmp.Compare(a.ID, b.ID))
}

// EndOf is when a row ended, or its tick if that is not known.
func EndOf(r *scheduler.Row) time.Time {
	if r.Ended.IsZero() {
		return r.Tick
	}
	return r.Ended
}
