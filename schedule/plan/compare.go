package plan

import (
	"slices"
	"time"

	"github.com/solocron/solocron/schedule"
)

// The bounds of a comparison.
const (
	maxTicks = 100_000    // of one schedule: a minutely one has 43,200 in 30 days
	maxWork  = 20_000_000 // ticks of all schedules together
	maxAhead = 20_000     // of one schedule beyond the window
)

// ahead is how far beyond the window a first difference is looked for.
const ahead = 5 * 366 * 24 * time.Hour

// Diff is what became of one job.
type Diff struct {
	Name     string
	Old, New *schedule.Schedule // nil: the job is not there, or suspended
	Gained   int
	Lost     int
	Moved    int
	AtLeast  bool      // there were more ticks than one comparison looks at
	Changes  []Change  // the first ones, and those after them on days when the clock changes
	Later    time.Time // with no change in the window: the first one after it, within 5 years
}

// Differs reports whether any start of the job changed.
func (d Diff) Differs() bool { return d.Gained+d.Lost+d.Moved > 0 || !d.Later.IsZero() || d.AtLeast }

// Compare returns the jobs that differ between two files, in the order of the
// new one, then those it lacks. Of each it tells the first keep changes, and as
// many more that fall on days when the clock changes.
func Compare(before, after []Job, w Window, keep int) []Diff {
	c := comparer{window: w, keep: keep, left: maxWork, known: map[pair]Diff{}}
	scheduled := make(map[string]*schedule.Schedule, len(before))
	for _, j := range before {
		scheduled[j.Name] = j.Schedule
	}
	var all []Diff
	seen := make(map[string]bool, len(after))
	for _, j := range after {
		seen[j.Name] = true
		all = c.add(all, j.Name, scheduled[j.Name], j.Schedule)
	}
	for _, j := range before {
		if !seen[j.Name] {
			all = c.add(all, j.Name, j.Schedule, nil)
		}
	}
	return all
}

// comparer compares jobs, each pair of schedules only once.
type comparer struct {
	window Window
	keep   int
	left   int // ticks that may still be looked at
	known  map[pair]Diff
}

// pair is two schedules by what tells them apart, and where they are told of.
type pair struct{ before, after, zones string }

// add appends the difference between two schedules of the job name, if any.
func (c *comparer) add(all []Diff, name string, before, after *schedule.Schedule) []Diff {
	p := pair{text(before), text(after), zone(before) + " " + zone(after)}
	if p.before == p.after {
		return all
	}
	d, ok := c.known[p]
	if !ok {
		d = c.compare(before, after)
		c.known[p] = d
	}
	if !d.Differs() {
		return all
	}
	d.Name, d.Old, d.New = name, before, after
	return append(all, d)
}

func (c *comparer) compare(before, after *schedule.Schedule) Diff {
	found, whole := c.deltas(c.window, before, after, maxTicks)
	d := Diff{AtLeast: !whole, Changes: c.choose(found, before, after)}
	for _, one := range found {
		switch one.kind {
		case Gained:
			d.Gained++
		case Lost:
			d.Lost++
		case Moved:
			d.Moved++
		}
	}
	if len(found) == 0 && whole {
		d.Later = c.later(before, after)
	}
	return d
}

// choose tells the changes that are kept.
func (c *comparer) choose(found []delta, before, after *schedule.Schedule) []Change {
	var kept []Change
	more := c.keep
	for i, one := range found {
		switch {
		case i < c.keep:
		case more > 0 && one.clockChange(before, after):
			more--
		default:
			continue
		}
		kept = append(kept, one.change(before, after))
	}
	return kept
}

// later returns when two schedules first differ beyond the window.
func (c *comparer) later(before, after *schedule.Schedule) time.Time {
	found, _ := c.deltas(Window{c.window.To, c.window.To.Add(ahead)}, before, after, maxAhead)
	if len(found) == 0 {
		return time.Time{}
	}
	first := found[0]
	if first.kind == Gained || first.kind == Moved && first.new.at.Before(first.old.at) {
		return first.new.at
	}
	return first.old.at
}

// deltas compares as much of w as both schedules can be looked at; whole says
// whether that is all of it. A start that moves over an edge of w belongs to
// where it was.
func (c *comparer) deltas(w Window, before, after *schedule.Schedule, limit int) (found []delta, whole bool) {
	was, wasWhole := c.collect(w, before, limit)
	will, willWhole := c.collect(w, after, limit)
	if !wasWhole {
		will = upTo(will, was)
	}
	if !willWhole {
		was = upTo(was, will)
	}
	outside := func(d delta) bool { return d.kind == Gained && d.new.outside || d.kind != Gained && d.old.outside }
	return slices.DeleteFunc(deltas(was, will), outside), wasWhole && willWhole
}

// collect returns the starts in w; whole is false if there are more.
func (c *comparer) collect(w Window, s *schedule.Schedule, limit int) (all []start, whole bool) {
	limit = min(limit, c.left)
	walk := w.walk(s, limit)
	if before, ok := w.before(s); ok {
		all = append(all, before)
	}
	for {
		one, ok, spent := walk.next()
		if ok {
			all = append(all, one)
			continue
		}
		c.left -= limit - walk.left
		if after, ok := w.after(s); ok && !spent {
			all = append(all, after)
		}
		return all, !spent
	}
}

// upTo cuts all at the last of other: beyond it nothing is known.
func upTo(all, other []start) []start {
	if len(other) == 0 {
		return nil
	}
	end := other[len(other)-1].at
	for len(all) > 0 && all[len(all)-1].at.After(end) {
		all = all[:len(all)-1]
	}
	return all
}
