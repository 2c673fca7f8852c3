package config

import (
	"slices"
	"strings"

	"github.com/solocron/solocron/jobs"
)

// checkTrouble reports what is wrong with the policies for a replica or a store
// in trouble. A word with a fault is put back to its usual one: package jobs
// would only say the same again.
func (l *loader) checkTrouble(e *entry) {
	f, usual := &e.fields.policyFields, builtinPolicies()
	for _, c := range []struct {
		field string
		word  *string
		usual string
		words []string
	}{
		{"onHolderLost", &f.OnHolderLost, usual.OnHolderLost, []string{"skip", "rerun"}},
		{"onInterrupt", &f.OnInterrupt, usual.OnInterrupt, []string{"rerun", "skip"}},
		{"onStoreDown", &f.OnStoreDown, usual.OnStoreDown, []string{"wait", "skip", "run"}},
		{"onOverrun", &f.OnOverrun, usual.OnOverrun, []string{"report", "exit"}},
	} {
		if slices.Contains(c.words, *c.word) {
			continue
		}
		if e.ok(c.field) {
			l.faults.at(e.place(c.field), e.at.key(c.field), "%s", badWord(*c.word, c.words))
		}
		*c.word = c.usual
	}
	if f.OnStoreDown == "run" && !f.Idempotent {
		if e.ok("onStoreDown") && e.ok("idempotent") {
			l.faults.at(e.place("onStoreDown"), e.at.key("onStoreDown"),
				"is run, which needs idempotent: true: while Redis is away every replica runs the tick, without a lease")
		}
		f.OnStoreDown = usual.OnStoreDown
	}
}

// badWord says that word is none of words.
func badWord(word string, words []string) string {
	if word == "" {
		return "is empty: write " + joined(words, "or")
	}
	if guess := jobs.Nearest(word, words); guess != "" {
		return quote(word) + " is unknown: did you mean " + guess + "? There are " + joined(words, "and")
	}
	return quote(word) + " is unknown: there are " + joined(words, "and")
}

// joined lists words as in "wait, skip or run".
func joined(words []string, last string) string {
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
