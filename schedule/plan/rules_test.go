package plan_test

import (
	"testing"
	"time"

	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/schedule/plan"
)

// ruled is the job a at 03:00 every day under rules.
func ruled(t testing.TB, r schedule.Rules) []plan.Job {
	t.Helper()
	s, err := parse(t, "0 3 * * *", "UTC").With(r)
	if err != nil {
		t.Fatal(err)
	}
	return []plan.Job{{Name: "a", Schedule: s}}
}

func holidays(t testing.TB, dates ...string) []*schedule.Calendar {
	t.Helper()
	c, err := schedule.NewCalendar(schedule.CalendarSpec{Name: "holidays", Zone: time.UTC, Dates: dates})
	if err != nil {
		t.Fatal(err)
	}
	return []*schedule.Calendar{c}
}

func TestARuleChangesWhenAJobStarts(t *testing.T) {
	t.Parallel()
	from := instant(t, "2027-01-04T00:00:00Z")
	two := holidays(t, "2027-01-05", "2027-01-06")
	for _, c := range []struct {
		name  string
		rules schedule.Rules
		want  string
	}{
		{"what is excluded is lost", schedule.Rules{Exclude: two}, "-05T03:00 -06T03:00"},
		{"what is deferred runs once, when the window ends", schedule.Rules{Exclude: two, Defer: true}, "-05T03:00 ~06T03:00>07T00:00"},
		{"before it begins there is nothing", schedule.Rules{StartAt: from.Add(30 * time.Hour)}, "-04T03:00 -05T03:00"},
		{"after it ended there is nothing", schedule.Rules{EndAt: from.Add(54 * time.Hour)}, "-07T03:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			diffs := plan.Compare(ruled(t, schedule.Rules{}), ruled(t, c.rules), plan.Days(from, 4), 10)
			if len(diffs) != 1 || told(diffs[0].Changes) != c.want {
				t.Errorf("got %+v, want %s", diffs, c.want)
			}
		})
	}
}

func TestJitterMovesStarts(t *testing.T) {
	t.Parallel()
	w := plan.Days(instant(t, "2027-01-04T00:00:00Z"), 10)
	d := plan.Compare(ruled(t, schedule.Rules{}), ruled(t, schedule.Rules{Jitter: 10 * time.Minute, Key: "test/a"}), w, 10)[0]
	if d.Moved != 10 || d.Gained+d.Lost != 0 {
		t.Fatalf("got %d moved, %d gained, %d lost, want 10 moved", d.Moved, d.Gained, d.Lost)
	}
	for _, c := range d.Changes {
		if by := c.New.Sub(c.Old); by <= 0 || by > 10*time.Minute {
			t.Errorf("%s moved by %s, want up to 10m", c.Old, by)
		}
	}
}

func TestTheLoadCountsStartsNotTicks(t *testing.T) {
	t.Parallel()
	r := schedule.Rules{Exclude: holidays(t, "2027-01-05", "2027-01-06"), Defer: true}
	l := plan.NewLoad(ruled(t, r), plan.Days(instant(t, "2027-01-04T00:00:00Z"), 4))
	got := l.Busiest(5)
	if len(got) != 2 || got[0].OfDay != 0 || got[0].Days != 1 || got[1].OfDay != 180 || got[1].Days != 2 {
		t.Errorf("got %+v, want one start at 00:00 and two at 03:00", got)
	}
}
