package jobs

import (
	"context"
	"errors"
	"fmt"
)

const (
	// DefaultBatch is the number of rows a sync writes in one transaction
	// where the job says nothing.
	DefaultBatch = 500
	maxBatch     = 10_000
)

// Sync copies new and changed rows from a table to another one, perhaps in
// another database, in the order of a watermark column that grows when a row
// is written: a time of change or a number.
//
// Rows go in batches. One transaction in the target checks the run's fencing
// token, writes the batch and moves the checkpoint. So a crash between any two
// statements loses and repeats nothing, and the database itself refuses a
// holder whose lease has gone to another: see FencedError. The checkpoint is a
// row of the table solocron_sync, which Run makes if it is missing.
//
// A sync sees neither deleted rows, nor rows whose watermark is NULL, nor rows
// that are committed late with a watermark behind the checkpoint.
type Sync struct {
	Source    Endpoint `yaml:"source"`
	Target    Endpoint `yaml:"target"`
	Table     string   `yaml:"table"`     // where an endpoint names none; as it is stored, case and all
	Key       []string `yaml:"key"`       // columns that tell rows apart; unique in both tables
	Watermark string   `yaml:"watermark"` // grows with every change of a row
	Columns   []string `yaml:"columns"`   // default: all of the source
	Batch     int      `yaml:"batch"`     // rows in a transaction, up to 10000; default DefaultBatch

	Databases []Database `yaml:"-"` // what can be opened; Kinds sets it
}

// Endpoint is one side of a Sync.
type Endpoint struct {
	DSN   Secret `yaml:"dsn"`   // as of a Report
	Table string `yaml:"table"` // default: the job's table
}

// ErrFenced matches every FencedError.
var ErrFenced = errors.New("fenced off")

// FencedError is the refusal of a batch because a later run of the job has
// been at the target: this run's lease has ended without its notice.
type FencedError struct {
	Job    string
	Token  int64 // of this run
	Stored int64 // of the later run
}

func (e *FencedError) Error() string {
	return fmt.Sprintf("fenced off: job %s has token %d, the target has seen token %d", e.Job, e.Token, e.Stored)
}

// Is reports whether target is ErrFenced.
func (e *FencedError) Is(target error) bool { return target == ErrFenced }

// Run copies batches until the source has no more.
func (s *Sync) Run(ctx context.Context, run Run) error {
	if err := s.Validate(); err != nil {
		return err
	}
	return stopped(ctx, s.run(ctx, run))
}

func (s *Sync) run(ctx context.Context, run Run) error {
	from, err := openDatabase(ctx, s.Databases, s.Source.DSN, ReadOnly)
	if err != nil {
		return fmt.Errorf("source: %w", err)
	}
	defer from.Close()
	to, err := openDatabase(ctx, s.Databases, s.Target.DSN, ReadWrite)
	if err != nil {
		return fmt.Errorf("target: %w", err)
	}
	defer to.Close()

	source, err := newSource(ctx, from, s)
	if err != nil {
		return fmt.Errorf("source: %w", err)
	}
	target, err := newTarget(ctx, to, s, source.columns)
	if err != nil {
		return fmt.Errorf("target: %w", err)
	}
	return copyBatches(ctx, run, source, target, fence{job: run.Job, token: run.Token, spec: s.spec()})
}

// copyBatches is the loop: read after the checkpoint, write with the checkpoint.
func copyBatches(ctx context.Context, run Run, source *syncSource, target *syncTarget, f fence) error {
	at, err := target.enter(ctx, f)
	if err != nil {
		return fmt.Errorf("target: %w", err)
	}
	copied := 0
	for more := true; more; {
		var rows [][]any
		rows, more, err = source.read(ctx, at)
		if err != nil {
			return fmt.Errorf("source: %w", err)
		}
		if len(rows) == 0 {
			break
		}
		at = source.position(rows[len(rows)-1])
		if err := target.write(ctx, f, rows, at); err != nil {
			return fmt.Errorf("target: after %d rows: %w", copied, err)
		}
		copied += len(rows)
		run.Progress(fmt.Sprintf("%d rows, up to %s %s", copied, source.watermark, at.words()))
	}
	if copied == 0 {
		run.Progress("0 rows: nothing new")
	}
	return nil
}
