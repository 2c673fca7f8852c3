package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// maxShellText is what Linux takes as one argument, less the final NUL.
const maxShellText = 128<<10 - 1

// Shell runs a text with "/bin/sh -c", in all else like Command.
type Shell struct {
	Text  string
	Guard []string // as in Command
	Exec
}

// newShell is Kind.New of shell, whose setting is a string.
func newShell(decode func(into any) error) (Runner, error) {
	s := new(Shell)
	if err := decode(&s.Text); err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s, nil
}

// Validate reports what is wrong with s.
func (s *Shell) Validate() error {
	return errors.Join(s.validateText(), s.Exec.validate())
}

func (s *Shell) validateText() error {
	switch {
	case strings.TrimSpace(s.Text) == "":
		return &FieldError{Msg: "needs a text for /bin/sh"}
	case strings.ContainsRune(s.Text, 0):
		return &FieldError{Msg: "holds a NUL character"}
	case len(s.Text) > maxShellText:
		return &FieldError{Msg: fmt.Sprintf("is %d bytes long, over the %d that /bin/sh -c can take: put it in a file", len(s.Text), maxShellText)}
	}
	return nil
}

// SetExec sets the environment, directory, grace period and exit codes.
func (s *Shell) SetExec(e Exec) error {
	if err := e.validate(); err != nil {
		return err
	}
	s.Exec = e
	return nil
}

// SetGuard sets the command that starts a guard.
func (s *Shell) SetGuard(argv []string) { s.Guard = argv }

// Run gives the text to /bin/sh and waits for the end of its process group.
// Line ends are those of Unix whatever the YAML file has.
func (s *Shell) Run(ctx context.Context, run Run) error {
	if err := s.Validate(); err != nil {
		return fmt.Errorf("shell: %w", err)
	}
	text := strings.ReplaceAll(s.Text, "\r\n", "\n")
	return runProcess(ctx, run, []string{"/bin/sh", "-c", text}, s.Exec, s.Guard)
}
