package cli

import (
	"errors"
	"net/http"

	"github.com/solocron/solocron/scheduler"
)

// Code is the exit code of the program. Scripts rely on what each means.
type Code int

// The exit codes.
const (
	OK          Code = 0
	Failure     Code = 1
	Usage       Code = 2
	BadConfig   Code = 3
	Denied      Code = 4
	Missing     Code = 5
	Conflict    Code = 6
	Unreachable Code = 7
	RunFailed   Code = 10
	RunStopped  Code = 11
	TimedOut    Code = 124
	Interrupted Code = 130
)

// ExitCodes tells the codes to people.
const ExitCodes = `Exit codes:
  0    done; with --wait: the run succeeded; of a comparison: no difference
  1    any other failure; status: unhealthy; of a comparison: differences
  2    wrong command, flag, argument or parameter
  3    the configuration cannot be read or is invalid; so is a schedule, zone or time,
       a file of a token, certificate or key
  4    not signed in, or not allowed
  5    no such job, run, tick, lease, dead letter or replica
  6    conflict: already running, has ended, suspended in its definition, key used for
       something else, lease is not the one that was seen
  7    the server, or its store, cannot be reached or is busy
  10   the run that was waited for failed or timed out
  11   the run that was waited for was cancelled, interrupted, skipped, missed or lost
  124  --timeout passed while waiting; the run goes on, its ID is printed
  130  interrupted (Ctrl-C) while waiting; the run goes on, how to wait again is printed`

// Error is a failure with a code of its own.
type Error struct {
	Code Code
	Err  error
	Said bool // it has been printed: nothing more is to be said
}

// Error is what went wrong.
func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// Exit is err with a code.
func Exit(code Code, err error) error { return &Error{Code: code, Err: err} }

// errSaid is behind an end that was printed.
var errSaid = errors.New("this has been printed")

// Quit ends the program with a code. What there is to say has been printed.
func Quit(code Code) error {
	if code == OK {
		return nil
	}
	return &Error{Code: code, Err: errSaid, Said: true}
}

// CodeOf returns the code for err, and whether it has been printed.
func CodeOf(err error) (code Code, said bool) {
	if err == nil {
		return OK, true
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code, e.Said
	}
	if p, ok := errors.AsType[*ProblemError](err); ok {
		return p.Code(), false
	}
	return Failure, false
}

// CodeOfStatus is the code for an answer with this HTTP status.
func CodeOfStatus(status int) Code {
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge:
		return Usage
	case http.StatusUnauthorized, http.StatusForbidden:
		return Denied
	case http.StatusNotFound:
		return Missing
	case http.StatusConflict:
		return Conflict
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return Unreachable
	}
	return Failure
}

// CodeOfVerdict is the code for a run that was waited for.
func CodeOfVerdict(v scheduler.Verdict) Code {
	switch v {
	case scheduler.Succeeded:
		return OK
	case scheduler.Failed, scheduler.TimedOut:
		return RunFailed
	case scheduler.Cancelled, scheduler.Interrupted, scheduler.LeaseLost, scheduler.Skipped, scheduler.Missed:
		return RunStopped
	}
	return Failure
}
