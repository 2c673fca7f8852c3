package notify

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"time"

	"github.com/solocron/solocron/election"
)

const (
	foldBatch = 200             // facts, and records, in one call of the store
	foldTry   = 5 * time.Second // for one answer of the store
	foldTries = 20              // of a job that others change too
	clockTick = 5 * time.Second // between two looks at what is due
	strange   = time.Hour       // until a job that this replica does not know is looked at again
)

// foldPause is between two tries of a store that does not answer.
var foldPause = election.Backoff{First: 250 * time.Millisecond, Max: 5 * time.Second}

// collect keeps what has been seen, until ctx ends.
func (n *Notifier) collect(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.facts.more:
		}
		for {
			batch, dropped := n.facts.take(foldBatch)
			n.dropFacts(dropped)
			if len(batch) == 0 {
				break
			}
			if !n.insist(ctx, batch) {
				return
			}
		}
	}
}

// insist folds batch until the store has answered; false if ctx ended first. Then the
// batch is kept for the last try.
func (n *Notifier) insist(ctx context.Context, batch []Fact) bool {
	for tries := 1; ; tries++ {
		err := n.fold(ctx, batch)
		if err == nil {
			return true
		}
		if tries == 1 && ctx.Err() == nil {
			n.log.Warn("what is to be told cannot be kept; it is tried again", "err", err, "facts", len(batch))
		}
		if !sleep(ctx, foldPause.Pause(tries, rand.Float64())) {
			n.rest = batch
			return false
		}
	}
}

// clock looks after those whose time has come, until ctx ends.
func (n *Notifier) clock(ctx context.Context) {
	failing := false
	for sleep(ctx, clockTick) {
		if len(n.plan.Load().channels) == 0 {
			continue
		}
		err := n.ring(ctx)
		if err != nil && !failing && ctx.Err() == nil {
			n.log.Warn("nobody is reminded while the store does not answer", "err", err)
		}
		failing = err != nil
	}
}

func (n *Notifier) ring(ctx context.Context) error {
	asking, cancel := context.WithTimeout(ctx, foldTry)
	defer cancel()
	due, err := n.deps.Store.Due(asking, time.Now(), foldBatch)
	if err != nil || len(due) == 0 {
		return err
	}
	batch := make([]Fact, len(due))
	for i, job := range due {
		batch[i] = Fact{Sort: Clock, Job: job}
	}
	return n.fold(ctx, batch)
}

// fold brings facts into the states of their jobs, and what they make people be told
// into the outbox. It may be repeated after an error: a fact counts once.
func (n *Notifier) fold(ctx context.Context, batch []Fact) error {
	names, byJob := grouped(batch)
	for range foldTries {
		if len(names) == 0 {
			return nil
		}
		left, err := n.foldOnce(ctx, names, byJob)
		if err != nil {
			return err
		}
		names = left
	}
	lost := 0
	for _, job := range names { // others change them all the time
		lost += len(byJob[job])
	}
	n.dropFacts(lost)
	return nil
}

// grouped is batch by job, and the jobs in the order in which they come.
func grouped(batch []Fact) (names []string, byJob map[string][]Fact) {
	byJob = make(map[string][]Fact, len(batch))
	for _, f := range batch {
		if _, there := byJob[f.Job]; !there {
			names = append(names, f.Job)
		}
		byJob[f.Job] = append(byJob[f.Job], f)
	}
	return names, byJob
}

// foldOnce returns the jobs that another replica changed in between.
func (n *Notifier) foldOnce(ctx context.Context, names []string, byJob map[string][]Fact) (left []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, foldTry)
	defer cancel()
	records, err := n.deps.Store.Load(ctx, names)
	if err != nil {
		return nil, err
	}
	var changes []Change
	now, plan, out := time.Now(), n.plan.Load(), 0
	for i, job := range names {
		if c, ok := n.change(plan, job, records[i], byJob[job], now); ok {
			changes = append(changes, c)
			out += len(c.Out)
		}
	}
	if len(changes) == 0 {
		return nil, nil
	}
	swapped, dropped, err := n.deps.Store.Swap(ctx, changes)
	if err != nil {
		return nil, err
	}
	n.dropMessages(dropped)
	for i, ok := range swapped {
		if !ok {
			left = append(left, changes[i].Job)
		}
	}
	if out > 0 {
		ring(n.wake)
	}
	return left, nil
}

// change is what facts make of the record of a job; not ok: nothing.
func (n *Notifier) change(plan *plan, job string, r Record, list []Fact, now time.Time) (c Change, ok bool) {
	policy := plan.policies[job]
	clocked := list[len(list)-1].Sort == Clock
	c = Change{Job: job, Version: r.Version, Data: r.Data, Made: now}
	if policy == nil {
		c.Due = now.Add(strange) // of a newer configuration, or of an older one
		return c, clocked
	}
	state, err := decodeState(r.Data)
	if err != nil {
		n.log.Warn("what is known of a job cannot be read; it begins anew", "job", job, "err", err)
	}
	var tell []Message
	for _, f := range list {
		next, told, changed := Next(state, f, policy, now)
		state, tell, ok = next, append(tell, told...), ok || changed
	}
	c.Data, c.Due, c.Out = state.encode(), Due(state, policy, now), outgoing(tell, policy.To)
	return c, ok || clocked
}

// outgoing is each message for each channel.
func outgoing(tell []Message, to []string) []Out {
	var out []Out
	for i := range tell {
		data, _ := json.Marshal(&tell[i]) // cannot fail: texts, numbers and times
		for _, channel := range to {
			out = append(out, Out{ID: tell[i].ID, Channel: channel, Data: data})
		}
	}
	return out
}

// sleep waits for pause; false if ctx ended first.
func sleep(ctx context.Context, pause time.Duration) bool {
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
