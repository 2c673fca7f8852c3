package cli

import (
	"fmt"
	"slices"
	"strings"
)

// Format is a way to write an answer.
type Format string

// The formats.
const (
	FormatTable Format = "table" // for people
	FormatWide  Format = "wide"  // with more columns
	FormatJSON  Format = "json"  // what the API answered
	FormatLines Format = "jsonl" // the same, an item a line
	FormatYAML  Format = "yaml"
	FormatName  Format = "name" // only the name or ID of each item, one a line
)

// Formats lists all formats.
func Formats() []string {
	return []string{string(FormatTable), string(FormatWide), string(FormatJSON), string(FormatLines), string(FormatYAML), string(FormatName)}
}

// ForPeople reports whether f is a table.
func (f Format) ForPeople() bool { return f == FormatTable || f == FormatWide }

// choose reads one of a few words that flag was given.
func choose(flag, word string, words []string) error {
	if !slices.Contains(words, word) {
		return Exit(Usage, fmt.Errorf("%s %q is none of %s", flag, Clip(word, 40), strings.Join(words, ", ")))
	}
	return nil
}
