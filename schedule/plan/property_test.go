package plan_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/solocron/solocron/schedule/plan"
	"pgregory.net/rapid"
)

// seconds draws starts, few enough to coincide often.
func seconds(t *rapid.T, label string) []int64 {
	set := rapid.SliceOfN(rapid.Int64Range(0, 40), 0, 20).Draw(t, label)
	slices.Sort(set)
	return slices.Compact(set)
}

// What is told turns the old starts into the new ones, says nothing about those
// that stay, and moves none past one that stays.
func TestChangesTurnTheOldStartsIntoTheNewOnes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := seconds(t, "before"), seconds(t, "after")
		lost, gained, moved := plan.Moves(before, after)
		set := map[int64]bool{}
		for _, s := range before {
			set[s] = true
		}
		take := func(s int64) {
			if !set[s] || slices.Contains(after, s) {
				t.Fatalf("%d is taken away, and was not there or stays", s)
			}
			delete(set, s)
		}
		put := func(s int64) {
			if set[s] || slices.Contains(before, s) {
				t.Fatalf("%d is added, and was there", s)
			}
			set[s] = true
		}
		for _, s := range lost {
			take(s)
		}
		for _, s := range gained {
			put(s)
		}
		for _, m := range moved {
			take(m[0])
			put(m[1])
			for s := min(m[0], m[1]); s <= max(m[0], m[1]); s++ {
				if slices.Contains(before, s) && slices.Contains(after, s) {
					t.Fatalf("%d moved to %d, past %d, which stays", m[0], m[1], s)
				}
			}
		}
		if got := slices.Sorted(maps.Keys(set)); !slices.Equal(got, after) {
			t.Fatalf("got %v, want %v", got, after)
		}
	})
}
