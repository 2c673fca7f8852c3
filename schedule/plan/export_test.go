package plan

import "time"

// Moves compares two lists of starts, given in Unix seconds, oldest first, as
// Compare does, and returns what is lost, what is gained, and what moved, from and to.
func Moves(before, after []int64) (lost, gained []int64, moved [][2]int64) {
	for _, d := range deltas(starting(before), starting(after)) {
		switch d.kind {
		case Lost:
			lost = append(lost, d.old.at.Unix())
		case Gained:
			gained = append(gained, d.new.at.Unix())
		case Moved:
			moved = append(moved, [2]int64{d.old.at.Unix(), d.new.at.Unix()})
		}
	}
	return lost, gained, moved
}

func starting(seconds []int64) []start {
	var all []start
	for _, s := range seconds {
		all = append(all, start{tick: time.Unix(s, 0), at: time.Unix(s, 0)})
	}
	return all
}
