package jobs

import (
	"fmt"
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

// exitError says how a process that ended so failed, nil if it did not.
func exitError(x *exit, alsoGood []int, lastLine string) error {
	if x.code == 0 || x.code > 0 && slices.Contains(alsoGood, x.code) {
		return nil
	}
	return &ExitError{Code: x.code, Signal: x.signal, LastLine: lastLine}
}
