package daemon

// Missed is missed.
func Missed(before, now []string, self string) []string { return missed(before, now, self) }
