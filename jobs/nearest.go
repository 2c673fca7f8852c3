package jobs

import (
	"slices"
	"strings"
)

// Nearest returns the candidate that word was probably meant to be, "" if none
// is near. Case does not count, and words of more than 40 bytes mean nothing.
func Nearest(word string, candidates []string) string {
	best, least := "", 1+len(word)/3
	if len(word) > 40 {
		return ""
	}
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < least || d == least && best == "" {
			best, least = c, d
		}
	}
	return best
}

// didYouMean is ": did you mean X?", or "" if no candidate is near.
func didYouMean(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return ": did you mean " + near + "?"
	}
	return ""
}

// unknownWord says that word is none of words.
func unknownWord(word string, words ...string) string {
	last := len(words) - 1
	all := strings.Join(words[:last], ", ") + " and " + words[last]
	if slices.Contains(words, word) { // in Go, as it is written in YAML
		return shown(word) + " is the default: leave it empty"
	}
	if near := didYouMean(word, words); near != "" {
		return shown(word) + " is unknown" + near + " There are " + all
	}
	return shown(word) + " is unknown: there are " + all
}

// distance counts the insertions, deletions, changes and swaps of neighbours
// that make a into b.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := range s {
		row[0] = i + 1
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(t)]
}
