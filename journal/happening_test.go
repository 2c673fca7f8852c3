package journal_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

func TestWhatPeopleWantToSeeOfAnEvent(t *testing.T) {
	t.Parallel()
	tick := scheduler.Tick{Job: "job", At: time.Unix(1, 0)}
	run := jobs.Run{ID: "job.19700101T000001Z", Token: 41}
	for name, c := range map[string]struct {
		event scheduler.Event
		want  string
	}{
		"start":                   {scheduler.Event{Phase: scheduler.Started, Tick: tick, Run: run}, "run started"},
		"retry":                   {scheduler.Event{Phase: scheduler.Retried, Tick: tick, Run: run, Verdict: scheduler.Failed}, "run retried failed"},
		"end":                     {scheduler.Event{Phase: scheduler.Ended, Tick: tick, Run: run, Verdict: scheduler.Succeeded}, "run ended succeeded"},
		"end without a run":       {scheduler.Event{Phase: scheduler.Ended, Tick: tick, Verdict: scheduler.Skipped}, "run ended skipped"},
		"end another speaks for":  {scheduler.Event{Phase: scheduler.Ended, Tick: tick, Run: run, Verdict: scheduler.Failed, Echo: true}, ""},
		"end without a lease":     {scheduler.Event{Phase: scheduler.Ended, Tick: tick, Run: jobs.Run{ID: run.ID}, Verdict: scheduler.Failed, Echo: true}, "run ended failed"},
		"loss":                    {scheduler.Event{Phase: scheduler.Ended, Tick: tick, Run: run, Verdict: scheduler.LeaseLost}, "run ended lost, lease lost"},
		"overrun":                 {scheduler.Event{Phase: scheduler.Overran, Tick: tick, Run: run, Note: "goroutine 1"}, "lease overran"},
		"progress":                {scheduler.Event{Phase: scheduler.Noted, Tick: tick, Run: run}, "run noted"},
		"output":                  {scheduler.Event{Phase: scheduler.Output, Tick: tick, Run: run, Note: "secret"}, ""},
		"a tick that others have": {scheduler.Event{Phase: scheduler.Yielded, Tick: tick}, ""},
		"a tick that waits":       {scheduler.Event{Phase: scheduler.Waiting, Tick: tick}, ""},
	} {
		var got []string
		for _, h := range journal.Of(c.event) {
			got = append(got, strings.TrimSpace(fmt.Sprint(h.Topic, " ", h.Phase, " ", h.Verdict)))
			if h.Run != run.ID || h.Job != "job" || strings.Contains(h.Note, "goroutine") {
				t.Errorf("%s: got %+v", name, h)
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestPlacesAreReadAsTheyAreWrittenAndInOrder(t *testing.T) {
	t.Parallel()
	places := []journal.Place{
		{},
		{Index: 1},
		{Batch: journal.BatchID{Seq: 1}},
		{Batch: journal.BatchID{Ms: 9, Seq: 2}},
		{Batch: journal.BatchID{Ms: 9, Seq: 2}, Index: 3},
		{Batch: journal.BatchID{Ms: 10}},
	}
	if !slices.IsSortedFunc(places, journal.Place.Compare) {
		t.Error("places are not in order")
	}
	for _, p := range places {
		if got, err := journal.ParsePlace(p.String()); err != nil || got != p {
			t.Errorf("%s: got %v, %v", p, got, err)
		}
	}
}

func FuzzParsePlace(f *testing.F) {
	for _, text := range []string{"", "1-2.3", "1-2", ".", "-1-2.3", "1-2.99999999", "18446744073709551615-18446744073709551615.1000000", "+1-2.3", "1-2.3.4"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := journal.ParsePlace(text)
		if err != nil {
			return
		}
		if again, err := journal.ParsePlace(p.String()); err != nil || again != p || len(text) > 60 {
			t.Errorf("%q is %v, which is %v, %v", text, p, again, err)
		}
	})
}

func FuzzABatchOfAnythingIsRead(f *testing.F) {
	f.Add([]byte(`{"r":"a","h":[{"a":1,"t":"run","p":"started","i":"job.20261129T013000Z","k":41},{"a":-1,"u":99999999999999999,"s":{"x":1}}]}`))
	f.Add([]byte(`{"h":null}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for i, one := range journal.Unpack(journal.Batch{ID: journal.BatchID{Ms: 1}, Data: data}) {
			if one.Place.Index != i || len(one.Text) == 0 || len(one.Note) > journal.MaxWords || strings.ContainsAny(string(one.Text), "\r\n") {
				t.Errorf("number %d: got %+v", i, one)
			}
		}
	})
}
