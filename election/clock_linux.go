package election

import (
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// clockBoottime is CLOCK_BOOTTIME of clock_gettime(2): monotonic, and running
// while the system is suspended. Package syscall does not name it.
const clockBoottime = 7

// BootClock returns a Clock over CLOCK_BOOTTIME, which also counts the time the
// machine was suspended.
//
// To ask the system for it takes a call of the kernel, twenty times as long as
// time.Now. But it runs ahead of the monotonic clock by what the machine has
// slept, and nothing else; and whatever the machine sleeps, the wall clock gains
// on the monotonic one, too, at the same moment. So as long as wall and monotonic
// clock keep their distance, boot time is the monotonic clock and what was asked
// for last. When they do not (a suspend, or a wall clock that was set), and once
// a second, the system is asked. An answer may be 50 us late, so that the clock
// may step back by that much after a suspend.
func BootClock() Clock {
	b := &bootClock{base: time.Now(), ask: askBoottime, fallback: Monotonic()}
	return func() time.Duration { return b.read(time.Now()) }
}

// A bootClock reads boot time with the help of time.Now.
type bootClock struct {
	base     time.Time // monotonic readings are since then
	ask      func() (time.Duration, bool)
	fallback Clock
	last     atomic.Pointer[bootAnchor]
}

// A bootAnchor is what was true when the system was asked.
type bootAnchor struct {
	asked time.Duration // monotonic
	wall  time.Duration // wall clock less monotonic
	slept time.Duration // boot time less monotonic
}

const (
	anchorAge  = time.Second
	anchorSlip = time.Millisecond      // of wall against monotonic clock, that is no suspend worth asking for
	anchorWide = 50 * time.Microsecond // between the readings around an answer, for it to be an anchor
)

// read returns boot time at now, which time.Now has just returned.
func (b *bootClock) read(now time.Time) time.Duration {
	mono := now.Sub(b.base)
	wall := time.Duration(now.UnixNano()-b.base.UnixNano()) - mono
	a := b.last.Load()
	if a != nil && mono-a.asked < anchorAge && (wall-a.wall).Abs() < anchorSlip {
		return mono + a.slept
	}
	boot, ok := b.ask()
	if !ok {
		return b.fallback()
	}
	after := time.Since(b.base)
	next := &bootAnchor{asked: after, wall: wall, slept: boot - after}
	if a != nil && boot > mono+a.slept-anchorSlip && boot < after+a.slept+anchorSlip {
		next.slept = a.slept // as far as can be told; to be exact now would be to step
	} else if after-mono > anchorWide { // the process was held up: who knows when boot was read
		return boot
	}
	if after-mono <= anchorWide {
		b.last.Store(next)
	}
	return after + next.slept
}

func askBoottime() (time.Duration, bool) {
	var ts syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockBoottime, uintptr(unsafe.Pointer(&ts)), 0)
	return time.Duration(ts.Nano()), errno == 0
}
