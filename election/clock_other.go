//go:build !linux

package election

// BootClock returns the best Clock of this system: Go's monotonic reading,
// which may stand still while the machine sleeps.
func BootClock() Clock { return Monotonic() }
