package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Command runs a program with arguments, without a shell in between. A
// program name without a slash is looked up in the scheduler's PATH.
//
// The program runs in a process group of its own. When the context ends, the
// group gets SIGTERM and, after the grace period, SIGKILL; Run returns when all
// of it is dead. A process that the program leaves behind in its group is ended
// in the same way when the program exits: a run leaves nothing behind. One
// that moved to another session (setsid) is out of reach without a guard.
//
// Below a guard the program is ended before run.Remaining reaches zero even if
// this process is frozen, and at once if it dies, with all that it started, in
// whatever session. See package guard.
//
// If the run keeps checkpoints, the environment variable SOLOCRON_CHECKPOINT is
// the path of a file that holds the one of the attempt before, and takes new ones,
// of at most 64 KiB. It is read every 2 s and at the end; whoever replaces it
// with a rename is never read half.
type Command struct {
	Argv  []string
	Guard []string // the command that starts a guard, guard.Self as a rule; empty: none
	Exec
}

// newCommand is Kind.New of command, whose settings are a list of strings.
func newCommand(decode func(into any) error) (Runner, error) {
	c := new(Command)
	if err := decode(&c.Argv); err != nil {
		return nil, err
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return c, nil
}

// Validate reports what is wrong with c.
func (c *Command) Validate() error {
	return errors.Join(c.validateArgv(), c.Exec.validate())
}

func (c *Command) validateArgv() error {
	if len(c.Argv) == 0 {
		return &FieldError{Msg: "needs a program: a list like [/bin/true, --flag]"}
	}
	var errs []error
	if strings.TrimSpace(c.Argv[0]) == "" {
		errs = append(errs, &FieldError{Field: "[0]", Msg: "the program's name is empty"})
	}
	for i, arg := range c.Argv {
		if strings.ContainsRune(arg, 0) {
			errs = append(errs, &FieldError{Field: fmt.Sprintf("[%d]", i), Msg: "holds a NUL character"})
		}
	}
	return errors.Join(errs...)
}

// SetExec sets the environment, directory, grace period and exit codes.
func (c *Command) SetExec(e Exec) error {
	if err := e.validate(); err != nil {
		return err
	}
	c.Exec = e
	return nil
}

// SetGuard sets the command that starts a guard.
func (c *Command) SetGuard(argv []string) { c.Guard = argv }

// Run starts the program and waits for the end of its process group. A
// program that fails gives an *ExitError, one that cannot be started the
// operating system's error.
func (c *Command) Run(ctx context.Context, run Run) error {
	if err := c.Validate(); err != nil {
		return fmt.Errorf("command: %w", err)
	}
	return runProcess(ctx, run, c.Argv, c.Exec, c.Guard)
}
