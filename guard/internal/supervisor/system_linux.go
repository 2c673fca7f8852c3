package supervisor

import (
	"syscall"
	"unsafe"
)

// What package syscall does not name.
const (
	clockBoottime     = 7
	prSetName         = 15
	prSetSubreaper    = 36
	pollIn            = 1
	timerAbsolute     = 1
	waitAll           = 0x40000000 // __WALL: children of any thread, however cloned
	sigIgnore         = 1          // SIG_IGN
	kernelSigsetBytes = 8
)

// fallbackPoll is how often the clock is read, in ns, where the system has no
// timer that goes on while the machine is suspended.
const fallbackPoll = int64(250e6)

// now reads CLOCK_BOOTTIME in ns.
func now() int64 {
	var ts syscall.Timespec
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockBoottime, uintptr(unsafe.Pointer(&ts)), 0)
	return ts.Nano()
}

func prctl(option, arg uintptr) {
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, option, arg, 0)
}

// setName makes name, at most 15 bytes, what ps calls this process.
func setName(name string) {
	b := [16]byte{}
	copy(b[:15], name)
	prctl(prSetName, uintptr(unsafe.Pointer(&b)))
}

// ignore has the system drop sig for this process. A program it starts gets the
// default back: the runtime resets what it handles, and it handles these.
func ignore(sig syscall.Signal) {
	action := struct {
		handler  uintptr
		flags    uintptr
		restorer uintptr
		mask     uint64
	}{handler: sigIgnore}
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&action)), 0, kernelSigsetBytes, 0, 0)
}

// alarm is a descriptor that becomes readable at a moment of CLOCK_BOOTTIME, -1
// if the system has none.
type alarm int

func newAlarm() alarm {
	fd, _, errno := syscall.RawSyscall(syscall.SYS_TIMERFD_CREATE, clockBoottime, syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if errno != 0 {
		return -1
	}
	return alarm(fd)
}

// set arms a for the moment at and returns the longest time in ns that may be
// waited besides, -1 for any.
func (a alarm) set(at int64) int64 {
	if a < 0 {
		return max(0, min(fallbackPoll, at-now()))
	}
	spec := struct{ interval, value syscall.Timespec }{value: syscall.NsecToTimespec(max(at, 1))}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, uintptr(a), timerAbsolute, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
	if errno != 0 {
		return max(0, min(fallbackPoll, at-now()))
	}
	return -1
}

type pollFD struct {
	fd      int32
	events  int16
	revents int16
}

// poll waits until a descriptor is ready, a signal came, or d ns have passed; d
// below 0 is no limit. A descriptor below 0 is left out.
func poll(fds []pollFD, d int64) {
	ts := syscall.NsecToTimespec(max(d, 0))
	limit := &ts
	if d < 0 {
		limit = nil
	}
	_, _, errno := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&fds[0])), uintptr(len(fds)), uintptr(unsafe.Pointer(limit)), 0, 0, 0)
	if errno != 0 {
		for i := range fds {
			fds[i].revents = 0
		}
	}
}

// readFull fills b from fd.
func readFull(fd int, b []byte) bool {
	for len(b) > 0 {
		n, err := syscall.Read(fd, b)
		if err == syscall.EINTR { //nolint:errorlint // an errno is compared, and package errors stays out
			continue
		}
		if err != nil || n <= 0 {
			return false
		}
		b = b[n:]
	}
	return true
}
