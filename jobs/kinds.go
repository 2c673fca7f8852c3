package jobs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Kinds returns the built-in kinds. Funcs are the Go functions that a job can
// name with "func: NAME"; it may be nil. Databases are those that report and
// sync can use; without any, their settings are refused.
func Kinds(funcs map[string]Func, databases ...Database) []Kind {
	databases = slices.Clone(databases)
	return []Kind{
		{Name: "command", New: newCommand},
		{Name: "shell", New: newShell},
		Define[HTTP]("http"),
		{Name: "report", New: func(decode func(into any) error) (Runner, error) {
			return complete(&Report{Databases: databases}, decode)
		}},
		{Name: "sync", New: func(decode func(into any) error) (Runner, error) {
			return complete(&Sync{Databases: databases}, decode)
		}},
		funcKind(funcs),
	}
}

// validated is a Runner that can tell whether its settings are right.
type validated interface {
	Runner
	Validate() error
}

// complete fills in what YAML says and checks the whole.
func complete(settings validated, decode func(into any) error) (Runner, error) {
	if err := decode(settings); err != nil {
		return nil, err
	}
	if err := settings.Validate(); err != nil {
		return nil, err
	}
	return settings, nil
}

// funcKind makes the kind whose setting is the name of one of funcs.
func funcKind(funcs map[string]Func) Kind {
	funcs = maps.Clone(funcs)
	return Kind{Name: "func", New: func(decode func(into any) error) (Runner, error) {
		var name string
		if err := decode(&name); err != nil {
			return nil, err
		}
		f := funcs[name]
		if f == nil {
			return nil, &FieldError{Msg: unknownFunc(name, funcs)}
		}
		return Func(func(ctx context.Context, run Run) error {
			return stopped(ctx, f(ctx, run))
		}), nil
	}}
}

func unknownFunc(name string, funcs map[string]Func) string {
	if len(funcs) == 0 {
		return fmt.Sprintf("no function %q: this program registers none", name)
	}
	return fmt.Sprintf("no function %q; this program registers %s",
		name, strings.Join(slices.Sorted(maps.Keys(funcs)), ", "))
}
