package jobs

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// DefaultStopGrace is the time between SIGTERM and SIGKILL where a job says none.
const DefaultStopGrace = 10 * time.Second

// maxStopGrace bounds what a job may ask for.
const maxStopGrace = time.Hour

// Exec is how a process of a command or shell job is run: the job-level YAML
// fields env, workingDir, stopGracePeriod and successExitCodes. The zero value
// is a good choice.
type Exec struct {
	Env              map[string]Secret // added to the environment of the scheduler, and stronger
	Dir              string            // working directory; "" is the scheduler's own
	StopGrace        time.Duration     // between SIGTERM and SIGKILL; 0: DefaultStopGrace
	SuccessExitCodes []int             // beside 0, which always is success
	Withheld         map[string]bool   `yaml:"-"` // variables of the scheduler's environment that the process does not inherit
}

// WithExec is a Runner that starts a process and can be told how.
type WithExec interface {
	// SetExec takes e if it is valid, else says what is wrong with it as
	// *FieldError, several of them joined, with job-level field names.
	SetExec(e Exec) error
}

// validate reports everything that is wrong with e.
func (e Exec) validate() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(e.Env)) {
		if msg := envNameFault(name); msg != "" {
			errs = append(errs, &FieldError{Field: "env." + name, Msg: msg})
		}
	}
	if strings.ContainsRune(e.Dir, 0) {
		errs = append(errs, &FieldError{Field: "workingDir", Msg: "holds a NUL character"})
	}
	if e.StopGrace < 0 || e.StopGrace > maxStopGrace {
		errs = append(errs, &FieldError{Field: "stopGracePeriod", Msg: fmt.Sprintf("%s is not between 0s and %s", e.StopGrace, maxStopGrace)})
	}
	for i, code := range e.SuccessExitCodes {
		if code < 0 || code > 255 {
			errs = append(errs, &FieldError{Field: fmt.Sprintf("successExitCodes[%d]", i), Msg: fmt.Sprintf("%d is not between 0 and 255", code)})
		}
	}
	return errors.Join(errs...)
}

func envNameFault(name string) string {
	switch {
	case name == "":
		return "an environment variable needs a name"
	case strings.ContainsAny(name, "=\x00"):
		return "the name of an environment variable has no = and no NUL in it"
	case strings.HasPrefix(name, "SOLOCRON_"):
		return "names that begin with SOLOCRON_ are set by the scheduler"
	}
	return ""
}

// stopGrace is how long the process may take to stop when remaining is left of
// its lease.
func (e Exec) stopGrace(remaining func() time.Duration) time.Duration {
	return max(0, min(e.grace(), remaining()-killSlack))
}

// grace is how long the process may take to stop.
func (e Exec) grace() time.Duration {
	if e.StopGrace == 0 {
		return DefaultStopGrace
	}
	return e.StopGrace
}

// environ builds the environment of a process: the scheduler's own without
// its settings (SCHEDULER_*) and the secrets of others, the job's, and the identity of the run. Secrets
// are read now; hidden collects them so that output can be masked. An error
// names the variable, never a value.
func (e Exec) environ(run Run, hidden *redactor) ([]string, error) {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return e.Withheld[name] || strings.HasPrefix(kv, "SCHEDULER_") || strings.HasPrefix(kv, "SOLOCRON_") ||
			strings.HasPrefix(kv, "TRACEPARENT=") // of whoever started the scheduler
	})
	if e.Dir != "" {
		env = append(env, "PWD="+e.Dir)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Env)) {
		secret := e.Env[name]
		value, err := secret.Value()
		if err != nil {
			return nil, fmt.Errorf("env %s: %w", name, err)
		}
		if strings.ContainsRune(value, 0) {
			return nil, fmt.Errorf("env %s: the value holds a NUL character", name)
		}
		hidden.add(secret, value)
		env = append(env, name+"="+value)
	}
	return append(env, run.environ()...), nil
}
