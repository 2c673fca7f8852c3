package config

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/solocron/solocron/jobs"
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
	case "retries", "backofflimit", "attempts", "retrypolicy":
		return "retry"
	case "misfire", "misfirepolicy", "backfill", "coalesce":
		return "catchup"
	case "pool", "group", "semaphore", "mutex":
		return "concurrencyGroup"
	case "parameters", "inputs", "arguments":
		return "params"
	case "depends", "depends_on", "needs", "after", "upstream":
		return "dependsOn"
	case "then", "downstream", "onsuccess":
		return "triggers"
	case "historylimit", "successfuljobshistorylimit", "failedjobshistorylimit", "retention":
		return "history"
	case "shadow", "dryrun":
		return "mode"
	}
	return ""
}

// meant returns ": did you mean X?" for an unknown key, "" if nothing is near.
func meant(word string, candidates []string) string {
	guess := elsewhere(word)
	if !slices.Contains(candidates, guess) {
		guess = jobs.Nearest(word, candidates)
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
