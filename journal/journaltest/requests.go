package journaltest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/solocron/solocron/scheduler"
)

var requestChecks = map[string]func(*world){
	"EveryFieldOfARequestComesBack":           requestsComeBack,
	"OfTwoPutsOfOneIDOneIsFresh":              onePutIsFresh,
	"AnIDIsKnownForADayAfterItsRequestIsGone": knownForADay,
	"PollIsInOrderAndWithinItsLimit":          pollInOrder,
	"ARequestComesDueOnTheJournalsClock":      comesDue,
	"OfManyTokensOneBeginsARequest":           oneBegins,
	"WhatIsGoneCannotBeBegun":                 goneIsGone,
	"PutBackIsForTheTokenThatHasBegun":        putBack,
	"WithdrawLeavesWhatIsBegun":               withdrawLeavesBegun,
	"AStopLivesUntilItIsSettled":              stopsLive,
	"RequestsBeyondTheLimitsAreRefused":       requestLimits,
	"ManyRequestsGoThrough":                   manyRequests,
}

// ask is a request with every field set.
func ask(id string) scheduler.Request {
	return scheduler.Request{
		ID: id, Run: "nightly-report.20260301T020000Z", Job: "nightly-report", Cause: scheduler.ByRetry, Tick: tickAt(0), Of: scheduler.ByDependency,
		Params: map[string]string{"region": "eu <\"ü\">", "empty": ""}, By: "anna", Note: "again, please", Made: tickAt(1), Attempt: 2, Overlap: "queue",
		Tries: []scheduler.Try{{Replica: "a", Token: 7, Started: tickAt(0), Took: time.Second, Verdict: scheduler.Interrupted, Error: "exit 1"}},
	}
}

func (w *world) put(requests ...scheduler.Request) []bool {
	w.Helper()
	fresh, err := w.Put(w.ctx, requests)
	w.must(err)
	return fresh
}

func (w *world) begin(id string, token int64) scheduler.Beginning {
	w.Helper()
	got, err := w.Begin(w.ctx, []scheduler.Begin{{ID: id, Token: token}})
	if err != nil || len(got) != 1 {
		w.Fatalf("Begin: got %v, error %v", got, err)
	}
	return got[0]
}

func names(requests []scheduler.Request) []string {
	out := []string{}
	for _, r := range requests {
		out = append(out, r.ID)
	}
	return out
}

func requestsComeBack(w *world) {
	full, plain := ask("full"), scheduler.Request{ID: "plain", Run: "plain", Job: "j"}
	full.NotBefore = tickAt(2)
	w.same("fresh", w.put(full, plain), []bool{true, true})
	w.same("due", w.poll(10).Due, []scheduler.Request{full, plain})
	queued, err := w.Queued(w.ctx, 0)
	w.must(err)
	w.same("queued", queued, []scheduler.Request{full, plain})
	w.same("begin", w.begin("full", 1<<62+1), scheduler.Begun)
	full.Token = 1<<62 + 1
	w.same("begun", w.poll(10).Begun, []scheduler.Request{full})
	w.same("due", w.poll(10).Due, []scheduler.Request{plain})
	got, ok, err := w.Withdraw(w.ctx, "plain")
	w.must(err)
	w.same("withdrawn", []any{got, ok}, []any{plain, true})
	stop := scheduler.Stop{Run: full.Run, Reason: scheduler.ReasonReplaced, By: "b", Note: "n"}
	w.must(w.Stop(w.ctx, stop))
	w.same("stops", w.poll(10).Stops, []scheduler.Stop{stop})
}

func onePutIsFresh(w *world) {
	const many = 8
	var wg sync.WaitGroup
	fresh, errs := make([][]bool, many), make([]error, many)
	for i := range many {
		wg.Go(func() {
			fresh[i], errs[i] = w.Put(w.ctx, []scheduler.Request{ask("same"), ask(fmt.Sprint("own-", i)), ask("same")})
		})
	}
	wg.Wait()
	w.must(errors.Join(errs...))
	first := 0
	for i := range many {
		if fresh[i][0] {
			first++
		}
		w.same("its own, and the same once more", fresh[i][1:], []bool{true, false})
	}
	w.same("fresh ones", first, 1)
	w.same("requests", len(w.poll(100).Due), many+1)
}

func knownForADay(w *world) {
	w.put(ask("settled"), ask("withdrawn"))
	w.begin("settled", 7)
	w.must(w.Settle(w.ctx, []string{"settled", "never known"}))
	_, _, err := w.Withdraw(w.ctx, "withdrawn")
	w.must(err)
	w.same("known", w.put(ask("settled"), ask("withdrawn"), ask("never known")), []bool{false, false, true})
	w.same("due", names(w.poll(10).Due), []string{"never known"})
	if !w.bubble {
		return // who would wait for a day?
	}
	time.Sleep(23 * time.Hour)
	w.same("after 23 hours", w.put(ask("settled"), ask("withdrawn"), ask("never known")), []bool{false, false, false})
	time.Sleep(2 * time.Hour)
	w.same("after 25 hours", w.put(ask("settled"), ask("withdrawn"), ask("never known")), []bool{true, true, false})
}

func pollInOrder(w *world) {
	w.put(ask("b"))
	time.Sleep(3 * time.Millisecond)
	w.put(ask("a"))
	time.Sleep(3 * time.Millisecond)
	w.put(ask("c"))
	w.same("all due", names(w.poll(10).Due), []string{"b", "a", "c"})
	w.same("two due", names(w.poll(2).Due), []string{"b", "a"})
	for token, id := range []string{"c", "a", "b"} {
		w.begin(id, int64(token+1))
		w.must(w.Stop(w.ctx, scheduler.Stop{Run: "run-" + id}))
		time.Sleep(3 * time.Millisecond)
	}
	in := w.poll(2)
	w.same("nothing due", names(in.Due), []string{})
	w.same("two begun", names(in.Begun), []string{"c", "a"})
	w.same("two stops", in.Stops, []scheduler.Stop{{Run: "run-c"}, {Run: "run-a"}})
}

func comesDue(w *world) {
	const soon, later = 200 * time.Millisecond, 400 * time.Millisecond
	now := w.poll(1).Now
	if d := time.Since(now); d < -time.Second || d > time.Second {
		w.Fatalf("the journal's clock says %s, this one %s", now, time.Now())
	}
	w.same("next of an empty journal", w.poll(1).Next, time.Duration(0))
	a, b := ask("a"), ask("b")
	a.NotBefore, b.NotBefore = now.Add(later), now.Add(soon)
	w.put(a, b)
	in := w.poll(10)
	w.same("not yet due", names(in.Due), []string{})
	w.same("next", in.Next, b.NotBefore.Sub(in.Now))
	queued, err := w.Queued(w.ctx, 10)
	w.must(err)
	w.same("queued", names(queued), []string{"b", "a"})
	w.soon("b is due", func() bool { in = w.poll(10); return len(in.Due) > 0 })
	w.same("due", names(in.Due), []string{"b"})
	w.same("next", in.Next, a.NotBefore.Sub(in.Now))
	if in.Now.Before(b.NotBefore) {
		w.Errorf("due %s too early", b.NotBefore.Sub(in.Now))
	}
	w.soon("a is due", func() bool { in = w.poll(10); return len(in.Due) > 1 })
	w.same("due", names(in.Due), []string{"b", "a"})
	w.same("next", in.Next, time.Duration(0))
}

func oneBegins(w *world) {
	w.put(ask("a"))
	const many = 16
	var wg sync.WaitGroup
	answers, errs := make([][]scheduler.Beginning, many), make([]error, many)
	for i := range many {
		wg.Go(func() { answers[i], errs[i] = w.Begin(w.ctx, []scheduler.Begin{{ID: "a", Token: int64(i + 1)}}) })
	}
	wg.Wait()
	w.must(errors.Join(errs...))
	var winner int64
	for i, a := range answers {
		if a[0] == scheduler.Begun && winner == 0 {
			winner = int64(i + 1)
			continue
		}
		w.same(fmt.Sprint("another token, ", i+1), a[0], scheduler.Occupied)
	}
	w.same("repeated", w.begin("a", winner), scheduler.Begun)
	w.same("another", w.begin("a", winner+1), scheduler.Occupied)
}

func goneIsGone(w *world) {
	w.put(ask("settled"), ask("withdrawn"))
	w.same("begin", w.begin("settled", 1), scheduler.Begun)
	w.must(w.Settle(w.ctx, []string{"settled"}))
	got, ok, err := w.Withdraw(w.ctx, "withdrawn")
	w.must(err)
	w.same("withdrawn", []any{got.ID, ok}, []any{"withdrawn", true})
	_, ok, err = w.Withdraw(w.ctx, "withdrawn")
	w.must(err)
	w.same("withdrawn again", ok, false)
	for _, id := range []string{"settled", "withdrawn", "unknown"} {
		w.same(id, w.begin(id, 1), scheduler.Gone)
	}
	w.must(w.PutBack(w.ctx, []scheduler.Begin{{ID: "settled", Token: 1}, {ID: "withdrawn"}}, 0))
	in := w.poll(10)
	w.same("left", len(in.Due)+len(in.Begun), 0)
}

func putBack(w *world) {
	const pause = 150 * time.Millisecond
	w.put(ask("mine"), ask("foreign"), ask("nobody"), ask("zero"))
	for id, token := range map[string]int64{"mine": 1, "foreign": 2, "zero": 3} {
		w.begin(id, token)
	}
	w.must(w.PutBack(w.ctx, []scheduler.Begin{{ID: "mine", Token: 1}, {ID: "foreign", Token: 9}, {ID: "nobody", Token: 9}, {ID: "zero"}}, pause))
	in := w.poll(10)
	w.same("begun", len(in.Begun), 2)
	w.same("due in the pause", names(in.Due), []string{})
	if in.Next <= 0 || in.Next > pause {
		w.Errorf("next in %s, want at most %s", in.Next, pause)
	}
	w.soon("both are due", func() bool { in = w.poll(10); return len(in.Due) == 2 })
	w.same("due", names(in.Due), []string{"mine", "nobody"})
	w.same("token", in.Due[0].Token, int64(0))
	if d := in.Now.Sub(in.Due[0].NotBefore); d < 0 || d > Bound {
		w.Errorf("NotBefore is %s before now", d)
	}
	w.same("begun by another", w.begin("mine", 5), scheduler.Begun)
	w.same("the old token", w.begin("mine", 1), scheduler.Occupied)
}

func withdrawLeavesBegun(w *world) {
	w.put(ask("a"))
	w.begin("a", 4)
	_, ok, err := w.Withdraw(w.ctx, "a")
	w.must(err)
	w.same("withdrawn", ok, false)
	w.same("begun", names(w.poll(10).Begun), []string{"a"})
}

func stopsLive(w *world) {
	first := scheduler.Stop{Run: "r", By: "anna", Note: "too slow"}
	w.must(w.Stop(w.ctx, scheduler.Stop{Run: "other"}))
	time.Sleep(3 * time.Millisecond)
	w.must(w.Stop(w.ctx, first))
	w.must(w.Stop(w.ctx, scheduler.Stop{Run: "r", By: "bob"}))
	w.must(w.Settle(w.ctx, []string{"other"}))
	for range 2 {
		w.same("stops", w.poll(1).Stops, []scheduler.Stop{first})
	}
	w.must(w.Settle(w.ctx, []string{"r"}))
	w.same("stops", w.poll(10).Stops, []scheduler.Stop{})
}

func requestLimits(w *world) {
	long, run, job, params, value := ask(strings.Repeat("i", 301)), ask("a"), ask("b"), ask("c"), ask("d")
	run.Run, job.Job = "", ""
	params.Params = map[string]string{}
	for i := range 65 {
		params.Params[fmt.Sprint(i)] = ""
	}
	value.Params = map[string]string{"v": strings.Repeat("v", 1001)}
	for _, r := range []scheduler.Request{long, run, job, params, value, {}} {
		if _, err := w.Put(w.ctx, []scheduler.Request{ask("good"), r}); err == nil {
			w.Errorf("Put accepted %.80q", r.ID)
		}
	}
	w.same("kept", names(w.poll(10).Due), []string{})
	if _, err := w.Begin(w.ctx, []scheduler.Begin{{ID: "a"}}); err == nil {
		w.Error("Begin accepted token 0")
	}
	if err := w.Stop(w.ctx, scheduler.Stop{}); err == nil {
		w.Error("Stop accepted no run")
	}
	cut := ask("cut")
	cut.Note, cut.By = strings.Repeat("ü", 400), strings.Repeat("é", 400)
	w.put(cut)
	got := w.poll(1).Due[0]
	w.same("note", got.Note, strings.Repeat("ü", 250))
	w.same("by", got.By, strings.Repeat("é", 100))
}

func manyRequests(w *world) {
	const many = 300 // more than one script takes
	var requests []scheduler.Request
	var begins []scheduler.Begin
	var all []string
	for i := range many {
		id := fmt.Sprintf("r%03d", i)
		requests = append(requests, ask(id))
		begins = append(begins, scheduler.Begin{ID: id, Token: int64(i + 1)})
		all = append(all, id)
	}
	for i, fresh := range w.put(requests...) {
		if !fresh {
			w.Fatalf("request %d is not fresh", i)
		}
	}
	w.same("due", len(w.poll(many).Due), many)
	answers, err := w.Begin(w.ctx, begins)
	w.must(err)
	for i, a := range answers {
		if a != scheduler.Begun {
			w.Fatalf("request %d: got %d", i, a)
		}
	}
	w.must(w.PutBack(w.ctx, begins, 0))
	w.same("due again", len(w.poll(many).Due), many)
	w.must(w.Settle(w.ctx, all))
	w.same("due", len(w.poll(many).Due), 0)
}
