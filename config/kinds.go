package config

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/solocron/solocron/jobs"
	"go.yaml.in/yaml/v3"
)

// errReported is what a kind is told when its settings have faults that are
// collected already.
var errReported = errors.New("the settings have faults")

// runner makes the runner of a job, nil after a fault.
func (l *loader) runner(e *entry) jobs.Runner {
	if e.action == nil {
		return nil
	}
	at := e.at.key(e.kind())
	r, err := build(l.kinds[e.kind()], func(into any) error {
		if settings, ok := into.(jobs.WithParams); ok && len(e.params) > 0 {
			l.blameFields(settings.DeclareParams(e.params), target(e.node), e.at)
		}
		if l.settings(e.action.value, into, at) {
			return nil
		}
		return errReported
	})
	if err != nil {
		l.blameFields(err, e.action.value, at)
	}
	l.setExec(e, r)
	return r
}

// build calls New of a kind. A panic is the kind's fault and a fault of the job.
func build(k jobs.Kind, decode func(into any) error) (r jobs.Runner, err error) {
	defer func() {
		if p := recover(); p != nil {
			r, err = nil, fmt.Errorf("the kind %s panicked on these settings", k.Name)
		}
	}()
	return k.New(decode)
}

// settings fills into, a pointer, with the settings of a kind.
func (l *loader) settings(n *yaml.Node, into any, at *trail) bool {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		l.faults.at(n, at, "is of a kind that cannot be read from YAML")
		return false
	}
	if _, argv := into.(*[]string); argv && n.Kind == yaml.ScalarNode && n.Tag != "!!null" {
		l.faults.at(n, at, "must be a list such as [/bin/echo, hello]; for a line of shell write shell: instead")
		return false
	}
	return l.decoder.value(n, v.Elem(), at)
}

// blameFields turns the error of a kind into faults at the fields it blames;
// n is the node those fields are below.
func (l *loader) blameFields(err error, n *yaml.Node, at *trail) {
	if err == nil || errors.Is(err, errReported) {
		return
	}
	if all := parts(err); len(all) != 1 || all[0] != err { //nolint:errorlint // is it its only part?
		for _, one := range all {
			l.blameFields(one, n, at)
		}
		return
	}
	if field, ok := errors.AsType[*jobs.FieldError](err); ok {
		place, path := walk(n, field.Field, at)
		l.faults.at(place, path, "%s", field.Msg)
		return
	}
	l.faults.at(n, at, "%s", err)
}

// walk follows the path of a field such as headers.Accept or args[2] below n
// as far as it goes. The trail is the whole path all the same.
func walk(n *yaml.Node, path string, at *trail) (*yaml.Node, *trail) {
	for path != "" {
		step, rest := nextStep(n, path)
		at = at.key(step)
		below := find(n, strings.Trim(step, "[]"))
		if below == nil {
			if rest != "" {
				at = at.key(rest)
			}
			return n, at
		}
		n, path = below, rest
	}
	return n, at
}

// nextStep splits the first step off a path. A key of n that is the whole path
// counts as one step, dots or not.
func nextStep(n *yaml.Node, path string) (step, rest string) {
	if n.Kind == yaml.MappingNode && find(n, path) != nil {
		return path, ""
	}
	if strings.HasPrefix(path, "[") {
		if i := strings.IndexByte(path, ']'); i > 0 {
			return path[:i+1], strings.TrimPrefix(path[i+1:], ".")
		}
	}
	if i := strings.IndexAny(path, ".["); i > 0 {
		return path[:i], strings.TrimPrefix(path[i:], ".")
	}
	return path, ""
}

// execFields returns the fields of a job that only those who start a process have.
func execFields() []string {
	return []string{"env", "workingDir", "successExitCodes", "stopGracePeriod"}
}

// setExec hands over what a job says about its process.
func (l *loader) setExec(e *entry, r jobs.Runner) {
	if r == nil {
		return
	}
	process, ok := r.(jobs.WithExec)
	if !ok {
		for _, field := range execFields() {
			if n := e.value(field); n != nil {
				l.faults.at(n, e.at.key(field), "is for jobs that start a process, not for %s", e.kind())
			}
		}
		return
	}
	err := process.SetExec(e.exec(l.decoder.named))
	l.blameFields(err, target(e.node), e.at)
}

// exec returns what is known to be good of what a job says about its process, which is
// not given the variables withheld: they may be added to while the file is read on.
func (e *entry) exec(withheld map[string]bool) jobs.Exec {
	x := jobs.Exec{Withheld: withheld}
	f := &e.fields
	if e.ok("env") {
		x.Env = f.Env
	}
	if e.ok("workingDir") {
		x.Dir = f.WorkingDir
	}
	if e.ok("stopGracePeriod") {
		x.StopGrace = f.StopGracePeriod
	}
	if e.ok("successExitCodes") {
		x.SuccessExitCodes = f.SuccessExitCodes
	}
	return x
}
