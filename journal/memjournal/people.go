package memjournal

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/internal/limit"
)

type checkpoint struct {
	token int64
	data  []byte
}

// bury lists a dead letter, and forgets the oldest of too many.
func (j *Journal) bury(r scheduler.Row) {
	j.letters[r.ID] = r
	for len(j.letters) > journal.MaxLetters {
		oldest := slices.MinFunc(slices.Collect(maps.Values(j.letters)), func(a, b scheduler.Row) int { return limit.ByEnd(&a, &b) })
		delete(j.letters, oldest.ID)
	}
}

// DeadLetters implements journal.Letters.
func (j *Journal) DeadLetters(_ context.Context, most int) ([]scheduler.Row, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	rows := slices.SortedFunc(maps.Values(j.letters), func(a, b scheduler.Row) int { return limit.ByEnd(&b, &a) })
	return copied(rows[:min(len(rows), limit.Count(most, journal.MaxLetters))]), nil
}

// Acknowledge implements journal.Letters.
func (j *Journal) Acknowledge(_ context.Context, run, by string) (bool, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	letter, dead := j.letters[run]
	if !dead {
		return false, nil
	}
	delete(j.letters, run)
	if r := j.book(letter.Job).has(run); r != nil {
		r.Acked = true
	}
	j.note(journal.Deed{Who: by, What: journal.Acknowledged, Job: letter.Job, Run: run})
	return true, nil
}

// Audit implements journal.Diary.
func (j *Journal) Audit(_ context.Context, d journal.Deed) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.note(d)
	return nil
}

func (j *Journal) note(d journal.Deed) {
	j.deeds = append(j.deeds, limit.Deed(d, j.now()))
	if n := len(j.deeds) - journal.MaxDeeds; n > 0 {
		j.deeds = slices.Delete(j.deeds, 0, n)
	}
}

// Deeds implements journal.Diary.
func (j *Journal) Deeds(_ context.Context, most int) ([]journal.Deed, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := min(len(j.deeds), limit.Count(most, journal.MaxDeeds))
	last := slices.Clone(j.deeds[len(j.deeds)-n:])
	slices.Reverse(last)
	return last, nil
}

// SaveCheckpoint implements journal.Checkpoints.
func (j *Journal) SaveCheckpoint(_ context.Context, job string, token int64, data []byte) error {
	if err := limit.Checkpoint(job, token, data); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if token < j.marks[job].token {
		return journal.ErrOldToken
	}
	j.marks[job] = checkpoint{token: token, data: bytes.Clone(data)}
	return nil
}

// Checkpoint implements journal.Checkpoints.
func (j *Journal) Checkpoint(_ context.Context, job string) ([]byte, int64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	c := j.marks[job]
	return bytes.Clone(c.data), c.token, nil
}
