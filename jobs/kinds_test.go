package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/solocron/solocron/jobs"
)

func kind(t *testing.T, name string, funcs map[string]jobs.Func, databases ...jobs.Database) jobs.Kind {
	t.Helper()
	kinds := jobs.Kinds(funcs, databases...)
	i := slices.IndexFunc(kinds, func(k jobs.Kind) bool { return k.Name == name })
	if i < 0 {
		t.Fatalf("no kind %q", name)
	}
	return kinds[i]
}

func decodeString(s string) func(any) error {
	return func(into any) error {
		*into.(*string) = s
		return nil
	}
}

func TestKindsAreTheSixOfTheDesign(t *testing.T) {
	var got []string
	for _, k := range jobs.Kinds(nil) {
		got = append(got, k.Name)
	}
	slices.Sort(got)
	if want := []string{"command", "func", "http", "report", "shell", "sync"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestContextCarriesItsRun(t *testing.T) {
	run := testRun()
	seen, ok := jobs.FromContext(jobs.NewContext(t.Context(), &run))
	if !ok || seen.ID != run.ID || seen.Token != 41 {
		t.Errorf("got %+v, %v; want the run", seen, ok)
	}
	if _, ok := jobs.FromContext(t.Context()); ok {
		t.Error("a context without a run has one")
	}
}

func TestFuncEndsWithTheCauseOfItsContext(t *testing.T) {
	cause := errors.New("the lease is gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	runner, err := kind(t, "func", map[string]jobs.Func{"late": func(context.Context, jobs.Run) error {
		cancel(cause)
		return nil // it finished, but nobody may count on it
	}}).New(decodeString("late"))
	if err != nil {
		t.Fatal(err)
	}
	if err := runner.Run(ctx, testRun()); !errors.Is(err, cause) {
		t.Errorf("got %v, want the cause", err)
	}
}

func TestFuncThatIsNotRegisteredIsRefusedWithTheNames(t *testing.T) {
	noop := func(context.Context, jobs.Run) error { return nil }
	_, err := kind(t, "func", map[string]jobs.Func{"b": noop, "a": noop}).New(decodeString("c"))
	fault, ok := errors.AsType[*jobs.FieldError](err)
	if !ok || !strings.Contains(fault.Msg, "registers a, b") {
		t.Errorf("got %v, want a FieldError with the names", err)
	}
	if _, err := kind(t, "func", nil).New(decodeString("c")); err == nil {
		t.Error("a name is accepted where there is no function")
	}
}

func TestCommandAndShellRefuseWhatCannotRun(t *testing.T) {
	for _, argv := range [][]string{nil, {""}, {"  "}, {"a\x00b"}, {"true", "x\x00"}} {
		_, err := kind(t, "command", nil).New(func(into any) error {
			*into.(*[]string) = argv
			return nil
		})
		if _, ok := errors.AsType[*jobs.FieldError](err); !ok {
			t.Errorf("command %q: got %v, want a FieldError", argv, err)
		}
	}
	for _, text := range []string{"", " \n", "echo a\x00b", strings.Repeat("x", 128<<10)} {
		_, err := kind(t, "shell", nil).New(decodeString(text))
		if _, ok := errors.AsType[*jobs.FieldError](err); !ok {
			t.Errorf("shell of %d bytes: got %v, want a FieldError", len(text), err)
		}
	}
}

func TestExecReportsAllItsFaultsAtOnce(t *testing.T) {
	var runner jobs.WithExec = &jobs.Shell{Text: "true"}
	err := runner.SetExec(jobs.Exec{
		Env:              map[string]jobs.Secret{"A=B": {Literal: "x"}, "SOLOCRON_TOKEN": {Literal: "1"}},
		StopGrace:        -1,
		SuccessExitCodes: []int{3, 256},
	})
	for _, want := range []string{"env.A=B", "env.SOLOCRON_TOKEN", "stopGracePeriod", "successExitCodes[1]"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is not blamed in: %v", want, err)
		}
	}
}
