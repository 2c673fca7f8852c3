package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/config"
)

const exitCodesHelp = `Exit codes:
  0  done
  1  any failure that has no code of its own; of a comparison: there are differences
  2  wrong command, flag or argument
  3  the configuration cannot be read or is invalid; so is a schedule, zone or time
  "scheduler help exit-codes" lists all.`

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
		return int(cli.OK)
	}
	if errors.Is(err, errDiffers) {
		return int(cli.Failure)
	}
	if faults, ok := errors.AsType[config.Faults](err); ok {
		fmt.Fprintln(stderr, faults) // one a line, each with its file
		return int(cli.BadConfig)
	}
	code, said := codeOf(err)
	if said {
		return int(code)
	}
	fmt.Fprintln(stderr, "scheduler:", err)
	if _, ok := errors.AsType[usageError](err); ok {
		fmt.Fprintln(stderr, "scheduler --help says what there is.")
	}
	return int(code)
}

// codeOf is the code for err, and whether it has been printed.
func codeOf(err error) (code cli.Code, said bool) {
	if _, ok := errors.AsType[usageError](err); ok {
		return cli.Usage, false
	}
	if _, ok := errors.AsType[configError](err); ok {
		return cli.BadConfig, false
	}
	return cli.CodeOf(err)
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
