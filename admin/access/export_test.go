package access

// Sources is of how many sources of bad tokens a remembers something.
func Sources(a *Access) int {
	a.limits.mu.Lock()
	defer a.limits.mu.Unlock()
	return len(a.limits.sources)
}

// Seal signs text with the key of a.
func Seal(a *Access, purpose, text string) string { return a.seals.seal(purpose, []byte(text)) }

// SessionFor is how long a sign-in is good.
const SessionFor = sessionFor
