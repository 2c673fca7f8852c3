package jobs

import (
	"fmt"
	"os"
	"slices"
	"syscall"
)

// ExitError is a process that ended without success.
type ExitError struct {
	Code     int            // the exit code, -1 if a signal ended the process
	Signal   syscall.Signal // the signal that ended the process, 0 if none did
	LastLine string         // the last line of its stderr, at most 200 bytes
}

func (e *ExitError) Error() string {
	text := fmt.Sprintf("exit status %d", e.Code)
	if e.Signal != 0 {
		text = fmt.Sprintf("ended by signal %d (%s)", int(e.Signal), e.Signal)
	}
	if e.LastLine == "" {
		return text
	}
	return text + ": " + e.LastLine
}

// exitError says how a process with this state failed, nil if it did not.
func exitError(state *os.ProcessState, alsoGood []int, lastLine string) error {
	code := state.ExitCode()
	if code == 0 || code > 0 && slices.Contains(alsoGood, code) {
		return nil
	}
	return &ExitError{Code: code, Signal: endSignal(state), LastLine: lastLine}
}
