package redisjournal_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/solocron/solocron/journal/redisjournal"
	"github.com/solocron/solocron/scheduler"
)

func FuzzDecodeRowNeverPanicsAndReadsBackWhatItAccepts(f *testing.F) {
	row := done(plain("nightly-report", 1)).Row
	row.Tries = []scheduler.Try{{Replica: "a", Token: 1, Started: day, Took: 5, Verdict: scheduler.Failed, Error: "exit 1"}}
	good, err := redisjournal.EncodeRow(&row)
	if err != nil {
		f.Fatal(err)
	}
	head := "1s-e1795915804333179591580000000001"
	for _, seed := range []string{
		good, "", "1", good[:45], good[:len(good)-1], strings.Replace(good, "031", "999", 1), strings.Replace(good, "[", "{", 1),
		head + "0000000000{}", head + "9999999999{}", "1s-e" + strings.Repeat("-", 41) + "{}", "2" + good[1:],
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		row, err := redisjournal.DecodeRow(text)
		if err != nil {
			return
		}
		if len(row.ID) > 900 || len(row.Job) > 900 { // wider than a row that is recorded
			return
		}
		again, err := redisjournal.EncodeRow(&row)
		if err != nil {
			t.Fatalf("decoded what cannot be encoded: %v", err)
		}
		twice, err := redisjournal.DecodeRow(again)
		if err != nil || !reflect.DeepEqual(twice, row) {
			t.Fatalf("got %+v (%v), want %+v", twice, err, row)
		}
	})
}

func FuzzDecodeRequestNeverPanicsAndReadsBackWhatItAccepts(f *testing.F) {
	good, err := redisjournal.EncodeRequest(&scheduler.Request{
		ID: "a#2", Run: "a", Job: "j", Cause: scheduler.ByRetry, Tick: day, Params: map[string]string{"a": "b"}, Made: day, NotBefore: day, Attempt: 2,
	})
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{good, "", "1", good[:14], good[:len(good)-1], "1+000000000000{}", "10000000000000{\"i\":\"a\",\"j\":\"b\"}", "2" + good[1:]} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := redisjournal.DecodeRequest(text)
		if err != nil {
			return
		}
		again, err := redisjournal.EncodeRequest(&r)
		if err != nil {
			t.Fatalf("decoded what cannot be encoded: %v", err)
		}
		twice, err := redisjournal.DecodeRequest(again)
		if err != nil || !reflect.DeepEqual(twice, r) {
			t.Fatalf("got %+v (%v), want %+v", twice, err, r)
		}
	})
}
