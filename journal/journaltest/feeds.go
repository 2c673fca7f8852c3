package journaltest

import (
	"context"
	"errors"
	"fmt"
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

// Wire makes one more view of the batches of the same cluster.
type Wire func() journal.Batches

// RunFeeds runs the suite of batches, and of feeds over them. In a bubble time is
// fake.
func RunFeeds(t *testing.T, bubble bool, open func(t *testing.T) Wire) {
	t.Helper()
	checks := map[string]func(context.Context, Wire) error{
		"BatchesAreReadInOrder":               batchesInOrder,
		"WhoWaitsHearsAtOnce":                 waiting,
		"BatchesOutOfBoundsAreRefused":        badBatches,
		"TheOldestGiveWay":                    oldestGiveWay,
		"ACancelledCallIsAnError":             cancelledCalls,
		"WhatHappensIsToldWhole":              toldWhole,
		"AllFollowersHearAllReplicas":         everybodyHears,
		"WhoComesBackHasMissedNothing":        resumed,
		"WhoComesBackTooLateIsTold":           tooLate,
		"WhoFollowsFromTheEndHearsNothingOld": fromTheEnd,
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

// appendAll appends each text as a batch.
func appendAll(ctx context.Context, b journal.Batches, texts ...string) error {
	for _, text := range texts {
		if err := b.Append(ctx, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

func textsOf(batches []journal.Batch) []string {
	texts := []string{}
	for _, b := range batches {
		texts = append(texts, string(b.Data))
	}
	return texts
}

func batchesInOrder(ctx context.Context, w Wire) error {
	a, b := w(), w()
	if _, there, err := a.Last(ctx); there || err != nil {
		return fmt.Errorf("the last of none: got %t, %w", there, err)
	}
	if none, err := a.From(ctx, journal.BatchID{}, 10); len(none) > 0 || err != nil {
		return fmt.Errorf("of none: got %v, %w", textsOf(none), err)
	}
	want := []string{"one", "two", "three \x00\xff", "four"}
	for i, text := range want {
		if err := appendAll(ctx, []journal.Batches{a, b}[i%2], text); err != nil {
			return err
		}
	}
	all, err := b.From(ctx, journal.BatchID{}, 10)
	if err != nil || !slices.Equal(textsOf(all), want) || !slices.IsSortedFunc(all, func(x, y journal.Batch) int { return x.ID.Compare(y.ID) }) {
		return fmt.Errorf("all: got %v, %w", all, err)
	}
	if some, err := a.From(ctx, all[1].ID, 2); err != nil || !slices.Equal(textsOf(some), want[1:3]) {
		return fmt.Errorf("two from the second: got %v, %w", textsOf(some), err)
	}
	if rest, err := a.Await(ctx, all[1].ID, 10, time.Second); err != nil || !slices.Equal(textsOf(rest), want[2:]) {
		return fmt.Errorf("after the second: got %v, %w", textsOf(rest), err)
	}
	if last, there, err := a.Last(ctx); !there || err != nil || last.ID != all[3].ID || string(last.Data) != want[3] {
		return fmt.Errorf("last: got %v, %t, %w", last, there, err)
	}
	return nil
}

func waiting(ctx context.Context, w Wire) error {
	a, b := w(), w()
	begin := time.Now()
	if got, err := a.Await(ctx, journal.BatchID{}, 10, 100*time.Millisecond); len(got) > 0 || err != nil {
		return fmt.Errorf("of none: got %v, %w", got, err)
	}
	if took := time.Since(begin); took < 90*time.Millisecond || took > 3*time.Second {
		return fmt.Errorf("waited %s for nothing, want 100ms", took)
	}
	sent := make(chan error, 1)
	go func() {
		time.Sleep(100 * time.Millisecond)
		sent <- appendAll(ctx, b, "news")
	}()
	begin = time.Now()
	got, err := a.Await(ctx, journal.BatchID{}, 10, 10*time.Second)
	took := time.Since(begin)
	if err := errors.Join(err, <-sent); err != nil || !slices.Equal(textsOf(got), []string{"news"}) || took > 3*time.Second {
		return fmt.Errorf("got %v after %s, %w", textsOf(got), took, err)
	}
	return nil
}

func badBatches(ctx context.Context, w Wire) error {
	b := w()
	if b.Append(ctx, nil) == nil || b.Append(ctx, make([]byte, journal.MaxBatch+1)) == nil {
		return errors.New("a batch out of bounds was taken")
	}
	return appendAll(ctx, b, strings.Repeat("x", journal.MaxBatch))
}

func cancelledCalls(ctx context.Context, w Wire) error {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	b := w()
	_, _, lastErr := b.Last(ctx)
	_, fromErr := b.From(ctx, journal.BatchID{}, 1)
	_, awaitErr := b.Await(ctx, journal.BatchID{}, 1, time.Second)
	if b.Append(ctx, []byte("x")) == nil || lastErr == nil || fromErr == nil || awaitErr == nil {
		return fmt.Errorf("got %w, %w, %w; want errors", lastErr, fromErr, awaitErr)
	}
	return nil
}

func oldestGiveWay(ctx context.Context, w Wire) error {
	b := w()
	const n = journal.MaxBatches + 1000
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() {
			for range n / len(errs) {
				errs[i] = errors.Join(errs[i], b.Append(ctx, []byte("small")))
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if kept, err := countBatches(ctx, b); err != nil || kept < journal.MaxBatches || kept > journal.MaxBatches+200 {
		return fmt.Errorf("%d small ones are kept, %w; want %d", kept, err, journal.MaxBatches)
	}
	large := strings.Repeat("x", journal.MaxBatch/4)
	for range 300 {
		if err := b.Append(ctx, []byte(large)); err != nil {
			return err
		}
	}
	if kept, err := countBatches(ctx, b); err != nil || kept < journal.MaxBatchRead || kept > 200+journal.BatchRoom/len(large) {
		return fmt.Errorf("%d large ones are kept, %w; want about %d", kept, err, journal.BatchRoom/len(large))
	}
	return nil
}

func countBatches(ctx context.Context, b journal.Batches) (n int, err error) {
	for at := (journal.BatchID{}); ; {
		page, err := b.From(ctx, at, journal.MaxBatchRead)
		if err != nil || len(page) == 0 {
			return n, err
		}
		n += len(page)
		at = page[len(page)-1].ID
		at.Seq++
	}
}

func toldWhole(ctx context.Context, w Wire) error {
	a := newTeller(ctx, w, "replica {a}")
	at := time.UnixMilli(1_796_000_000_123).UTC()
	tick := scheduler.Tick{Job: "nightly-report", At: at.Truncate(time.Second)}
	a.Observe(scheduler.Event{
		Phase: scheduler.Ended, At: at, Replica: "replica {a}", Tick: tick, Verdict: scheduler.LeaseLost, Reason: scheduler.ReasonCrash,
		By: "replica {b}", Err: errors.New("line one\nline two " + strings.Repeat("ä", 200)),
		Run: jobs.Run{ID: tick.ID(), Job: tick.Job, Attempt: 2, Token: 1_796_000_000_123_456},
	})
	manual := scheduler.Tick{Job: "näme", At: at, Manual: true, By: "me", Run: "näme.KEY-1"}
	a.Observe(scheduler.Event{Phase: scheduler.Started, At: at, Replica: "replica {a}", Tick: manual, Run: jobs.Run{ID: manual.Run, Attempt: 1}})
	a.Say(journal.Happening{At: at, Replica: "gone", Topic: journal.AboutReplica, Phase: journal.Gone})
	a.Say(journal.Happening{At: at, Topic: journal.AboutJob, Phase: journal.Paused, Job: "näme", By: "me", Note: "why", Until: at})
	cut := "line one line two " + strings.Repeat("ä", 51)
	ended := journal.Happening{
		At: at, Replica: "replica {a}", Topic: journal.AboutRun, Phase: "ended", Job: tick.Job, Run: tick.ID(), Tick: tick.At,
		Cause: scheduler.BySchedule, Attempt: 2, Token: 1_796_000_000_123_456, Verdict: scheduler.LeaseLost,
		Reason: scheduler.ReasonCrash, By: "replica {b}", Note: cut,
	}
	lost := ended
	lost.Topic, lost.Phase, lost.Verdict, lost.Note = journal.AboutLease, journal.Lost, "", ""
	want := []journal.Happening{
		ended, lost,
		{
			At: at, Replica: "replica {a}", Topic: journal.AboutRun, Phase: "started", Job: "näme", Run: "näme.KEY-1", Tick: at,
			Cause: scheduler.ByHand, Attempt: 1, By: "me",
		},
		{At: at, Replica: "gone", Topic: journal.AboutReplica, Phase: journal.Gone},
		{At: at, Replica: "replica {a}", Topic: journal.AboutJob, Phase: journal.Paused, Job: "näme", By: "me", Note: "why", Until: at},
	}
	l := follow(ctx, a.Feed, journal.Place{}, len(want))
	if err := <-l.ended; !errors.Is(err, errEnough) {
		return errors.Join(err, a.end())
	}
	for i, got := range l.heard {
		if !reflect.DeepEqual(got.Happening, want[i]) {
			return errors.Join(fmt.Errorf("got %+v, want %+v", got.Happening, want[i]), a.end())
		}
		if text := string(got.Text); !strings.Contains(text, `"id":"`+got.Place.String()+`"`) || !strings.Contains(text, `"type":"`+string(want[i].Topic)+`"`) {
			return errors.Join(fmt.Errorf("text: got %s", text), a.end())
		}
	}
	return a.end()
}

func everybodyHears(ctx context.Context, w Wire) error {
	a, b := newTeller(ctx, w, "a"), newTeller(ctx, w, "b")
	var all []*follower
	for range 3 {
		all = append(all, follow(ctx, a.Feed, journal.Place{}, 0), follow(ctx, b.Feed, journal.Place{}, 0))
	}
	var want []string
	var err error
	for i := range 5 {
		a.say("of-a", i, 1)
		b.say("of-b", i, 1)
		want = append(want, fmt.Sprint(i))
		err = errors.Join(err, soon("the same for all", func() bool {
			return !slices.ContainsFunc(all, func(l *follower) bool {
				x, _ := l.notes("of-a")
				y, _ := l.notes("of-b")
				return !slices.Equal(x, want) || !slices.Equal(y, want)
			})
		}))
	}
	for _, l := range all {
		err = errors.Join(err, l.end())
	}
	return errors.Join(err, a.end(), b.end())
}

func resumed(ctx context.Context, w Wire) error {
	a := newTeller(ctx, w, "a")
	const n = 300 // more than a batch holds
	a.say("job", 0, n)
	var all []string
	var at journal.Place
	for _, enough := range []int{1, 2, 150, n - 153} {
		l := follow(ctx, a.Feed, at, enough) // stops in the middle of a batch
		if err := <-l.ended; !errors.Is(err, errEnough) {
			return errors.Join(err, a.end())
		}
		notes, last := l.notes("job")
		all, at = append(all, notes...), last
	}
	a.say("job", n, 1)
	l := follow(ctx, a.Feed, at, 1)
	err := <-l.ended
	notes, _ := l.notes("job")
	all = append(all, notes...)
	if !errors.Is(err, errEnough) || len(all) != n+1 {
		return errors.Join(fmt.Errorf("got %d, %w; want %d", len(all), err, n+1), a.end())
	}
	for i, note := range all {
		if note != fmt.Sprint(i) {
			return errors.Join(fmt.Errorf("number %d is %s", i, note), a.end())
		}
	}
	return a.end()
}

func tooLate(ctx context.Context, w Wire) error {
	a := newTeller(ctx, w, "a")
	old := journal.Place{Batch: journal.BatchID{Ms: 1, Seq: 1}}
	err := a.Follow(ctx, old, func([]journal.Told) error { return nil })
	if !errors.Is(err, journal.ErrFeedGap) {
		return errors.Join(fmt.Errorf("when nothing is kept: got %w, want a gap", err), a.end())
	}
	a.say("job", 0, 1)
	if err := soon("one is kept", func() bool { _, there, _ := w().Last(ctx); return there }); err != nil {
		return errors.Join(err, a.end())
	}
	err = a.Follow(ctx, old, func([]journal.Told) error { return nil })
	if !errors.Is(err, journal.ErrFeedGap) {
		return errors.Join(fmt.Errorf("got %w, want a gap", err), a.end())
	}
	return a.end()
}

func fromTheEnd(ctx context.Context, w Wire) error {
	a := newTeller(ctx, w, "a")
	a.say("job", 0, 3)
	if err := soon("some are kept", func() bool { _, there, _ := w().Last(ctx); return there }); err != nil {
		return errors.Join(err, a.end())
	}
	at, err := a.Now(ctx)
	if err != nil {
		return errors.Join(err, a.end())
	}
	l := follow(ctx, a.Feed, at, 1)
	a.say("job", 3, 1)
	err = <-l.ended
	if notes, _ := l.notes("job"); !errors.Is(err, errEnough) || !slices.Equal(notes, []string{"3"}) {
		return errors.Join(fmt.Errorf("got %v, %w; want 3 alone", notes, err), a.end())
	}
	return a.end()
}
