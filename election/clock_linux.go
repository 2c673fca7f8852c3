package election

import (
	"syscall"
	"time"
	"unsafe"
)

// clockBoottime is CLOCK_BOOTTIME of clock_gettime(2): monotonic, and running
// while the system is suspended. Package syscall does not name it.
const clockBoottime = 7

// BootClock returns a Clock over CLOCK_BOOTTIME, which also counts the time the
// machine was suspended.
func BootClock() Clock {
	fallback := Monotonic()
	return func() time.Duration {
		var ts syscall.Timespec
		_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockBoottime, uintptr(unsafe.Pointer(&ts)), 0)
		if errno != 0 {
			return fallback()
		}
		return time.Duration(ts.Nano())
	}
}
