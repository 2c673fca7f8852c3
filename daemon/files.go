package daemon

import (
	"fmt"

	"github.com/solocron/solocron/election/redislease/preflight"
)

const (
	baseFiles = 256 // for Redis, HTTP, logs and what jobs in this process open
	runFiles  = 4   // of a process that is run: its pipes
	atOnce    = 200 // of the jobs; more seldom run together
)

// files judges the limit of open files for a replica with so many jobs.
func files(jobs int) preflight.Row {
	limit, known := fileLimit()
	return judgeFiles(limit, known, jobs)
}

func judgeFiles(limit uint64, known bool, jobs int) preflight.Row {
	const check = "open files"
	wanted := uint64(baseFiles + runFiles*min(jobs, atOnce))
	switch {
	case !known:
		return preflight.Row{Check: check, State: preflight.Unknown, Found: "this system does not tell", Fix: fmt.Sprintf("allow %d", wanted)}
	case limit < wanted:
		return preflight.Row{
			Check: check, State: preflight.Warn, Found: fmt.Sprintf("%d allowed", limit),
			Fix: fmt.Sprintf("allow %d (ulimit -n): a run that cannot open its pipes fails, and so does a connection to Redis", wanted),
		}
	}
	return preflight.Row{Check: check, State: preflight.OK, Found: fmt.Sprintf("%d allowed", limit)}
}
