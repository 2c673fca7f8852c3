//go:build !linux

package guard

import "runtime"

// Self returns the command that starts this program as a guard, nil where there
// are no guards: Missing says why.
func Self() []string { return nil }

// Missing says in words for people why this system has no guards, "" if it has.
func Missing() string {
	return "commands run without a guard, since " + runtime.GOOS + " has none: they outlive a scheduler that is killed"
}
