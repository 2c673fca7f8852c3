//go:build unix

package daemon

import "syscall"

// fileLimit is how many files this process may have open.
func fileLimit() (limit uint64, known bool) {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return 0, false
	}
	return uint64(r.Cur), true //nolint:unconvert // it is signed on some systems
}
