package admin_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

// moving is a journal in which a run goes on while somebody reads.
type moving struct {
	*memjournal.Journal
	t     *testing.T
	steps []func() error // that are still to come
	plan  []int          // how many of them happen before each question
}

// move takes the steps that are planned before this question.
func (m *moving) move() {
	if len(m.plan) == 0 {
		return
	}
	n := min(m.plan[0], len(m.steps))
	for _, step := range m.steps[:n] {
		if err := step(); err != nil {
			m.t.Error(err)
		}
	}
	m.plan, m.steps = m.plan[1:], m.steps[n:]
}

func (m *moving) Queued(ctx context.Context, limit int) ([]scheduler.Request, error) {
	m.move()
	return m.Journal.Queued(ctx, limit)
}

func (m *moving) Poll(ctx context.Context, limit int) (scheduler.Inbox, error) {
	m.move()
	return m.Journal.Poll(ctx, limit)
}

func (m *moving) Open(ctx context.Context) ([]scheduler.Row, error) {
	m.move()
	return m.Journal.Open(ctx)
}

func (m *moving) Past(ctx context.Context, job string, q scheduler.Query) ([]scheduler.Row, error) {
	m.move()
	return m.Journal.Past(ctx, job, q)
}

// aRunThatGoesOn is a journal with a request that is about to be begun, recorded and ended.
func aRunThatGoesOn(t *testing.T, plan []int) *moving {
	t.Helper()
	at := time.Now().UTC().Truncate(time.Second)
	id := scheduler.Tick{Job: "report", At: at, Manual: true, Cause: scheduler.ByRerun, Key: "1"}.ID()
	q := scheduler.Request{
		ID: id, Run: id, Job: "report", Cause: scheduler.ByRerun, Tick: at, Made: at, NotBefore: at, Attempt: 1,
	}
	m := &moving{Journal: memjournal.New(nil), t: t, plan: plan}
	if _, err := m.Put(t.Context(), []scheduler.Request{q}); err != nil {
		t.Fatal(err)
	}
	row := scheduler.Row{
		ID: q.Run, Job: q.Job, Tick: at, Cause: q.Cause, State: scheduler.RunRunning, Attempt: 1, Replica: "a", Token: 7, Started: at,
	}
	record := func(change func(*scheduler.Row)) error {
		change(&row)
		_, err := m.Record(t.Context(), []scheduler.Entry{{Row: row, Keep: jobs.History{}.WithDefaults()}})
		return err
	}
	m.steps = []func() error{
		func() error {
			_, err := m.Begin(t.Context(), []scheduler.Begin{{ID: q.ID, Token: 7}})
			return err
		},
		func() error { return record(func(*scheduler.Row) {}) },
		func() error {
			err := record(func(r *scheduler.Row) {
				r.State, r.Verdict, r.Ended = scheduler.RunEnded, scheduler.Succeeded, at.Add(time.Second)
			})
			if err != nil {
				return err
			}
			return m.Settle(t.Context(), []string{q.ID})
		},
	}
	return m
}

// TestARunIsListedOnceWhateverItDoesWhileTheListIsMade has a run go on by any number
// of steps before each question that a list asks.
func TestARunIsListedOnceWhateverItDoesWhileTheListIsMade(t *testing.T) {
	t.Parallel()
	const questions, steps = 4, 3
	var try func(plan []int, left int)
	try = func(plan []int, left int) {
		if len(plan) < questions {
			for n := range left + 1 {
				try(append(slices.Clip(plan), n), left-n)
			}
			return
		}
		for _, target := range []string{"/api/v1/runs?job=report", "/api/v1/runs?trigger=rerun", "/api/v1/jobs/report/runs"} {
			m := aRunThatGoesOn(t, plan)
			d := deps(newEngine("report"))
			d.Memory = &admin.Memory{Journal: m, Output: &script{}, Feed: journal.NewFeed(memjournal.NewBatches(), "a")}
			res, doc := call(t, admin.New(d), "GET", target, "")
			if res.StatusCode != http.StatusOK {
				t.Fatalf("%s: status %d: %v", target, res.StatusCode, doc)
			}
			if list := items(doc); len(list) != 1 {
				t.Errorf("%s, steps before each question %v: got %d runs, want 1: %v", target, plan, len(list), list)
			}
		}
	}
	try(nil, steps)
}
