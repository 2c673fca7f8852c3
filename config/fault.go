package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	maxShown  = 100  // faults that Faults.Error spells out
	maxFaults = 1000 // faults after which reading stops
)

// Fault is one thing wrong with a configuration.
type Fault struct {
	File string // as given to Load or Parse; "environment" or "flags" for an override
	Line int    // from 1; 0 if the fault has no place in a file
	Col  int    // in characters, from 1
	Path string // jobs[nightly-report].http.url; may be empty
	Msg  string // what is wrong and how to put it right
}

// Error returns file:line:col path message.
func (f Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", f.Line, f.Col)
	} else {
		b.WriteByte(':')
	}
	for _, s := range []string{f.Path, f.Msg} {
		if s != "" {
			b.WriteString(" " + s)
		}
	}
	return b.String()
}

// Faults is everything wrong with a configuration, in the order of the file.
type Faults []Fault

// Error returns one fault a line: the first 100, then how many more there are.
func (f Faults) Error() string {
	var b strings.Builder
	for i, one := range f {
		if i == maxShown {
			fmt.Fprintf(&b, "\nand %d more", len(f)-maxShown)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(one.Error())
	}
	return b.String()
}

// collector gathers the faults of one file.
type collector struct {
	file   string
	faults Faults
}

func (c *collector) full() bool { return len(c.faults) >= maxFaults }

func (c *collector) add(f Fault) {
	if c.full() {
		return
	}
	c.faults = append(c.faults, f)
	if c.full() {
		c.faults = append(c.faults, Fault{File: f.File, Line: f.Line, Col: f.Col, Msg: "too many faults: the rest was not checked"})
	}
}

func (c *collector) at(n *yaml.Node, p *trail, format string, args ...any) {
	c.add(Fault{File: c.file, Line: n.Line, Col: n.Column, Path: p.String(), Msg: fmt.Sprintf(format, args...)})
}

// err returns the faults as an error, nil if there are none.
func (c *collector) err() error {
	if len(c.faults) == 0 {
		return nil
	}
	slices.SortStableFunc(c.faults, func(a, b Fault) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
	return c.faults
}

// trail is the way from the top of a file to a node. It is turned into text
// only when a fault needs it.
type trail struct {
	up   *trail
	step string // a key, or an index in brackets
}

func (t *trail) key(name string) *trail { return &trail{up: t, step: name} }

func (t *trail) index(i int) *trail { return &trail{up: t, step: fmt.Sprintf("[%d]", i)} }

// String joins the steps with dots: jobs[backup].env.LANG.
func (t *trail) String() string {
	var steps []string
	for ; t != nil; t = t.up {
		steps = append(steps, cut(t.step, 100))
	}
	slices.Reverse(steps)
	return strings.ReplaceAll(strings.Join(steps, "."), ".[", "[")
}
