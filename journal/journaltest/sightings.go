package journaltest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// Fleet makes the inquiry of one more replica of the same cluster.
type Fleet func(replica string, seen *journal.Sightings) journal.Inquiry

// RunInquiries runs the suite of inquiries. In a bubble time is fake.
func RunInquiries(t *testing.T, bubble bool, open func(t *testing.T) Fleet) {
	t.Helper()
	checks := map[string]func(context.Context, Fleet) error{
		"EveryReplicaTellsWhatItSaw":        everybodyTells,
		"OneThatIsGoneIsMissing":            oneIsGone,
		"OnesOwnAnswerNeedsNobody":          oneself,
		"QuestionsAtOnceAreKeptApart":       manyQuestions,
		"WhatIsToldIsBounded":               boundedAnswer,
		"AQuestionThatIsCancelledIsAnError": cancelled,
	}
	for name, check := range checks {
		t.Run(name, func(t *testing.T) {
			run := func(t *testing.T) {
				if err := check(t.Context(), open(t)); err != nil {
					t.Error(err)
				}
			}
			if bubble {
				synctest.Test(t, run)
				return
			}
			run(t)
		})
	}
}

// witness is a replica that answers, with its memory.
type witness struct {
	journal.Inquiry
	*journal.Sightings
	id    string
	stop  context.CancelFunc
	ended chan error
}

func newWitness(f Fleet, id string) *witness {
	seen := journal.NewSightings(1000)
	return &witness{Inquiry: f(id, seen), Sightings: seen, id: id, ended: make(chan error, 1)}
}

// witnesses starts replicas and waits until all hear the first.
func witnesses(ctx context.Context, f Fleet, ids ...string) ([]*witness, error) {
	var all []*witness
	for _, id := range ids {
		w := newWitness(f, id)
		running, stop := context.WithCancel(ctx)
		w.stop = stop
		go func() { w.ended <- w.Run(running) }()
		all = append(all, w)
	}
	return all, soon(fmt.Sprintf("answers of %v", ids), func() bool {
		heard, err := all[0].Ask(ctx, "hello", time.UnixMilli(1), ids)
		return err == nil && len(heard) == len(ids)
	})
}

func (w *witness) end() error {
	w.stop()
	select {
	case err := <-w.ended:
		return err
	case <-time.After(2 * Bound):
		return errors.New("Run did not return after its context ended")
	}
}

func endAll(all []*witness, err error) error {
	for _, w := range all {
		err = errors.Join(err, w.end())
	}
	return err
}

var tick = scheduler.Tick{Job: "näme {x}", At: time.Date(2026, 3, 1, 2, 3, 4, 0, time.UTC)}

// saw lets w see one fact of every kind, and returns what must be told of it.
func (w *witness) saw() []journal.Sighting {
	at := tick.At.Add(3 * time.Millisecond)
	w.Observe(scheduler.Event{Phase: scheduler.Waiting, At: at, Tick: tick, Err: errors.New("no answer")})
	w.Observe(scheduler.Event{Phase: scheduler.Waiting, At: at.Add(time.Second), Tick: tick, By: "b", Note: "claimed"})
	w.Observe(scheduler.Event{Phase: scheduler.Yielded, At: at.Add(2 * time.Second), Tick: tick, By: "b"})
	w.Observe(scheduler.Event{Phase: scheduler.Started, At: at, Tick: tick, Run: jobs.Run{Attempt: 2}, Delay: 48 * time.Millisecond})
	w.Observe(scheduler.Event{
		Phase: scheduler.Ended, At: at, Tick: tick, Run: jobs.Run{Attempt: 2},
		Verdict: scheduler.Failed, Reason: scheduler.ReasonPanic, Err: fmt.Errorf("replica %s", w.id),
	})
	return []journal.Sighting{
		{Phase: scheduler.Waiting, At: at, Last: at.Add(time.Second), Count: 2, By: "b", Note: "claimed"},
		{Phase: scheduler.Yielded, At: at.Add(2 * time.Second), Last: at.Add(2 * time.Second), Count: 1, By: "b"},
		{Phase: scheduler.Started, At: at, Last: at, Count: 1, Attempt: 2, Delay: 48 * time.Millisecond},
		{
			Phase: scheduler.Ended, At: at, Last: at, Count: 1, Attempt: 2,
			Verdict: scheduler.Failed, Reason: scheduler.ReasonPanic, Note: "replica " + w.id,
		},
	}
}

func everybodyTells(ctx context.Context, f Fleet) error {
	all, err := witnesses(ctx, f, "a", "b", "c")
	if err != nil {
		return endAll(all, err)
	}
	want := map[string][]journal.Sighting{"a": all[0].saw(), "b": all[1].saw(), "c": nil}
	for _, w := range append(all, newWitness(f, "asks without running")) {
		got, askErr := w.Ask(ctx, tick.Job, tick.At, []string{"a", "b", "c"})
		want := maps.Clone(want)
		if _, runs := want[w.id]; !runs {
			want[w.id] = nil
		}
		if askErr != nil || !reflect.DeepEqual(got, want) {
			err = errors.Join(err, fmt.Errorf("%s hears %v, %w; want %v", w.id, got, askErr, want))
		}
	}
	if got, _ := all[0].Ask(ctx, tick.Job, tick.At, nil); !reflect.DeepEqual(got, want) {
		err = errors.Join(err, fmt.Errorf("nobody expected: got %v, want %v", got, want))
	}
	return endAll(all, err)
}

func oneIsGone(ctx context.Context, f Fleet) error {
	all, err := witnesses(ctx, f, "a", "b", "c")
	err = errors.Join(err, all[1].end())
	begin := time.Now()
	got, askErr := all[0].Ask(ctx, tick.Job, tick.At, []string{"a", "b", "c"})
	if took := time.Since(begin); took > 2*journal.AskLimit {
		err = errors.Join(err, fmt.Errorf("asking took %s", took))
	}
	if ids := slices.Sorted(maps.Keys(got)); !slices.Equal(ids, []string{"a", "c"}) || askErr != nil {
		err = errors.Join(err, fmt.Errorf("answers of %v, %w; want a and c", ids, askErr))
	}
	return errors.Join(err, all[0].end(), all[2].end())
}

func oneself(ctx context.Context, f Fleet) error {
	w := newWitness(f, "a")
	want := map[string][]journal.Sighting{"a": w.saw()}
	begin := time.Now()
	got, err := w.Ask(ctx, tick.Job, tick.At, []string{"a"})
	if took := time.Since(begin); took > journal.AskLimit/2 {
		return fmt.Errorf("asking oneself took %s", took)
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		return fmt.Errorf("got %v, %w; want %v", got, err, want)
	}
	return nil
}

func manyQuestions(ctx context.Context, f Fleet) error {
	all, err := witnesses(ctx, f, "a", "b")
	at := func(i int) time.Time { return tick.At.Add(time.Duration(i) * time.Minute) }
	const n = 30
	for i := range n {
		all[1].Observe(scheduler.Event{Phase: scheduler.Yielded, At: at(i), Tick: scheduler.Tick{Job: "job", At: at(i)}})
	}
	var wg sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		wg.Go(func() {
			got, err := all[0].Ask(ctx, "job", at(i), []string{"b"})
			if err != nil || len(got["b"]) != 1 || !got["b"][0].At.Equal(at(i)) {
				errs[i] = fmt.Errorf("question %d: %v, %w", i, got, err)
			}
		})
	}
	wg.Wait()
	return endAll(all, errors.Join(err, errors.Join(errs...)))
}

func boundedAnswer(ctx context.Context, f Fleet) error {
	all, err := witnesses(ctx, f, "a", "b")
	long := strings.Repeat("\x00ä", 500)
	for range 100 {
		all[1].Observe(scheduler.Event{Phase: scheduler.Yielded, At: tick.At, Tick: tick, By: long, Err: errors.New(long)})
	}
	got, askErr := all[0].Ask(ctx, tick.Job, tick.At, []string{"b"})
	seen := got["b"]
	if askErr != nil || len(seen) != journal.MaxSeen {
		return endAll(all, errors.Join(err, fmt.Errorf("%d sightings, %w; want %d", len(seen), askErr, journal.MaxSeen)))
	}
	for _, s := range seen {
		if s.By != long[:journal.MaxWords] || s.Note != long[:journal.MaxWords] {
			err = fmt.Errorf("got %q and %q", s.By, s.Note)
		}
	}
	return endAll(all, err)
}

func cancelled(ctx context.Context, f Fleet) error {
	w := newWitness(f, "a")
	want := w.saw()
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	got, err := w.Ask(ctx, tick.Job, tick.At, []string{"b"})
	if err == nil || !reflect.DeepEqual(got["a"], want) {
		return fmt.Errorf("got %v, %w; want an error and what a saw", got, err)
	}
	return nil
}
