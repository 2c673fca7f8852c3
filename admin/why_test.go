package admin_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

func quickly(context.Context, jobs.Run) error { return nil }

func fails(context.Context, jobs.Run) error { return errBroken }

// halfHours adds a job that takes 40 minutes every half hour, and one whose
// first attempts fail.
func halfHours(s *scheduler.Scheduler) error {
	return errors.Join(
		s.Add("*/30 * * * *", jobs.Job{Name: "slow", Runner: jobs.Func(func(ctx context.Context, _ jobs.Run) error {
			time.Sleep(40 * time.Minute)
			return ctx.Err()
		})}),
		s.Add("0 * * * *", jobs.Job{
			Name: "flaky", Runner: jobs.Func(func(_ context.Context, r jobs.Run) error {
				if r.Attempt == 1 {
					return errBroken
				}
				return nil
			}),
			Policies: jobs.Policies{
				Retry: jobs.Retry{MaxAttempts: 2, InitialInterval: 10 * time.Second}, History: jobs.History{Succeeded: 3},
			},
		}),
	)
}

// story asks for what became of a tick and checks that its lines are in order.
func (w *world) story(job, tick string) (map[string]any, []any) {
	w.t.Helper()
	doc := w.ask("a", "GET", "jobs/"+job+"/ticks/"+tick, "", 200)
	lines := doc["story"].([]any)
	before := ""
	for _, l := range lines {
		stamp, _, _ := strings.Cut(l.(string), " ")
		if stamp != "now" && stamp < before {
			w.t.Errorf("not in the order of time: %q", lines)
		}
		before = stamp
	}
	return doc, lines
}

func TestTheStoryOfATickThatRanNamesWinnerAndLosers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, halfHours)
		defer w.stop()
		time.Sleep(75 * time.Minute)
		doc, lines := w.story("slow", "2000-01-01T00:30:00Z")
		run := doc["run"].(map[string]any)
		winner := run["replica"].(string)
		loser := map[string]string{"a": "b", "b": "a"}[winner]
		is(t, run, map[string]any{"verdict": "succeeded"})
		is(t, doc, map[string]any{"isTick": true, "prev": "2000-01-01T00:00:00Z", "next": "2000-01-01T01:00:00Z"})
		for _, part := range []string{"00:30:00.000 due", "won by " + winner + " (token ", loser + " lost it to " + winner, "01:10:00.000 succeeded after 40m0s"} {
			if !contains(lines, part) {
				t.Errorf("no %q in %q", part, lines)
			}
		}
		if seen := doc["replicas"].(map[string]any); len(seen) != 2 {
			t.Errorf("replicas that tell: got %v, want both", seen)
		}
	})
}

func TestTheStoryOfATickThatWasSkippedSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, halfHours)
		defer w.stop()
		time.Sleep(75 * time.Minute)
		doc, lines := w.story("slow", "2000-01-01T01:00:00Z")
		is(t, doc["run"].(map[string]any), map[string]any{"verdict": "skipped", "why": "overlap"})
		if !contains(lines, "skipped: an older run still held the lease") {
			t.Errorf("got %q", lines)
		}
	})
}

func TestTheStoryOfARunThatWasRetriedHasItsAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, halfHours)
		defer w.stop()
		time.Sleep(70 * time.Minute)
		_, lines := w.story("flaky", "2000-01-01T01:00:00Z")
		for _, part := range []string{"won by", "attempt 1 failed: broken; another follows", "begins attempt 2", "succeeded"} {
			if !contains(lines, part) {
				t.Errorf("no %q in %q", part, lines)
			}
		}
	})
}

func TestTheStoryOfARunInProgressSaysThatItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, halfHours)
		defer w.stop()
		time.Sleep(40 * time.Minute)
		if _, lines := w.story("slow", "2000-01-01T00:30:00Z"); !contains(lines, "now          it runs on ") {
			t.Errorf("got %q", lines)
		}
	})
}

func TestTheStoryOfAFutureTickSaysWhenAndWhetherItIsPaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, halfHours)
		defer w.stop()
		doc, lines := w.story("flaky", "2000-01-01T05:00:00Z")
		if doc["run"] != nil || !contains(lines, "05:00:00.000 will be due, in 4h59m59s") {
			t.Errorf("got %v", doc)
		}
		w.ask("a", "POST", "jobs/flaky/pause", `{"reason": "upgrade"}`, 200)
		if _, lines := w.story("flaky", "2000-01-01T05:00:00Z"); !contains(lines, "paused by api: upgrade: it will be skipped") {
			t.Errorf("got %q", lines)
		}
	})
}

func TestTheStoryOfAForgottenTickSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, halfHours)
		defer w.stop()
		time.Sleep(6 * time.Hour) // more than the three ticks that its history keeps
		if _, lines := w.story("flaky", "2000-01-01T02:00:00Z"); !contains(lines, "history no longer holds it") {
			t.Errorf("got %q", lines)
		}
		if _, lines := w.story("flaky", "1999-12-31T02:00:00Z"); !contains(lines, "history no longer holds it") {
			t.Errorf("before the job: got %q", lines)
		}
	})
}

func TestWhatIsNotATickIsToldTheNearest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, halfHours)
		defer w.stop()
		doc := w.ask("a", "GET", "jobs/flaky/ticks/2000-01-01T02:30:00Z", "", 404)
		is(t, doc, map[string]any{"type": "urn:solocron:problem:not-a-tick", "prev": "2000-01-01T02:00:00Z", "next": "2000-01-01T03:00:00Z"})
		w.ask("a", "GET", "jobs/nope/ticks/2000-01-01T02:30:00Z", "", 404)
		for _, tick := range []string{"today", "02:30", "2000-01-01", "x%0Ay"} {
			w.ask("a", "GET", "jobs/flaky/ticks/"+tick, "", 422)
		}
	})
}
