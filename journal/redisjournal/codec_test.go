package redisjournal_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/journal/redisjournal"
	"github.com/solocron/solocron/scheduler"
)

func FuzzDecodeNeverPanicsAndReadsBackWhatItAccepts(f *testing.F) {
	good, err := redisjournal.Encode(scheduler.News{From: "a", Ticks: []scheduler.TickRef{{Job: "job", At: time.UnixMilli(1e12)}}})
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{string(good), "", "\x01", "\x03\x01a", "\x01\x00\xff\xff\xff\xff\x0f", "\x02\x01a\xd0\x0f", "\x01\x05a", "\x04\x01a\x00", "\x04\x01a\x01\x01j\x07"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		news, changed, err := redisjournal.Decode(message)
		if err != nil || changed {
			return
		}
		again, err := redisjournal.Encode(news)
		if err != nil {
			t.Fatalf("decoded what cannot be encoded: %v", err)
		}
		twice, _, err := redisjournal.Decode(string(again))
		if err != nil || !reflect.DeepEqual(twice, news) {
			t.Fatalf("got %+v (%v), want %+v", twice, err, news)
		}
	})
}

func TestDecodeRefusesWhatIsTooMuch(t *testing.T) {
	t.Parallel()
	long := scheduler.News{From: strings.Repeat("a", 301)}
	many := scheduler.News{From: "a", Ticks: make([]scheduler.TickRef, 2001)}
	old := scheduler.News{From: "a", Ticks: []scheduler.TickRef{{Job: "job", At: time.UnixMilli(-1)}}}
	for _, n := range []scheduler.News{long, many, old} {
		if _, err := redisjournal.Encode(n); err == nil {
			t.Error("Encode accepted news beyond the limits")
		}
	}
	for name, message := range map[string]string{
		"count without ticks": "\x01\x01a\xd0\x0f", "too many": "\x01\x01a\xd1\x0f" + strings.Repeat("\x00\x01", 2001),
		"rest": "\x03\x01ab", "unknown kind": "\x09\x01a\x00", "cut": "\x01\x04ab",
	} {
		if _, _, err := redisjournal.Decode(message); err == nil {
			t.Errorf("%s: decoded", name)
		}
	}
}
