package jobs

import "fmt"

// Kind is a way to do work that YAML can name: the key of a job's one action.
type Kind struct {
	Name string
	// New makes a Runner from the settings below the key. Decode fills a
	// pointer to a struct strictly, by its yaml tags, and reports unknown
	// fields and wrong types itself. If the struct is WithParams, decode tells
	// it first which parameters the job declares.
	New func(decode func(into any) error) (Runner, error)
}

// Settings is a pointer to a struct that holds what YAML says about a job of
// one kind and can do the work.
type Settings[T any] interface {
	*T
	Runner
	// Validate reports what is wrong with the settings, as *FieldError where a field is to blame.
	Validate() error
}

// Define makes a Kind whose settings are the fields of T.
func Define[T any, P Settings[T]](name string) Kind {
	return Kind{Name: name, New: func(decode func(into any) error) (Runner, error) {
		settings := P(new(T))
		if err := decode(settings); err != nil {
			return nil, err
		}
		if err := settings.Validate(); err != nil {
			return nil, err
		}
		return settings, nil
	}}
}

// WithParams is settings in which parameters of the job may be named: what they
// are must be known before it can be said whether the settings are right.
type WithParams interface {
	// DeclareParams takes the parameters that it can use, and says which it
	// cannot as *FieldError, several of them joined, with job-level names such
	// as params[0].name.
	DeclareParams(params []Param) error
}

// FieldError blames one field of a job's settings, by its YAML path below the kind's key.
type FieldError struct {
	Field string // "url", "retry.max"; "" is the whole
	Msg   string // what is wrong and how to put it right
}

func (e *FieldError) Error() string {
	if e.Field == "" {
		return e.Msg
	}
	return fmt.Sprintf("%s: %s", e.Field, e.Msg)
}
