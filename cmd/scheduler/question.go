package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/schedule"
)

// question names a schedule: an expression with what it needs to be read, or a
// job of a file.
type question struct {
	zone, key string
	seconds   bool
	file      string
	fileGiven bool
}

// answer is the schedule that a question is about.
type answer struct {
	sched *schedule.Schedule
	notes []string // what people should know besides
}

// jobName is how a job can be named; no expression looks like it.
var jobName = regexp.MustCompile(`^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$`)

// ask reads words as the name of a job if they can be one, or else as an
// expression. All it finds wrong is invalid input.
func (q question) ask(words []string) (answer, error) {
	what := strings.Join(words, " ")
	if jobName.MatchString(what) {
		return q.job(what)
	}
	if q.fileGiven {
		return answer{}, usagef("-c is for the name of a job, and %q is not one", clip(what))
	}
	return q.expression(what)
}

// job finds the job called name in the file.
func (q question) job(name string) (answer, error) {
	if q.zone != "" || q.key != "" || q.seconds {
		return answer{}, usagef("--tz, --key and --seconds are for an expression: the job %q says these itself", clip(name))
	}
	cfg, err := loadConfig(q.file, config.Overrides{})
	if err != nil {
		return answer{}, q.noFile(name, err)
	}
	i := slices.IndexFunc(cfg.Jobs, func(j config.Job) bool { return j.Name == name })
	if i < 0 {
		return answer{}, configError{fmt.Errorf("no job %q in %s%s", clip(name), q.file, nearest(name, cfg.Jobs))}
	}
	if cfg.Jobs[i].Unscheduled {
		return answer{}, configError{fmt.Errorf("the job %q has no schedule: it is run on request only", clip(name))}
	}
	a := answer{sched: cfg.Jobs[i].Schedule, notes: cfg.Jobs[i].Schedule.Warnings()}
	if cfg.Jobs[i].Suspend {
		a.notes = append(a.notes, "the job is suspended: none of these will run")
	}
	return a, nil
}

// noFile is the error of a file that cannot be used. If nobody asked for that
// file the word may have been meant as an expression, so one line must do.
func (q question) noFile(name string, err error) error {
	if q.fileGiven {
		return err
	}
	if _, ok := errors.AsType[config.Faults](err); ok {
		return configError{fmt.Errorf("%q is no expression, and to find a job %s must be valid: see scheduler config validate", clip(name), q.file)}
	}
	return configError{fmt.Errorf("%q is no expression, and as the name of a job: %w", clip(name), err)}
}

// expression reads expr.
func (q question) expression(expr string) (answer, error) {
	zone, err := readZone(q.zone)
	if err != nil {
		return answer{}, err
	}
	sched, err := schedule.Parse(expr, schedule.Options{Zone: zone, Key: q.key, Seconds: q.seconds})
	if err != nil {
		return answer{}, configError{q.hint(expr, err)}
	}
	a := answer{sched: sched, notes: sched.Warnings()}
	if q.key == "" && strings.HasPrefix(strings.TrimSpace(expr), "@every") {
		a.notes = append(a.notes, "a job of this schedule has a phase that comes from its name; --key NAMESPACE/NAME shows it")
	}
	return a, nil
}

// hint adds to what is wrong with expr the flag that puts it right, if one does.
func (q question) hint(expr string, err error) error {
	works := func(o schedule.Options) bool {
		_, err := schedule.Parse(expr, o)
		return err == nil
	}
	switch {
	case q.key == "" && works(schedule.Options{Key: "a", Seconds: q.seconds}):
		return fmt.Errorf("%w, or say which job with --key NAMESPACE/NAME", err)
	case !q.seconds && works(schedule.Options{Key: q.key, Seconds: true}):
		return fmt.Errorf("%w; here: --seconds", err)
	}
	return err
}

// warn writes what people should know to errOut.
func (a answer) warn(errOut io.Writer) {
	for _, n := range a.notes {
		fmt.Fprintln(errOut, "warning:", n)
	}
}

// nearest proposes the name that a mistyped one most likely means, by the
// measure that is used for mistyped commands.
func nearest(name string, jobs []config.Job) string {
	if len(jobs) > 10_000 {
		return "" // comparing names is for files that people read
	}
	names := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, j := range jobs {
		names.AddCommand(&cobra.Command{Use: j.Name, Run: func(*cobra.Command, []string) {}})
	}
	if near := names.SuggestionsFor(name); len(near) > 0 {
		return "; did you mean " + near[0] + "?"
	}
	return ""
}

// clip cuts s, which somebody typed, to what fits into a message.
func clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}
