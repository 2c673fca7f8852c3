package jobs

import (
	"os"
	"syscall"
)

// usageOf reads what the process of state used. Until it has replaced itself with
// its program a process has the memory of its parent, so MaxRSS is no less
// than that: here the scheduler's, below a guard the guard's.
func usageOf(state *os.ProcessState) Usage {
	u := Usage{User: state.UserTime(), System: state.SystemTime()}
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		u.MaxRSS = int64(r.Maxrss) << 10 //nolint:unconvert // an int32 on some machines
	}
	return u
}
