//go:build !linux

package jobs

import "os"

// usageOf reads what the process of state used. The unit of memory differs among
// systems, so that is left out.
func usageOf(state *os.ProcessState) Usage {
	return Usage{User: state.UserTime(), System: state.SystemTime()}
}
