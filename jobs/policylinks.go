package jobs

import (
	"fmt"
	"slices"
)

func (j *Job) checkParams(f *faultList) {
	if len(j.Params) > MaxParams {
		f.add("params", "has %d parameters: at most %d", len(j.Params), MaxParams)
		return
	}
	for i := range j.Params {
		at := fmt.Sprintf("params[%d]", i)
		p := &j.Params[i]
		switch {
		case p.Name == "":
			f.add(at+".name", "is missing: every parameter needs a name")
		case !isParamName(p.Name):
			f.add(at+".name", "%s must begin with a-z, go on with a-z, 0-9 and _, and have at most %d bytes", shown(p.Name), MaxParamName)
		case slices.ContainsFunc(j.Params[:i], func(before Param) bool { return before.Name == p.Name }):
			f.add(at+".name", "%s is there twice", p.Name)
		}
		p.check(at, f)
	}
}

// check reports what is wrong with p besides its name.
func (p *Param) check(at string, f *faultList) {
	switch p.Type {
	case StringParam, IntParam, NumberParam, BoolParam, "":
	default:
		f.add(at+".type", "%s", unknownWord(string(p.Type), "string", "int", "number", "bool"))
		return
	}
	if len(p.Description) > maxParamText {
		f.add(at+".description", "has %d bytes: at most %d", len(p.Description), maxParamText)
	}
	if len(p.Choices) > maxChoices {
		f.add(at+".choices", "has %d values: at most %d", len(p.Choices), maxChoices)
		return
	}
	good := true
	for i, choice := range p.Choices {
		if _, msg := p.read(choice); msg != "" {
			f.add(fmt.Sprintf("%s.choices[%d]", at, i), "%s", msg)
			good = false
		}
	}
	fallback := p.fallback()
	switch _, msg := p.read(fallback); {
	case msg != "":
		f.add(at+".default", "%s", msg)
	case p.Required && p.Default == "": // nobody gets it but a tick
	case good && !p.allows(fallback):
		f.add(at+".default", "%s is not among the choices", shown(fallback))
	}
}

func isParamName(s string) bool {
	if s == "" || len(s) > MaxParamName || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

func (j *Job) checkLinks(f *faultList) {
	for i, d := range j.DependsOn {
		at := fmt.Sprintf("dependsOn[%d]", i)
		twice := slices.ContainsFunc(j.DependsOn[:i], func(before Dependency) bool { return before.Job == d.Job })
		j.checkLink(f, at, d.Job, d.Condition, twice)
		if d.Window < 0 || d.Window > 366*day {
			f.add(at+".window", "must be more than 0 and at most 366d")
		}
		if i == MaxLinks {
			f.add("dependsOn", "has %d jobs: at most %d", len(j.DependsOn), MaxLinks)
			break
		}
	}
	for i, t := range j.Triggers {
		twice := slices.ContainsFunc(j.Triggers[:i], func(before Trigger) bool { return before.Job == t.Job })
		j.checkLink(f, fmt.Sprintf("triggers[%d]", i), t.Job, t.Condition, twice)
		if i == MaxLinks {
			f.add("triggers", "has %d jobs: at most %d", len(j.Triggers), MaxLinks)
			break
		}
	}
}

// checkLink checks what a dependency and a trigger have in common.
func (j *Job) checkLink(f *faultList, at, job string, c Condition, twice bool) {
	switch {
	case job == "":
		f.add(at+".job", "is missing: name another job")
	case job == j.Name:
		f.add(at+".job", "is the job itself: name another one")
	case twice:
		f.add(at+".job", "%s is there twice: write condition: finished where it may have ended in any way", job)
	}
	switch c {
	case OnSuccess, OnFailure, OnFinish, "":
	default:
		f.add(at+".condition", "%s", unknownWord(string(c), "succeeded", "failed", "finished"))
	}
}
