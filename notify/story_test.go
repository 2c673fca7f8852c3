package notify_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/notify"
	"github.com/solocron/solocron/notify/memnotify"
	"github.com/solocron/solocron/scheduler"
)

// told lists what a receiver was told as event job, in the order of its arrival; of a
// delivery of several, all of them.
func told(t *testing.T, r *receiver) []string {
	t.Helper()
	var list []string
	for _, one := range r.taken() {
		var doc struct{ Events []notify.Message }
		if err := json.Unmarshal([]byte(one.body), &doc); err != nil {
			t.Fatalf("%v in %s", err, one.body)
		}
		for _, m := range doc.Events {
			list = append(list, string(m.Kind)+" "+m.Job)
		}
	}
	return list
}

const storyFile = `
notify:
  channels: { ops: { webhook: { url: "http://127.0.0.1:1/hook" } } }
  defaults: { to: ops, remind: 0 }
jobs:
- { name: report, schedule: "0 0 * * *", shell: x, notify: { remind: 4h } }
- { name: sync, schedule: "0 0 * * *", shell: x }
- { name: probe, schedule: "10 0 * * *", shell: x, notify: { on: late }, expect: { startWithin: 2m } }
`

func TestThreeReplicasTellEachThingOnceOverAnOutageOfTheReceiver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := new(receiver)
		w, count := listen(t, r), newMeter()
		midnight := time.Now().UTC() // of a bubble
		journal := &archive{told: midnight.Add(-time.Hour)}
		all, stop := replicas(t, 3, parsed(t, storyFile), notify.Deps{Store: new(memnotify.Store), Archive: journal, Meter: count, Means: notify.Means{Dial: w.dial}})

		w.cut.Store(true)
		time.Sleep(time.Minute)
		all[0].Observe(ended("report", midnight, scheduler.Failed, errors.New("boom")))
		time.Sleep(time.Minute)
		missed := ended("sync", midnight, scheduler.Missed, nil)
		all[1].Observe(missed) // the holder, and
		all[2].Observe(missed) // the janitor
		time.Sleep(58 * time.Minute)
		if got := told(t, r); len(got) != 0 {
			t.Errorf("while the receiver is away it was told %v", got)
		}
		if tried := w.dials.Load(); tried < 10 || tried > 200 {
			t.Errorf("in an hour it was tried %d times, want now and then", tried)
		}

		w.cut.Store(false)
		time.Sleep(10 * time.Minute)
		want := []string{"failure report", "late probe", "missed sync"}
		if got := slices.Sorted(slices.Values(told(t, r))); !slices.Equal(got, want) {
			t.Errorf("when it is back: got %v, want %v", got, want)
		}
		time.Sleep(3 * time.Hour)
		all[1].Observe(ended("report", midnight, scheduler.Succeeded, nil))
		time.Sleep(time.Minute)
		stop()
		want = append(want, "reminder report", "recovery report")
		slices.Sort(want)
		if got := slices.Sorted(slices.Values(told(t, r))); !slices.Equal(got, want) {
			t.Errorf("in the end: got %v, want %v", got, want)
		}
		if got := count.of(count.sent, "ops"); got != 5 {
			t.Errorf("counted %d that were sent, want 5", got)
		}
		if failed, dropped := count.of(count.failed, "ops"), count.of(count.dropped, "ops"); failed < 10 || dropped != 0 {
			t.Errorf("counted %d failures and %d dropped, want many and none", failed, dropped)
		}
	})
}

func TestAReplicaThatStopsLeavesItsMessagesToTheNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := new(receiver)
		w, store := listen(t, r), new(memnotify.Store)
		deps := notify.Deps{Store: store, Means: notify.Means{Dial: w.dial}}
		w.cut.Store(true)
		first, stop := replicas(t, 1, parsed(t, storyFile), deps)
		time.Sleep(time.Second)
		first[0].Observe(ended("report", time.Now(), scheduler.Failed, errors.New("boom")))
		began := time.Now()
		stop() // at once: what it saw last is kept all the same
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("the stop took %s", took)
		}
		w.cut.Store(false)
		_, stop = replicas(t, 1, parsed(t, storyFile), deps)
		time.Sleep(time.Minute)
		stop()
		if got, want := told(t, r), []string{"failure report"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestAFloodIsToldInAFewMessages(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var file strings.Builder
		file.WriteString("notify:\n  channels: { ops: { limit: 4, webhook: { url: \"http://127.0.0.1:1/hook\" } } }\n  defaults: { to: ops, remind: 0 }\njobs:\n")
		const many = 40
		for i := range many {
			fmt.Fprintf(&file, "- { name: job-%d, schedule: \"@daily\", shell: x }\n", i)
		}
		r := new(receiver)
		w := listen(t, r)
		all, stop := replicas(t, 2, parsed(t, file.String()), notify.Deps{Store: new(memnotify.Store), Means: notify.Means{Dial: w.dial}})
		time.Sleep(time.Second)
		w.cut.Store(true)
		for i := range many {
			all[i%2].Observe(ended(fmt.Sprint("job-", i), time.Now(), scheduler.Failed, errors.New("the database is away")))
		}
		time.Sleep(2 * time.Minute)
		w.cut.Store(false)
		time.Sleep(10 * time.Minute)
		stop()
		if got := told(t, r); len(got) != many {
			t.Errorf("got %d messages, want %d: %v", len(got), many, got)
		}
		if got := len(r.taken()); got > 12 {
			t.Errorf("got %d deliveries, want a few", got)
		}
	})
}

func TestAStoreThatDoesNotAnswerLosesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := new(receiver)
		w := listen(t, r)
		store := &moody{Store: new(memnotify.Store)}
		store.away.Store(true)
		all, stop := replicas(t, 2, parsed(t, storyFile), notify.Deps{Store: store, Means: notify.Means{Dial: w.dial}})
		all[0].Observe(ended("report", time.Now(), scheduler.Failed, errors.New("boom")))
		time.Sleep(10 * time.Minute)
		store.away.Store(false)
		store.lose.Store(true) // it does what it is asked, and the answer is lost
		time.Sleep(time.Minute)
		store.lose.Store(false)
		time.Sleep(5 * time.Minute)
		stop()
		if got, want := told(t, r), []string{"failure report"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestAJobOfAnotherConfigurationIsLeftAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := new(receiver)
		w, store := listen(t, r), new(memnotify.Store)
		deps := notify.Deps{Store: store, Means: notify.Means{Dial: w.dial}}
		newer, stopNewer := replicas(t, 1, parsed(t, strings.ReplaceAll(storyFile, "name: report", "name: invoices")), deps)
		_, stopOlder := replicas(t, 1, parsed(t, storyFile), deps)
		time.Sleep(time.Second)
		newer[0].Observe(ended("invoices", time.Now(), scheduler.Failed, errors.New("boom")))
		time.Sleep(9 * time.Hour)
		stopOlder()
		stopNewer()
		got := told(t, r)
		if len(got) < 2 || got[0] != "failure invoices" || got[1] != "reminder invoices" {
			t.Errorf("got %v, want the failure and reminders", got)
		}
	})
}

func TestANewConfigurationIsInForceAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := new(receiver)
		w := listen(t, r)
		all, stop := replicas(t, 1, parsed(t, storyFile), notify.Deps{Store: new(memnotify.Store), Means: notify.Means{Dial: w.dial}})
		time.Sleep(time.Second)
		if err := all[0].Reconfigure(parsed(t, strings.ReplaceAll(storyFile, "name: report", "name: invoices"))); err != nil {
			t.Fatal(err)
		}
		all[0].Observe(ended("report", time.Now(), scheduler.Failed, errors.New("boom")))
		all[0].Observe(ended("invoices", time.Now(), scheduler.Failed, errors.New("boom")))
		time.Sleep(time.Minute)
		stop()
		if got, want := told(t, r), []string{"failure invoices"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestPingsTellACheckHowRunsBeginAndEnd(t *testing.T) {
	t.Setenv("HC_URL", "http://127.0.0.1:1/ping/a-uuid")
	synctest.Test(t, func(t *testing.T) {
		r := new(receiver)
		w, count := listen(t, r), newMeter()
		all, stop := replicas(t, 1, parsed(t, "jobs:\n- { name: report, schedule: \"@daily\", shell: x, ping: { env: HC_URL } }\n"),
			notify.Deps{Store: new(memnotify.Store), Meter: count, Means: notify.Means{Dial: w.dial}})
		begun := ended("report", time.Now(), "", nil)
		begun.Phase = scheduler.Started
		retried := ended("report", time.Now(), scheduler.Failed, errors.New("boom"))
		retried.Phase, retried.Retry = scheduler.Retried, 10*time.Second
		skipped := ended("report", time.Now(), scheduler.Skipped, nil)
		w.cut.Store(true)
		for _, e := range []scheduler.Event{begun, retried, skipped, ended("report", time.Now(), scheduler.Failed, errors.New("boom")), ended("report", time.Now(), scheduler.Succeeded, nil)} {
			all[0].Observe(e)
		}
		time.Sleep(time.Second / 2)
		w.cut.Store(false) // the first was tried in vain, once
		time.Sleep(time.Minute)
		stop()
		var got []string
		rids := map[string]bool{}
		for _, one := range r.taken() {
			got = append(got, one.path+" "+one.body)
			rids[one.query] = true
		}
		want := []string{"/ping/a-uuid/start ", "/ping/a-uuid/log attempt 1: failed: boom; the next in 10s", "/ping/a-uuid/fail failed: boom", "/ping/a-uuid succeeded"}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if len(rids) != 1 || !strings.HasPrefix(r.taken()[0].query, "rid=") {
			t.Errorf("got the run IDs %v, want one", rids)
		}
		if sent, failed := count.of(count.sent, "ping"), count.of(count.failed, "ping"); sent != 4 || failed != 1 {
			t.Errorf("counted %d sent and %d failed, want 4 and 1", sent, failed)
		}
	})
}

func TestAReceiverOfPingsThatHangsBlocksNobody(t *testing.T) {
	t.Setenv("HC_URL", "http://127.0.0.1:1/ping")
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		w, count := listen(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang })), newMeter()
		all, stop := replicas(t, 1, parsed(t, "jobs:\n- { name: report, schedule: \"@daily\", shell: x, ping: { env: HC_URL } }\n"),
			notify.Deps{Store: new(memnotify.Store), Meter: count, Means: notify.Means{Dial: w.dial}})
		began := time.Now()
		for range 1000 {
			all[0].Observe(ended("report", time.Now(), scheduler.Succeeded, nil))
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("telling took %s", took)
		}
		if got := count.of(count.dropped, "ping"); got < 700 || got > 750 {
			t.Errorf("got %d dropped, want what finds no room", got)
		}
		stop()
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("the stop took %s", took)
		}
		close(hang)
	})
}
