package importer

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

const (
	maxInput = 4 << 20 // bytes that are read
	maxJobs  = 10_000  // that are made
	maxNotes = 10_000  // that are kept
)

// ErrTooLarge is the end of an import of more than 4 MiB.
var ErrTooLarge = errors.New("is larger than 4 MiB")

// Result is what came of an import.
type Result struct {
	YAML  []byte // a configuration file; with no jobs, only comments that say why
	Jobs  int
	Notes []Note // in the order of the lines they are about, those about everything first
}

// Lost reports whether anything was left out.
func (r Result) Lost() bool {
	return slices.ContainsFunc(r.Notes, func(n Note) bool { return n.Severity == Lost })
}

// Note says what a reader of the result should know. It never repeats a command or
// the value of a variable: they may hold secrets.
type Note struct {
	Line     int    // of the input, from 1; 0: it is about everything
	Job      string // the job of the result; may be empty
	Severity Severity
	Msg      string
}

// String is n as one line: "line 3, backup: lost: the job ran as root".
func (n Note) String() string {
	where := "everywhere"
	if n.Line > 0 {
		where = "line " + strconv.Itoa(n.Line)
	}
	if n.Job != "" {
		where += ", " + n.Job
	}
	return where + ": " + n.Severity.String() + ": " + n.Msg
}

// Severity says how much a note matters.
type Severity uint8

// The severities.
const (
	Info    Severity = iota // it was translated in a way that is good to know
	Changed                 // it means something else here, or has to be looked at
	Lost                    // it was left out
)

// String is s in a word.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Changed:
		return "changed"
	case Lost:
		return "lost"
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// read reads all of r, if that is not too much.
func read(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxInput {
		return nil, ErrTooLarge
	}
	return data, nil
}

// notebook gathers notes.
type notebook struct{ notes []Note }

func (b *notebook) note(line int, job string, s Severity, format string, args ...any) {
	if len(b.notes) < maxNotes {
		b.notes = append(b.notes, Note{line, job, s, fmt.Sprintf(format, args...)})
	}
}

// forget takes back what was said about a job that is not there in the end.
func (b *notebook) forget(job string) {
	b.notes = slices.DeleteFunc(b.notes, func(n Note) bool { return n.Job == job && n.Severity != Lost })
}

// sorted returns the notes in the order of their lines.
func (b *notebook) sorted() []Note {
	slices.SortStableFunc(b.notes, func(x, y Note) int { return cmp.Compare(x.Line, y.Line) })
	return b.notes
}
