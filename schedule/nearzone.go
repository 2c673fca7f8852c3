package schedule

import (
	"slices"
	"strings"
)

// nearZone returns the known zone that name most likely means, or nothing: the
// same name in another case, a city without its continent, or at most two slips.
func nearZone(name string) string {
	if len(name) > 40 || strings.ContainsAny(name, "+0123456789") {
		return ""
	}
	wanted := strings.ToLower(strings.ReplaceAll(name, " ", "_"))
	best, least := "", 3
	for known := range strings.Lines(zoneNames) {
		known = strings.TrimSuffix(known, "\n")
		lower := strings.ToLower(known)
		d := slips(wanted, lower, 3)
		if d > 0 && strings.HasSuffix(lower, "/"+wanted) {
			d = 1
		}
		if d < least {
			best, least = known, d
		}
	}
	if least > 0 && len(wanted) < 6 && !strings.HasSuffix(strings.ToLower(best), "/"+wanted) {
		return "" // a slip in PST makes EST, which is another zone
	}
	return best
}

// slips counts the letters to put in, take out or change to make b of a, as
// far as it is below limit.
func slips(a, b string, limit int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
		if slices.Min(row) >= limit {
			return limit
		}
	}
	return row[len(b)]
}
