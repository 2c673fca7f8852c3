package jobs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// DefaultParams returns the value that each declared parameter of j has where
// none is given, nil if none is declared. Ticks run with these.
func (j Job) DefaultParams() map[string]string {
	if len(j.Params) == 0 {
		return nil
	}
	values := make(map[string]string, len(j.Params))
	for _, p := range j.Params {
		values[p.Name] = p.fallback()
	}
	return values
}

// ResolveParams returns every declared parameter of j with the value given for
// it, else its default, in canonical notation, and everything that is wrong
// with what is given, each a *ParamError: those of declared parameters in their
// order, then those that are not declared, at most 64. A value that is wrong or
// missing has been replaced by the default.
func (j Job) ResolveParams(given map[string]string) (map[string]string, []error) {
	values := j.DefaultParams()
	var errs []error
	for _, p := range j.Params {
		text, ok := given[p.Name]
		value, msg := p.choose(text, ok)
		if msg != "" {
			errs = append(errs, &ParamError{Param: p.Name, Msg: msg})
			continue
		}
		values[p.Name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, declared := values[name]; !declared && len(errs) < MaxParams {
			errs = append(errs, &ParamError{Param: oneLine(name, MaxParamName), Msg: "is not declared" + j.knownParams(name)})
		}
	}
	return values, errs
}

// choose decides on the value of p. Given is false if there is no text.
func (p Param) choose(text string, given bool) (value, msg string) {
	switch {
	case !given && p.Required:
		return "", fmt.Sprintf("is required: give a %s", p.kind())
	case !given:
		return p.fallback(), ""
	}
	value, msg = p.read(text)
	if msg == "" && !p.allows(value) {
		msg = fmt.Sprintf("%s is none of %s", shown(text), cut(strings.Join(p.Choices, ", "), 200))
	}
	return value, msg
}

// kind names the type of p for people.
func (p Param) kind() string {
	switch {
	case len(p.Choices) > 0:
		return "value of " + cut(strings.Join(p.Choices, ", "), 200)
	case p.Type == IntParam:
		return "whole number"
	case p.Type == NumberParam:
		return "number"
	case p.Type == BoolParam:
		return "value, true or false"
	}
	return "text"
}

// knownParams says what name may have been meant to be.
func (j Job) knownParams(name string) string {
	if len(j.Params) == 0 {
		return ": the job has no parameters"
	}
	names := make([]string, len(j.Params))
	for i, p := range j.Params {
		names[i] = p.Name
	}
	if near := didYouMean(name, names); near != "" {
		return near
	}
	return ": the job has " + cut(strings.Join(names, ", "), 200)
}
