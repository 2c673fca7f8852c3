package cli

// maxNear is how many changes a mistyped name may have.
const maxNear = 2

// Nearest returns the name that a mistyped one most likely means; "" if none is near.
// A name that begins as it was typed is near, too.
func Nearest(typed string, names []string) string {
	best, at := "", maxNear+1
	for _, name := range names {
		d := distance(typed, name, at)
		if len(typed) >= 3 && len(name) > len(typed) && name[:len(typed)] == typed {
			d = min(d, 1)
		}
		if d < at {
			best, at = name, d
		}
	}
	return best
}

// distance is how many characters must be put in, left out or replaced to make b of a;
// or any number of at least limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		left := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			cost := left
			if a[i] != b[j] {
				cost = 1 + min(left, above, row[j])
			}
			left, row[j+1] = above, cost
		}
	}
	return row[len(b)]
}
