package importer

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

const maxOutput = 32 << 20 // bytes of the file that is made: half of what the loader takes

// file gathers what a result is made of.
type file struct {
	notebook
	names  names
	origin string // what the first line says
	zone   string // of the defaults
	pieces []piece
	size   int // bytes of the pieces
	jobs   int
}

// piece is a job, or comments without the # before them.
type piece struct {
	draft    *draft
	job      string // as an item of the list; may be empty
	comments []string
}

// defaults are written out, so that the reader sees what holds and can change it.
const defaults = `
defaults:
  timeZone: %s
  timeout: 1h            # of one run; 0: no limit, as before
  startingDeadline: 10m  # how late a run may still start
`

// place puts a job into the file, unless there is no room for it; settle will look
// whether the loader takes it.
func (f *file) place(d *draft) bool {
	text, err := d.render()
	switch {
	case err != nil:
		f.leave(d, "cannot be written as YAML")
	case f.jobs == maxJobs:
		f.leave(d, fmt.Sprintf("there are more than %d jobs", maxJobs))
	case f.size > maxOutput:
		f.leave(d, fmt.Sprintf("the file would be larger than %d MiB", maxOutput>>20))
	default:
		f.jobs++
		f.push(piece{draft: d, job: text, comments: d.comments})
		return true
	}
	return false
}

// leave notes why there will be no job, and says so in the file.
func (f *file) leave(d *draft, why ...string) {
	f.push(f.left(d, why))
}

func (f *file) left(d *draft, why []string) piece {
	comments := append(d.comments, fmt.Sprintf("line %d, %s: left out:", d.line, d.name))
	for _, one := range why {
		f.note(d.line, d.name, Lost, "the job was left out: %s", one)
		comments = append(comments, one)
	}
	return piece{comments: comments}
}

// settle takes out the jobs that the loader does not take, with its words as the
// reason. It looks at all jobs at once, and again while there are faults: the
// loader stops at a thousand.
func (f *file) settle() {
	for f.jobs > 0 {
		var b strings.Builder
		b.WriteString("defaults: {timeZone: " + f.zone + "}\njobs:\n")
		for _, p := range f.pieces {
			b.WriteString(p.job)
		}
		_, err := config.Parse("import", []byte(b.String()), jobs.Kinds(nil))
		if err == nil {
			return
		}
		faults, _ := errors.AsType[config.Faults](err)
		if f.drop(reasons(faults)) == 0 { // it is about none of them
			f.drop(f.all(err.Error()))
		}
	}
}

// reasons sorts faults by the job they are about.
func reasons(faults config.Faults) map[string][]string {
	why := map[string][]string{}
	for _, fault := range faults {
		if rest, ok := strings.CutPrefix(fault.Path, "jobs["); ok {
			name, path, _ := strings.Cut(rest, "]")
			why[name] = append(why[name], strings.TrimSpace(strings.TrimPrefix(path, ".")+" "+fault.Msg))
		}
	}
	return why
}

// all gives one reason for every job.
func (f *file) all(reason string) map[string][]string {
	why := map[string][]string{}
	for _, p := range f.pieces {
		if p.draft != nil {
			why[p.draft.name] = []string{reason}
		}
	}
	return why
}

// drop takes jobs out and returns how many.
func (f *file) drop(why map[string][]string) int {
	dropped := 0
	for i, p := range f.pieces {
		if p.draft == nil || why[p.draft.name] == nil {
			continue
		}
		f.forget(p.draft.name)
		f.pieces[i] = f.left(p.draft, why[p.draft.name])
		f.tidy(f.pieces[i])
		f.jobs--
		dropped++
	}
	return dropped
}

// remark puts comments into the file.
func (f *file) remark(comments ...string) {
	if len(comments) > 0 {
		f.push(piece{comments: comments})
	}
}

func (f *file) push(p piece) {
	f.tidy(p)
	f.size += len(p.job)
	for _, c := range p.comments {
		f.size += len(c)
	}
	f.pieces = append(f.pieces, p)
}

// tidy makes comments of what is to stand as such.
func (f *file) tidy(p piece) {
	for i, c := range p.comments {
		p.comments[i] = clean(c)
	}
}

// result writes the file.
func (f *file) result() Result {
	var b strings.Builder
	b.WriteString("# " + clean(f.origin) + "\n")
	indent := ""
	if f.jobs > 0 {
		indent = "  "
		fmt.Fprintf(&b, defaults, f.zone)
		b.WriteString("\njobs:")
	}
	for _, p := range f.pieces {
		b.WriteByte('\n')
		for _, c := range p.comments {
			b.WriteString(strings.TrimRight(indent+"# "+c, " ") + "\n")
		}
		b.WriteString(p.job)
	}
	return Result{YAML: []byte(b.String()), Jobs: f.jobs, Notes: f.sorted()}
}

// clean makes a comment of s: one line of characters that a file may hold.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, unicode.IsControl(r) && r != '\t', r == '\u2028', r == '\u2029', r == '\ufeff', r == 0xfffe, r == 0xffff:
			return '?'
		}
		return r
	}, s)
	return strings.TrimRight(s, " \t")
}
