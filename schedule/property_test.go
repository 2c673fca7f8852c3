package schedule_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solocron/solocron/schedule"
)

// zonesByChange returns the zones of the database, one for each distinct row of
// offsets over the years, with the instants at which its clock changes.
func zonesByChange(t *testing.T, from, to int) map[string][]time.Time {
	t.Helper()
	text, err := os.ReadFile("zones.txt")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	seen := map[string]bool{}
	changes := map[string][]time.Time{}
	for name := range strings.FieldsSeq(string(text)) {
		zone, err := schedule.LoadZone(name)
		if err != nil {
			t.Fatal(err)
		}
		found, offsets := changesOf(zone, from, to)
		if !seen[offsets] {
			seen[offsets] = true
			names = append(names, name)
			changes[name] = found
		}
	}
	if len(names) < 60 {
		t.Fatalf("got %d distinct zones, want at least 60", len(names))
	}
	return changes
}

// changesOf finds the changes of a zone by looking at every quarter of an hour
// of the days on whose ends the offsets differ.
func changesOf(zone *time.Location, from, to int) ([]time.Time, string) {
	offset := func(at time.Time) int {
		_, o := at.In(zone).Zone()
		return o
	}
	var found []time.Time
	var offsets strings.Builder
	end := time.Date(to+1, 1, 1, 0, 0, 0, 0, time.UTC)
	for day := time.Date(from, 1, 1, 0, 0, 0, 0, time.UTC); day.Before(end); day = day.AddDate(0, 0, 1) {
		if offset(day) == offset(day.AddDate(0, 0, 1)) {
			continue
		}
		for at := day; at.Before(day.AddDate(0, 0, 1)); at = at.Add(15 * time.Minute) {
			if next := at.Add(15 * time.Minute); offset(at) != offset(next) {
				found = append(found, next)
				fmt.Fprint(&offsets, next.Unix(), ":", offset(next), " ")
			}
		}
	}
	fmt.Fprint(&offsets, offset(end))
	return found, offsets.String()
}

// randomSpec makes a schedule likely to be due near w, a time on the wall.
func randomSpec(r *rand.Rand, w time.Time) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	near := func(v, lo, hi, spread int) int { return min(hi, max(lo, v+r.IntN(2*spread+1)-spread)) }
	h := near(w.Hour(), 0, 23, 2)
	d := near(w.Day(), 1, 31, 1)
	wd := near(int(w.Weekday()), 0, 7, 1)
	minutes := pick("*", "*/15", "0", "30", "0,20,40", "*/7", fmt.Sprint(r.IntN(60)), fmt.Sprintf("%d-59/13", r.IntN(50)), "59", "*/60,17")
	hours := pick("*", "*/2", "0", "23", "0-23", fmt.Sprint(h), fmt.Sprint(h), fmt.Sprint(h), fmt.Sprintf("%d,%d", h, (h+1)%24), fmt.Sprintf("%d-%d", min(h, 20), min(h, 20)+3), "*/3,1")
	dates := pick("*", "*", "*", "*/2", "?", fmt.Sprint(d), "L", "LW", fmt.Sprintf("%dW", d), fmt.Sprintf("%d,L", d), "1-31", "13")
	months := pick("*", "*", "*", fmt.Sprint(int(w.Month())), "*/2", "3-11")
	weekdays := pick("*", "*", "*", fmt.Sprint(wd), fmt.Sprintf("%d", wd), "1-5", "5-7", "0-7", "*/2", "?", fmt.Sprintf("%d#%d", wd%7, (w.Day()-1)/7+1), fmt.Sprintf("%dL", wd%7), "6,0")
	return strings.Join([]string{minutes, hours, dates, months, weekdays}, " ")
}

// checkWindow compares a schedule with the walk, forwards and backwards, inside
// the minutes less a margin at both ends.
func checkWindow(t *testing.T, spec string, o schedule.Options, minutes []minuteOf, margin time.Duration) bool {
	t.Helper()
	from, to := time.Unix(minutes[0].at, 0).Add(margin), time.Unix(minutes[len(minutes)-1].at, 0).Add(-margin)
	s, err := schedule.Parse(spec, o)
	if err != nil {
		if !strings.Contains(err.Error(), "never comes") {
			t.Errorf("%q: %v", spec, err)
		}
		return false
	}
	want := newBrute(spec, o).moments(minutes)
	want = slices.DeleteFunc(want, func(at time.Time) bool { return !at.After(from) || !at.Before(to) })
	var ahead, back []time.Time
	for at := s.Next(from); !at.IsZero() && at.Before(to) && len(ahead) <= len(want); at = s.Next(at) {
		ahead = append(ahead, at)
	}
	for at := s.Prev(to); !at.IsZero() && at.After(from) && len(back) <= len(want); at = s.Prev(at) {
		back = append(back, at)
	}
	slices.Reverse(back)
	if !slices.EqualFunc(ahead, want, time.Time.Equal) {
		t.Errorf("%q in %s gap %s overlap %s from %s: Next\n got %v\nwant %v", spec, o.Zone, o.Gap, o.Overlap, from, local(ahead, o.Zone), local(want, o.Zone))
	}
	if !slices.EqualFunc(back, want, time.Time.Equal) {
		t.Errorf("%q in %s gap %s overlap %s before %s: Prev\n got %v\nwant %v", spec, o.Zone, o.Gap, o.Overlap, to, local(back, o.Zone), local(want, o.Zone))
	}
	return true
}

func local(times []time.Time, zone *time.Location) []string {
	var out []string
	for _, at := range times {
		out = append(out, at.In(zone).Format("2006-01-02T15:04-0700"))
	}
	return out
}

// TestEveryZoneAgreesWithAWalkOverEveryMinuteAroundEveryChange is the promise of
// the package: no difference anywhere, in either direction, under any option.
func TestEveryZoneAgreesWithAWalkOverEveryMinuteAroundEveryChange(t *testing.T) {
	t.Parallel()
	specs, last := 6, 2030
	if testing.Short() || underRace {
		specs, last = 2, 2025
	}
	changes := zonesByChange(t, 2024, last)
	var mu sync.Mutex
	checked, seed := 0, rand.Uint64()
	t.Logf("seed %d", seed)
	t.Run("zones", func(t *testing.T) {
		for name, at := range changes {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(seed, uint64(len(name))<<32|uint64(name[len(name)-1])))
				n := checkZone(t, r, name, at, specs)
				mu.Lock()
				defer mu.Unlock()
				checked += n
			})
		}
	})
	t.Logf("%d zones, %d schedules", len(changes), checked)
	if checked < 500 {
		t.Errorf("got %d schedules compared, want at least 500", checked)
	}
}

// checkZone compares schedules around each change of a zone, and around the
// ends of two far leap years, where the time package's bounds are rough.
func checkZone(t *testing.T, r *rand.Rand, name string, changes []time.Time, specs int) (checked int) {
	t.Helper()
	zone, err := schedule.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	centres := append(slices.Clone(changes), time.Date(2028, 12, 31, 12, 0, 0, 0, time.UTC), time.Date(2044, 12, 31, 12, 0, 0, 0, time.UTC))
	for _, centre := range centres {
		minutes := walkMinutes(zone, centre.Add(-40*time.Hour), centre.Add(40*time.Hour))
		for range specs {
			o := schedule.Options{Zone: zone, Gap: schedule.Gap(r.IntN(3) / 2)}
			if r.IntN(2) == 0 {
				o.Overlap = schedule.Overlap(r.IntN(4))
			}
			if checkWindow(t, randomSpec(r, centre.In(zone)), o, minutes, 5*time.Hour) {
				checked++
			}
		}
	}
	return checked
}

// Years ahead, one moment after another, where the search leaps over many changes.
func TestRareSchedulesAgreeWithAWalkOverYears(t *testing.T) {
	t.Parallel()
	years := 6
	if testing.Short() || underRace {
		years = 3
	}
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for _, name := range []string{"UTC", "Europe/Berlin", "Australia/Lord_Howe", "Africa/Casablanca", "America/Santiago"} {
		t.Run(name, func(t *testing.T) {
			zone, err := schedule.LoadZone(name)
			if err != nil {
				t.Fatal(err)
			}
			minutes := walkMinutes(zone, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024+years, 1, 1, 0, 0, 0, 0, time.UTC))
			for _, spec := range []string{
				"0 0 29 2 *", "30 2 L * *", "15 1 LW * *", "0 2 15W 1-12/2 *", "0 0 * * 5#5", "59 23 31 12 *", "0 0 */31 * 0",
				"30 2 * 3 0L", "0 0 13 * 5", "5 3 1W,31W * *",
			} {
				checkWindow(t, spec, schedule.Options{Zone: zone, Overlap: schedule.Overlap(r.IntN(4))}, minutes, 5*time.Hour)
			}
		})
	}
}
