package memlease_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/ledger"
	"github.com/solocron/solocron/election/memlease"
)

// fullRecord is a record that says everything.
func fullRecord() ledger.Record {
	return ledger.Record{
		Owner: "0123456789abcdef0123456789abcdef", Token: 1, Expires: 2, State: election.StateRunning, Tick: 3, Decided: 4,
		Before: 5, Done: 6, Attempt: 7, Crashes: 8, Late: 9, Epoch: 10, Def: "def", Holder: "holder", Delay: 11, Keep: 12,
		Prev:    &election.Abandoned{By: "other", Tick: time.UnixMilli(13).UTC(), Token: 14, Attempt: 15},
		Refused: []ledger.Refusal{{Owner: "another", Tick: 16, Answer: election.Skipped, Before: 17}},
		Ring:    []election.Past{{Token: 18, Outcome: election.OutcomeFailed}, {Token: 19, Outcome: election.OutcomeLost}},
		Gate:    ledger.Gate{Until: 20, Reason: "reason", By: "somebody"},
	}
}

// TestARecordTakesLittleRoom bounds what a burst of first ticks, one of each job,
// allocates for the lease of each. Go rounds up to 176, 192, 208, 224 or 240
// bytes here: a field more is a step up for every job, in every burst. What few
// jobs need goes into rare.
func TestARecordTakesLittleRoom(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct{ got, want uintptr }{
		"a record":         {memlease.RecordSize, 192},
		"what is rare":     {memlease.RareSize, 96},
		"an outcome in it": {reflect.TypeFor[election.Past]().Size(), 16},
	} {
		if c.got > c.want {
			t.Errorf("%s takes %d bytes, want at most %d", what, c.got, c.want)
		}
	}
}

func TestNothingOfARecordIsLostInTheStore(t *testing.T) {
	t.Parallel()
	full := fullRecord()
	rare := []string{"Crashes", "Late", "Prev", "Refused", "Gate"}
	all := reflect.ValueOf(full)
	for i := range all.NumField() {
		name := all.Type().Field(i).Name
		if all.Field(i).IsZero() {
			t.Fatalf("the full record says nothing about %s: this test proves nothing about it", name)
		}
		var want, without ledger.Record
		reflect.ValueOf(&want).Elem().Field(i).Set(all.Field(i))
		without = full
		reflect.ValueOf(&without).Elem().Field(i).SetZero()
		got, unusual := memlease.Kept(ledger.Record{}, want)
		if !reflect.DeepEqual(got, want) || unusual != slices.Contains(rare, name) {
			t.Errorf("%s alone: got %+v (rare: %t), want %+v", name, got, unusual, want)
		}
		if got, _ := memlease.Kept(full, without); !reflect.DeepEqual(got, without) {
			t.Errorf("%s taken away: got %+v, want %+v", name, got, without)
		}
	}
	for name, c := range map[string]struct{ old, want ledger.Record }{
		"into an empty one":     {ledger.Record{}, full},
		"over itself":           {full, full},
		"all of it taken away":  {full, ledger.Record{}},
		"nothing in the middle": {ledger.Record{}, ledger.Record{}},
	} {
		if got, _ := memlease.Kept(c.old, c.want); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

func TestAReadOfManyKeysMakesRoomForThem(t *testing.T) {
	t.Parallel()
	keys := make([]string, 2048)
	for i := range keys {
		keys[i] = fmt.Sprint("job-", i)
	}
	s := new(memlease.Store)
	for i, c := range []struct{ keys, times, room int }{
		{1, 5000, 0},        // what is read now and then
		{2048, 1, 2048},     // a start, in parts
		{2048, 1, 4096},     //
		{1500, 1, 4096},     // not yet worth a new map
		{2048, 2, 9692},     //
		{2048, 100, 81_372}, // again and again
	} {
		for range c.times {
			records, err := s.Read(t.Context(), keys[:c.keys])
			if err != nil || len(records) != c.keys || !reflect.DeepEqual(records[c.keys-1], election.Record{}) {
				t.Fatalf("step %d: got %d records, error %v, want %d empty ones", i, len(records), err, c.keys)
			}
		}
		if got := s.Room(); got != c.room {
			t.Errorf("step %d: got room for %d, want %d", i, got, c.room)
		}
	}
	c := election.Claim{Key: keys[0], Owner: fullRecord().Owner, Mode: election.ForRequest, TTL: time.Second, Retention: time.Hour, Holder: "a"}
	if a := s.Claim(t.Context(), []election.Claim{c})[0]; a.Answer != election.Granted {
		t.Fatalf("got %+v, want a grant", a)
	}
	for range 100 { // and what is in it stays
		records, err := s.Read(t.Context(), keys)
		if err != nil || records[0].Holder != "a" || records[1].Holder != "" {
			t.Fatalf("got %+v, %v, want the first key alone", records[:2], err)
		}
	}
}
