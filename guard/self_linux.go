package guard

import "os"

// exe is the program that runs, also when its file has been replaced.
const exe = "/proc/self/exe"

// Self returns the command that starts this program as a guard, nil where there
// are no guards: Missing says why.
func Self() []string {
	if Missing() != "" {
		return nil
	}
	return []string{exe, "guard"}
}

// Missing says in words for people why this system has no guards, "" if it has.
func Missing() string {
	if _, err := os.Readlink(exe); err != nil {
		return "commands run without a guard, since " + exe + " cannot be read: they outlive a scheduler that is killed"
	}
	return ""
}
