package config

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// what names the type of n in the words of YAML.
func what(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case "!!null":
		return "empty"
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "true or false"
	}
	return "text"
}

// cut shortens s to at most n runes, for messages.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "..."
		}
		n--
	}
	return s
}

// quote writes s for people: short, in quotes, with nothing that moves a cursor.
func quote(s string) string { return strconv.Quote(cut(s, 60)) }

// nearest returns the candidate that word was probably meant to be, "" if none
// is near. Case does not count.
func nearest(word string, candidates []string) string {
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

// elsewhere returns what we call a field that other schedulers call word.
func elsewhere(word string) string {
	switch strings.ToLower(word) {
	case "cron", "spec", "schedules", "when", "rule":
		return "schedule"
	case "tz", "zone", "location", "timezone":
		return "timeZone"
	case "cmd", "exec", "run", "args", "argv":
		return "command"
	case "script", "sh", "bash":
		return "shell"
	case "url", "webhook":
		return "http"
	case "concurrency", "concurrencypolicy", "concurrent":
		return "overlapPolicy"
	case "environment", "envs", "vars":
		return "env"
	case "startingdeadlineseconds":
		return "startingDeadline"
	case "activedeadlineseconds", "timeoutseconds":
		return "timeout"
	case "disabled", "enabled", "paused":
		return "suspend"
	case "cwd", "dir", "workdir", "working_dir", "workingdirectory":
		return "workingDir"
	case "splay", "spread", "random", "randomizeddelay":
		return "jitter"
	case "calendar", "calendars", "holidays", "blackout":
		return "exclude"
	case "starttime", "startdate", "notbefore":
		return "startAt"
	case "endtime", "enddate", "notafter":
		return "endAt"
	case "id", "title":
		return "name"
	}
	return ""
}

// meant returns ": did you mean X?" for an unknown key, "" if nothing is near.
func meant(word string, candidates []string) string {
	guess := nearest(word, candidates)
	if guess == "" {
		if e := elsewhere(word); slices.Contains(candidates, e) {
			guess = e
		}
	}
	if guess == "" {
		return ""
	}
	return ": did you mean " + guess + "?"
}

// control returns the first control character of s that is neither tab nor newline.
func control(s string) (rune, bool) {
	for _, r := range s {
		if r != '\t' && r != '\n' && unicode.IsControl(r) {
			return r, true
		}
	}
	return 0, false
}
