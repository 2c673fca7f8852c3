package jobs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Kinds returns the built-in kinds. Funcs are the Go functions that a job can
// name with "func: NAME"; it may be nil.
func Kinds(funcs map[string]Func) []Kind {
	return []Kind{
		{Name: "command", New: newCommand},
		{Name: "shell", New: newShell},
		Define[HTTP]("http"),
		Define[Report]("report"),
		Define[Sync]("sync"),
		funcKind(funcs),
	}
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
