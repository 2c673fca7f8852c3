package schedule

import (
	"cmp"
	"slices"
)

// stretch is a stretch from start up to end, of seconds or of days.
type stretch struct{ start, end int64 }

// joined sorts list and makes one span of those that overlap or adjoin. It
// reuses the memory of list.
func joined(list []stretch) []stretch {
	slices.SortFunc(list, func(a, b stretch) int { return cmp.Compare(a.start, b.start) })
	kept := list[:0]
	for _, s := range list {
		if n := len(kept); n > 0 && s.start <= kept[n-1].end {
			kept[n-1].end = max(kept[n-1].end, s.end)
			continue
		}
		kept = append(kept, s)
	}
	return slices.Clip(kept)
}

// stretchAt returns the member of a joined list that t lies in.
func stretchAt(list []stretch, t int64) (stretch, bool) {
	i, found := slices.BinarySearchFunc(list, t, func(s stretch, t int64) int { return cmp.Compare(s.start, t) })
	if !found {
		i--
	}
	if i < 0 || t >= list[i].end {
		return stretch{}, false
	}
	return list[i], true
}
