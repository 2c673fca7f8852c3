package scheduler

import (
	"bytes"
	"context"
	"fmt"
)

// maxCheckpoint is how much a run may keep, in bytes.
const maxCheckpoint = 60 << 10

var errLargeCheckpoint = fmt.Errorf("a checkpoint has at most %d bytes", maxCheckpoint)

// A journal keeps one checkpoint for each job. Whose it is stands in front of it:
// another run of the job is not to go on from there.
func checkpointHead(run string) []byte { return []byte(run + "\n") }

// checkpoint keeps how far x is.
func (x *execution) checkpoint(data []byte) error {
	if len(data) > maxCheckpoint {
		return errLargeCheckpoint
	}
	if err := x.lease.Check(); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), readTry)
	defer cancel()
	kept := append(checkpointHead(x.run.ID), data...)
	if err := x.s.cfg.Journal.SaveCheckpoint(ctx, x.run.Job, x.run.Token, kept); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

// restored is what an earlier attempt of a run has kept; nil if there is nothing.
func (s *Scheduler) restored(ctx context.Context, q Request) ([]byte, error) {
	if q.Attempt < 2 {
		return nil, nil
	}
	kept, _, err := s.cfg.Journal.Checkpoint(ctx, q.Job)
	if err != nil {
		return nil, fmt.Errorf("checkpoint of %s: %w", q.Run, err)
	}
	data, ok := bytes.CutPrefix(kept, checkpointHead(q.Run))
	if !ok {
		return nil, nil
	}
	return data, nil
}
