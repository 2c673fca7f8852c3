package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/schedule/plan"
)

// busiest is how many of the busiest minutes are shown.
const busiest = 5

// tooMany qualifies figures that a bound cut short.
const tooMany = "there are too many starts to count all: these figures are at least so high"

// comparison is two files of jobs and the days in which to compare them.
type comparison struct {
	before, after []plan.Job
	window        plan.Window
	days, list    int
}

// print writes what differs; that anything does is its error.
func (c comparison) print(out io.Writer) error {
	fmt.Fprintf(out, "from %s to %s (%s)\n", c.window.From.UTC().Format(time.RFC3339), c.window.To.UTC().Format(time.RFC3339), plural(c.days, "day"))
	diffs := plan.Compare(c.before, c.after, c.window, c.list)
	for _, d := range diffs {
		if err := c.job(out, d); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\n%s\n\n", total(diffs, len(c.after)))
	if err := c.busiest(out); err != nil {
		return err
	}
	if len(diffs) > 0 {
		return errDiffers
	}
	return nil
}

// job writes what became of one job.
func (c comparison) job(out io.Writer, d plan.Diff) error {
	fmt.Fprintf(out, "\n%s   %s\n   %s\n", d.Name, became(d), counts(d))
	err := columns(out, func(w io.Writer) {
		for _, ch := range d.Changes {
			fmt.Fprintf(w, "   %s\t%s\n", change(ch, d), remark(ch))
		}
	})
	if err != nil {
		return err
	}
	if rest := d.Gained + d.Lost + d.Moved - len(d.Changes); rest > 0 {
		fmt.Fprintf(out, "   and %d more\n", rest)
	}
	return nil
}

// became says what happened to the job as a whole.
func became(d plan.Diff) string {
	switch {
	case d.Old == nil:
		return "starts to run: " + named(d.New)
	case d.New == nil:
		return "runs no longer: " + named(d.Old)
	}
	was, is := named(d.Old), named(d.New)
	if was == is {
		return was + ", with other rules"
	}
	return was + " becomes " + is
}

func named(s *schedule.Schedule) string { return fmt.Sprintf("%q %s", s.Spec(), s.Location()) }

// counts sums up one job in a line.
func counts(d plan.Diff) string {
	if !d.Later.IsZero() {
		return "no change in this time; the first after it is on " + d.Later.UTC().Format(time.RFC3339)
	}
	var words []string
	for _, k := range []struct {
		n    int
		kind plan.Kind
	}{{d.Gained, plan.Gained}, {d.Lost, plan.Lost}, {d.Moved, plan.Moved}} {
		if k.n > 0 {
			words = append(words, fmt.Sprintf("%d %s", k.n, k.kind))
		}
	}
	text := strings.Join(words, ", ")
	switch {
	case !d.AtLeast:
		return text
	case text == "":
		return "too many starts to compare; no difference in those that were"
	}
	return "at least " + text + " (too many starts to compare all)"
}

// change is one line of the list.
func change(c plan.Change, d plan.Diff) string {
	switch c.Kind {
	case plan.Gained:
		return "+ " + c.New.In(d.New.Location()).Format(wallLayout)
	case plan.Lost:
		return "- " + c.Old.In(d.Old.Location()).Format(wallLayout)
	}
	was, is := c.Old.In(d.Old.Location()), c.New.In(d.New.Location())
	layout := wallLayout
	if was.Format(time.DateOnly) == is.Format(time.DateOnly) {
		layout = "15:04:05 -0700"
	}
	by := is.Sub(was)
	sign := "later"
	if by < 0 {
		by, sign = -by, "earlier"
	}
	return fmt.Sprintf("~ %s -> %s (%s %s)", was.Format(wallLayout), is.Format(layout), cli.Span(by), sign)
}

func remark(c plan.Change) string {
	if !c.ClockChange {
		return c.Note
	}
	return strings.TrimSuffix("clock changes: "+c.Note, ": ")
}

// total sums up all jobs in a line.
func total(diffs []plan.Diff, jobs int) string {
	if len(diffs) == 0 {
		return "no difference in " + plural(jobs, "job")
	}
	var sum plan.Diff
	for _, d := range diffs {
		sum.Gained += d.Gained
		sum.Lost += d.Lost
		sum.Moved += d.Moved
		sum.AtLeast = sum.AtLeast || d.AtLeast
	}
	least := ""
	if sum.AtLeast {
		least = "at least "
	}
	return fmt.Sprintf("%s: %s%d gained, %d lost, %d moved", differ(len(diffs)), least, sum.Gained, sum.Lost, sum.Moved)
}

func differ(n int) string {
	if n == 1 {
		return "1 job differs"
	}
	return plural(n, "job") + " differ"
}

// busiest writes the busiest minutes of the new file beside what the old one
// has in them.
func (c comparison) busiest(out io.Writer) error {
	before, after := plan.NewLoad(c.before, c.window), plan.NewLoad(c.after, c.window)
	return columns(out, func(w io.Writer) {
		fmt.Fprintln(w, "BUSIEST MINUTE (UTC)\tSTARTS\tBEFORE\tDAYS\tFIRST")
		for _, m := range after.Busiest(busiest) {
			fmt.Fprintf(w, "%02d:%02d\t%d\t%d\t%d\t%s\n", m.OfDay/60, m.OfDay%60, m.Peak, before.At(m.OfDay), m.Days, m.First.Format(time.DateOnly))
		}
		if before.AtLeast || after.AtLeast {
			fmt.Fprintln(w, tooMany)
		}
	})
}
