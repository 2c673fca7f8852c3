//go:build !linux

package guard

// Main returns at once: there are no guards on this system.
func Main() {}
