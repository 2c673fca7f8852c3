package etcdlease_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/etcdlease"
	"github.com/solocron/solocron/election/internal/check"
	"github.com/solocron/solocron/election/internal/ledger"
)

// anyText draws strings of any bytes: nobody promises that names are UTF-8.
func anyText(t *rapid.T, name string, limit int) string {
	return string(rapid.SliceOfN(rapid.Byte(), 0, limit).Draw(t, name))
}

func anyRecord(t *rapid.T) ledger.Record {
	number := func(name string) int64 { return rapid.Int64Range(0, check.MaxInt).Draw(t, name) }
	r := ledger.Record{
		Owner: election.Owner(rapid.StringMatching("[0-9a-f]{32}").Draw(t, "owner")), Token: number("token"),
		State:  rapid.SampledFrom([]election.State{election.StateFree, election.StateRunning}).Draw(t, "state"),
		Holder: anyText(t, "holder", 200), Tick: number("tick"), Decided: number("decided"), Before: number("before"),
		Done: number("done"), Attempt: int(number("attempt")), Crashes: number("crashes"), Late: number("late"),
		Epoch: number("epoch"), Def: anyText(t, "def", 64), Delay: number("delay"), Keep: number("keep"),
	}
	if rapid.Bool().Draw(t, "found abandoned") {
		r.Prev = &election.Abandoned{By: anyText(t, "by", 200), Tick: check.Time(number("its tick")), Token: number("its token"), Attempt: 1}
	}
	for range rapid.IntRange(0, ledger.MaxRefused).Draw(t, "refusals") {
		r.Refused = append(r.Refused, ledger.Refusal{Owner: r.Owner, Tick: number("refused"), Answer: election.Skipped, Before: number("before it")})
	}
	for range rapid.IntRange(0, ledger.MaxRing).Draw(t, "outcomes") {
		r.Ring = append(r.Ring, election.Past{Token: number("past"), Outcome: election.OutcomeFailed})
	}
	if rapid.Bool().Draw(t, "gate") {
		r.Gate = ledger.Gate{Until: ledger.Forever, Reason: anyText(t, "reason", 500), By: anyText(t, "who", 200)}
	}
	return r
}

func TestARecordIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := anyRecord(t)
		wantTerm := rapid.Int64Range(0, 1<<40).Draw(t, "term")
		data, err := etcdlease.Encode(&want, wantTerm)
		if err != nil {
			t.Fatal(err)
		}
		got, term, err := etcdlease.Decode([]byte(data))
		if err != nil || term != wantTerm || !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, %d, %v, want %+v, %d", got, term, err, want, wantTerm)
		}
		if len(data) > 12<<10 {
			t.Fatalf("a record takes %d bytes: 64 of them must fit into a request", len(data))
		}
	})
}

func TestWhatIsNoRecordIsRefused(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"nothing":         "",
		"no JSON":         "poison",
		"another layout":  `{"v":2}`,
		"no layout":       `{"token":1}`,
		"a long ring":     `{"v":1,"ring":[` + strings.Repeat(`{"token":1,"outcome":102},`, 32) + `{"token":1,"outcome":102}]}`,
		"much too long":   `{"v":1,"holder":"` + strings.Repeat("h", 64<<10) + `"}`,
		"text in a list":  `{"v":1,"holder":["YQ==","YQ=="]}`,
		"text of numbers": `{"v":1,"holder":[1]}`,
	} {
		if r, _, err := etcdlease.Decode([]byte(data)); err == nil {
			t.Errorf("%s: got %+v, want an error", name, r)
		}
	}
}

func TestEveryNameIsOneElementOfAPath(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"nightly-report":    "nightly-report",
		"a/b":               "a%2Fb",
		"100%":              "100%25",
		"{odd} \x00\xff":    "%7Bodd%7D%20%00%FF",
		"prod/billing:v1.0": "prod%2Fbilling:v1.0",
	} {
		if got := etcdlease.Escape(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyText(t, "one", 20), anyText(t, "other", 20)
		if (a == b) != (etcdlease.Escape(a) == etcdlease.Escape(b)) || strings.Contains(etcdlease.Escape(a), "/") {
			t.Fatalf("%q and %q: got %q and %q", a, b, etcdlease.Escape(a), etcdlease.Escape(b))
		}
	})
}
