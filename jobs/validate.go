package jobs

import (
	"errors"
	"fmt"
	"time"
)

// MaxName is the longest name of a job, in bytes.
const MaxName = 100

// DefaultStartingDeadline is how late a tick may start when the job does not say.
const DefaultStartingDeadline = 10 * time.Minute

// Validate reports what is wrong with j, all at once. What is wrong with its
// policies is a *FieldError for each.
func (j Job) Validate() error {
	var errs []error
	if err := CheckName(j.Name); err != nil {
		errs = append(errs, err)
	}
	if j.Runner == nil {
		errs = append(errs, fmt.Errorf("job %q has no runner", j.Name))
	}
	if j.Timeout < 0 || j.StartingDeadline < 0 {
		errs = append(errs, fmt.Errorf("job %q: a limit is negative", j.Name))
	}
	for _, fault := range j.policyFaults() {
		errs = append(errs, fmt.Errorf("job %q: %w", j.Name, fault))
	}
	return errors.Join(errs...)
}

// CheckName reports whether name can name a job: it stands in keys, URLs, file
// names and metrics as it is.
func CheckName(name string) error {
	if name == "" {
		return errors.New("the name of a job is empty")
	}
	if len(name) > MaxName {
		return fmt.Errorf("the name of a job has %d bytes; at most %d are allowed", len(name), MaxName)
	}
	for i := range len(name) {
		c := name[i]
		inner := c == '.' || c == '_' || c == '-'
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || inner && i > 0 && i < len(name)-1) {
			return fmt.Errorf("the name %q: only a-z, 0-9 and, inside, . _ - are allowed", name)
		}
	}
	return nil
}
