package plan

import (
	"cmp"
	"time"

	"github.com/solocron/solocron/schedule"
)

// Kind says what became of a start.
type Kind uint8

// The kinds of change.
const (
	Gained Kind = iota // the new schedule has it, the old one has not
	Lost               // the other way round
	Moved              // the old one has it at another moment nearby
)

// String returns k in a word.
func (k Kind) String() string {
	switch k {
	case Gained:
		return "gained"
	case Lost:
		return "lost"
	default:
		return "moved"
	}
}

// Change is one start that is not what it was.
type Change struct {
	Kind        Kind
	Old, New    time.Time // when it started, and when it will; one is zero unless it moved
	Note        string    // what is unusual about the tick; may be empty
	ClockChange bool      // the clock of the schedule's zone changes on that day
}

// delta is a Change before anything is said about it.
type delta struct {
	kind     Kind
	old, new start
}

// change says about d what the schedules know.
func (d delta) change(before, after *schedule.Schedule) Change {
	c := Change{Kind: d.kind, Old: d.old.at, New: d.new.at, ClockChange: d.clockChange(before, after)}
	if d.kind != Gained {
		c.Note = before.Note(d.old.tick)
	}
	if d.kind != Lost {
		c.Note = cmp.Or(after.Note(d.new.tick), c.Note)
	}
	return c
}

// clockChange reports whether d is on a day when the clock changes.
func (d delta) clockChange(before, after *schedule.Schedule) bool {
	return d.kind != Gained && clockChanges(d.old.at, before.Location()) ||
		d.kind != Lost && clockChanges(d.new.at, after.Location())
}

// clockChanges reports whether the clock of zone changes on the day of t there.
func clockChanges(t time.Time, zone *time.Location) bool {
	from, to := t.In(zone).ZoneBounds()
	return changesOn(from, t, zone) || changesOn(to, t, zone)
}

// changesOn reports whether the clock changes at the moment at, where two
// segments of zone meet, and whether that is on the day of t.
func changesOn(at, t time.Time, zone *time.Location) bool {
	if at.IsZero() {
		return false
	}
	_, before := at.Add(-time.Second).In(zone).Zone()
	_, after := at.In(zone).Zone()
	return before != after && at.In(zone).Format(time.DateOnly) == t.In(zone).Format(time.DateOnly)
}

// deltas compares the starts of two schedules, both oldest first. What changed
// between two starts they share is matched there: a start does not move past
// one that stays.
func deltas(before, after []start) []delta {
	var all []delta
	var between []delta
	for len(before) > 0 || len(after) > 0 {
		switch order(before, after) {
		case 0:
			all = match(all, between)
			between = between[:0]
			before, after = before[1:], after[1:]
		case -1:
			between = append(between, delta{kind: Lost, old: before[0]})
			before = before[1:]
		default:
			between = append(between, delta{kind: Gained, new: after[0]})
			after = after[1:]
		}
	}
	return match(all, between)
}

// order compares the first of both; what is not there comes last.
func order(before, after []start) int {
	switch {
	case len(before) == 0:
		return 1
	case len(after) == 0:
		return -1
	}
	return before[0].at.Compare(after[0].at)
}

// match appends d to all, with a lost and a gained start that stand beside each
// other as one that moved. Each goes to its nearer neighbour; between two
// equally near it moves to the later.
func match(all, d []delta) []delta {
	for len(d) > 0 {
		if len(d) == 1 || d[0].kind == d[1].kind {
			all, d = append(all, d[0]), d[1:]
			continue
		}
		if len(d) > 2 && d[2].kind == d[0].kind {
			here, there := d[1].at().Sub(d[0].at()), d[2].at().Sub(d[1].at())
			if there < here || there == here && d[0].kind == Gained {
				all, d = append(all, d[0]), d[1:]
				continue
			}
		}
		moved := delta{kind: Moved, old: d[0].old, new: d[1].new}
		if d[0].kind == Gained {
			moved.old, moved.new = d[1].old, d[0].new
		}
		all, d = append(all, moved), d[2:]
	}
	return all
}

// at is the moment of a start that has not been matched.
func (d delta) at() time.Time {
	if d.kind == Gained {
		return d.new.at
	}
	return d.old.at
}
