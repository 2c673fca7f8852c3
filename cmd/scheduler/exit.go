package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/config"
)

// The exit codes. They are part of the interface: scripts rely on them.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
	exitConfig  = 3
)

const exitCodesHelp = `Exit codes:
  0  done
  1  any failure that has no code of its own; of plan: there are differences;
     of --wait: the run did not succeed
  2  wrong command, flag or argument
  3  the configuration cannot be read or is invalid; so is a schedule, zone or time`

// usageError is a command line that makes no sense.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// configError is a configuration that cannot be used.
type configError struct{ error }

func (e configError) Unwrap() error { return e.error }

// errDiffers is what was compared not being the same. It has been printed.
var errDiffers = errors.New("there are differences")

// exitCode says on stderr what is wrong, if anything, and returns the code for it.
func exitCode(err error, stderr io.Writer) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, errDiffers) || errors.Is(err, errNotSucceeded) {
		return exitFailure
	}
	if faults, ok := errors.AsType[config.Faults](err); ok {
		fmt.Fprintln(stderr, faults) // one a line, each with its file
		return exitConfig
	}
	fmt.Fprintln(stderr, "scheduler:", err)
	if _, ok := errors.AsType[usageError](err); ok {
		fmt.Fprintln(stderr, "scheduler --help says what there is.")
		return exitUsage
	}
	if _, ok := errors.AsType[configError](err); ok {
		return exitConfig
	}
	return exitFailure
}

// args turns what a validator of arguments finds into a usageError.
func args(validate cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := validate(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}
