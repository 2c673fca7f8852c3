package redisjournal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/internal/limit"
)

// DeadLetters implements journal.Letters.
func (j *Journal) DeadLetters(ctx context.Context, most int) ([]scheduler.Row, error) {
	most = limit.Count(most, journal.MaxLetters)
	calls := make([]*call, shards)
	for i := range calls {
		shard := &j.keys.shard[i]
		calls[i] = newCall(j.scripts.letters, []string{shard.dead, shard.letters}, 1).with(strconv.Itoa(most))
	}
	if err := j.send(ctx, calls...); err != nil {
		return nil, fmt.Errorf("listing dead letters: %w", err)
	}
	var texts []string
	for _, c := range calls {
		part, err := c.cmd.StringSlice()
		if err != nil {
			return nil, fmt.Errorf("listing dead letters: %w", err)
		}
		texts = append(texts, part...)
	}
	rows, err := readable(texts, decodeRow)
	if err != nil {
		return nil, fmt.Errorf("listing dead letters: %w", err)
	}
	slices.SortFunc(rows, func(a, b scheduler.Row) int { return limit.ByEnd(&b, &a) })
	return rows[:min(len(rows), most)], nil
}

// Acknowledge implements journal.Letters.
func (j *Journal) Acknowledge(ctx context.Context, run, by string) (bool, error) {
	job, _, ok := scheduler.JobOf(run)
	if !ok || len(run) > limit.Run {
		return false, nil
	}
	shard := j.keys.of(job)
	c := newCall(j.scripts.ack, append([]string{shard.dead, shard.letters}, shard.lists(job)...), 1).with(run)
	if err := j.send(ctx, c); err != nil {
		return false, fmt.Errorf("acknowledging run %q: %w", run, err)
	}
	done, err := c.cmd.Bool()
	if err != nil || !done {
		return false, err
	}
	return true, j.Audit(ctx, journal.Deed{Who: by, What: journal.Acknowledged, Job: job, Run: run})
}

// Audit implements journal.Diary. A deed without a moment has this process' time.
func (j *Journal) Audit(ctx context.Context, d journal.Deed) error {
	text, err := json.Marshal(deedOf(limit.Deed(d, time.Now())))
	if err != nil {
		return fmt.Errorf("noting a deed: %w", err)
	}
	pipe := j.rdb.TxPipeline()
	pipe.LPush(ctx, j.keys.audit, text)
	pipe.LTrim(ctx, j.keys.audit, 0, journal.MaxDeeds-1)
	pipe.PExpire(ctx, j.keys.audit, lifetime)
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("noting a deed: %w", err)
	}
	return nil
}

// Deeds implements journal.Diary.
func (j *Journal) Deeds(ctx context.Context, most int) ([]journal.Deed, error) {
	texts, err := j.rdb.LRange(ctx, j.keys.audit, 0, int64(limit.Count(most, journal.MaxDeeds)-1)).Result()
	if err != nil {
		return nil, fmt.Errorf("reading deeds: %w", err)
	}
	return readable(texts, decodeDeed)
}

type deedBody struct {
	At   int64  `json:"t"`
	Who  string `json:"w,omitempty"`
	What string `json:"d,omitempty"`
	Job  string `json:"j,omitempty"`
	Run  string `json:"r,omitempty"`
	Note string `json:"n,omitempty"`
	From string `json:"f,omitempty"`
}

func deedOf(d journal.Deed) deedBody {
	return deedBody{At: limit.Millis(d.At), Who: d.Who, What: d.What, Job: d.Job, Run: d.Run, Note: d.Note, From: d.From}
}

func decodeDeed(text string) (journal.Deed, error) {
	var b deedBody
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		return journal.Deed{}, fmt.Errorf("not a deed: %w", err)
	}
	d := journal.Deed{At: limit.Moment(b.At), Who: b.Who, What: b.What, Job: b.Job, Run: b.Run, Note: b.Note, From: b.From}
	return limit.Deed(d, d.At), nil
}

// SaveCheckpoint implements journal.Checkpoints.
func (j *Journal) SaveCheckpoint(ctx context.Context, job string, token int64, data []byte) error {
	if err := limit.Checkpoint(job, token, data); err != nil {
		return err
	}
	c := newCall(j.scripts.checkpoint, []string{j.keys.of(job).checkpoint(job)}, 3).with(life, fmt.Sprintf("%019d", token), data)
	if err := j.send(ctx, c); err != nil {
		return fmt.Errorf("checkpoint of job %q: %w", job, err)
	}
	kept, err := c.cmd.Bool()
	if err == nil && !kept {
		err = fmt.Errorf("checkpoint of job %q: %w", job, journal.ErrOldToken)
	}
	return err
}

// Checkpoint implements journal.Checkpoints.
func (j *Journal) Checkpoint(ctx context.Context, job string) ([]byte, int64, error) {
	fields, err := j.rdb.HMGet(ctx, j.keys.of(job).checkpoint(job), "t", "d").Result()
	if err != nil {
		return nil, 0, fmt.Errorf("checkpoint of job %q: %w", job, err)
	}
	token, ok := fields[0].(string)
	if !ok {
		return nil, 0, nil
	}
	n, err := strconv.ParseInt(token, 10, 64)
	data, ok := fields[1].(string)
	if err != nil || !ok {
		return nil, 0, fmt.Errorf("checkpoint of job %q: %w", job, errors.Join(errReply, err))
	}
	return []byte(data), n, nil
}
