package redlock_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redlock"
)

// stands reads one word for each node: G good, I reinstated, L lost, P lapsed, a
// letter behind A the outcome that was kept, b bad, x no answer, n not applied. An
// appended :ms is the time left; else it is a second.
func stands(words string) []election.HoldAnswer {
	var all []election.HoldAnswer
	for word := range strings.FieldsSeq(words) {
		word, ms, timed := strings.Cut(word, ":")
		a := election.HoldAnswer{Now: noon, Remaining: time.Second, Token: 9}
		if timed {
			var n int
			_, _ = fmt.Sscan(ms, &n)
			a.Remaining = time.Duration(n) * time.Millisecond
		}
		switch word[0] {
		case 'G':
			a.Standing = election.Good
		case 'I':
			a.Standing = election.Reinstated
		case 'L':
			a.Standing, a.By = election.Lost, "b"
		case 'P':
			a.Standing = election.Lapsed
		case 'A':
			a.Standing, a.Outcome = election.AlreadyReleased, election.Outcome(word[1])
		case 'b':
			a = election.HoldAnswer{Err: fmt.Errorf("%w: odd", election.ErrBadClaim), Now: noon}
		case 'x':
			a = election.HoldAnswer{Err: errAway}
		case 'n':
			a = election.HoldAnswer{Err: errNone}
		}
		all = append(all, a)
	}
	return all
}

func TestAStartAndARenewalNeedAQuorum(t *testing.T) {
	t.Parallel()
	const unsure = election.Uncertain
	for _, c := range []struct {
		answers        string
		start, renewal election.Standing
	}{
		{"G G G", election.Good, election.Good},
		{"G x G", election.Good, election.Good},
		{"G G L", election.Good, election.Good},
		{"G I I", unsure, election.Reinstated},
		{"I I x", unsure, election.Reinstated},
		{"G G I", election.Good, election.Good},
		{"G x x", unsure, unsure},
		{"G L x", unsure, unsure},
		{"G L L", election.Lost, election.Lost},
		{"x L L", election.Lost, election.Lost},
		{"P P P", election.Lapsed, election.Lapsed},
		{"P P L", election.Lapsed, election.Lapsed},
		{"P L x", election.Lost, election.Lost},
		{"P L L", election.Lost, election.Lost},
		{"b b x", unsure, unsure},
		{"G G L L x", unsure, unsure},
		{"G G L L L", election.Lost, election.Lost},
		{"G G G x x", election.Good, election.Good},
		{"x x x", unsure, unsure},
	} {
		answers := stands(c.answers)
		q := len(answers)/2 + 1
		h := election.Hold{Key: "job", Token: 9, Tick: noon}
		for what, got := range map[string]struct{ got, want election.Standing }{
			"start":   {redlock.WeighStart(answers, q, &h).Standing, c.start},
			"renewal": {redlock.WeighRenewal(answers, q, 9).Standing, c.renewal},
		} {
			if got.got != got.want {
				t.Errorf("%s of %s: got %d, want %d", what, c.answers, got.got, got.want)
			}
		}
	}
}

func TestALeaseLastsAsLongAsAQuorumHasIt(t *testing.T) {
	t.Parallel()
	h := election.Hold{Key: "job", Token: 9}
	for words, want := range map[string]int{
		"G:300 G:100 G:200":         200,
		"G:300 x G:200":             200,
		"G:300 L G:200":             200,
		"G:50 G:40 G:30 G:20 G:10":  30,
		"G:50 x G:30 G:20 L":        20,
		"G:300 G:100 G:200 x:900 x": 100,
	} {
		answers := stands(words)
		q := len(answers)/2 + 1
		for what, a := range map[string]election.HoldAnswer{
			"start": redlock.WeighStart(answers, q, &h), "renewal": redlock.WeighRenewal(answers, q, 9),
		} {
			if got := a.Remaining.Milliseconds(); got != int64(want) {
				t.Errorf("%s of %s: got %d ms, want %d", what, words, got, want)
			}
		}
	}
}

func TestAStartTellsOfTheTickBeforeAndNeverOfItsOwn(t *testing.T) {
	t.Parallel()
	h := election.Hold{Key: "job", Token: 9, Tick: noon}
	answers := stands("G G G")
	answers[0].Decided, answers[1].Decided, answers[2].Decided = noon.Add(-time.Hour), noon, noon.Add(-time.Minute)
	if a := redlock.WeighStart(answers, 2, &h); !a.Decided.Equal(noon.Add(-time.Minute)) || a.Token != 9 {
		t.Errorf("got %s, token %d, want the latest tick before, and the token of the hold", a.Decided, a.Token)
	}
}

func TestWhatWasDecidedBeforeAStartIsWhatAQuorumMayHaveDecided(t *testing.T) {
	t.Parallel()
	h := election.Hold{Key: "job", Token: 9, Tick: noon}
	for _, c := range []struct {
		answers string
		before  []int // minutes before noon
		want    int
	}{
		{"G G G", []int{10, 20, 20}, 20}, // one node alone: no quorum has
		{"G G x", []int{10, 20, 0}, 10},  // the third may know of it, too
		{"G G L", []int{20, 10, 0}, 10},
		{"G G G x x", []int{30, 10, 20, 0, 0}, 10},
	} {
		answers := stands(c.answers)
		for i, minutes := range c.before {
			answers[i].Decided = noon.Add(-time.Duration(minutes) * time.Minute)
		}
		want := noon.Add(-time.Duration(c.want) * time.Minute)
		if a := redlock.WeighStart(answers, len(answers)/2+1, &h); !a.Decided.Equal(want) {
			t.Errorf("%s %v: got %s, want %s", c.answers, c.before, a.Decided, want)
		}
	}
}

func TestAReleaseIsWhatAQuorumMakesOfIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		answers string
		want    election.Standing
		outcome election.Outcome
	}{
		{"G G G", election.Good, 0},
		{"G G x", election.Good, 0},
		{"G G L", election.Good, 0},
		{"G As x", election.Good, 0}, // the first try was heard by one
		{"As As As", election.AlreadyReleased, 's'},
		{"Aa Aa G", election.AlreadyReleased, 'a'},
		{"Aa G G", election.Good, 0},
		{"Aa L L", election.AlreadyReleased, 'a'},
		{"Aa L G", election.AlreadyReleased, 'a'},
		{"L L G", election.Lost, 0},
		{"L L L", election.Lost, 0},
		{"G x x", election.Uncertain, 0},
		{"L G x", election.Uncertain, 0},
		{"b b b", election.Uncertain, 0},
	} {
		answers := stands(c.answers)
		e := election.End{Key: "job", Token: 9, Outcome: election.OutcomeSucceeded}
		a := redlock.WeighRelease(answers, 2, &e)
		if a.Standing != c.want || a.Outcome != c.outcome {
			t.Errorf("%s: got %d, outcome %q, want %d, %q", c.answers, a.Standing, rune(a.Outcome), c.want, rune(c.outcome))
		}
	}
	e := election.End{Key: "job", Token: 9, Outcome: election.OutcomeUndone}
	if a := redlock.WeighRelease(stands("b b x"), 2, &e); !errors.Is(a.Err, election.ErrBadClaim) {
		t.Errorf("at fault at a quorum: got %v, want ErrBadClaim", a.Err)
	}
	if a := redlock.WeighRelease(stands("n n n"), 2, &e); !errors.Is(a.Err, election.ErrNotApplied) {
		t.Errorf("applied nowhere: got %v, want ErrNotApplied", a.Err)
	}
	if a := redlock.WeighRelease(stands("n n x"), 2, &e); errors.Is(a.Err, election.ErrNotApplied) {
		t.Errorf("perhaps applied somewhere: got %v, want no ErrNotApplied", a.Err)
	}
}

func TestPeopleSeeTheLeaseThatAQuorumKnows(t *testing.T) {
	t.Parallel()
	run := election.Record{Key: "job", State: election.StateRunning, Holder: "a", Token: 9, Tick: noon, Decided: noon, Now: noon, Late: 1}
	stray := election.Record{Key: "job", State: election.StateFree, Holder: "b", Token: 12, Decided: noon.Add(-time.Hour), Now: noon, Late: 7}
	var none election.Record
	for _, c := range []struct {
		name    string
		records []election.Record
		holder  string
		token   int64
		late    int64
	}{
		{"all agree", []election.Record{run, run, run}, "a", 9, 1},
		{"one has missed it", []election.Record{stray, run, run}, "a", 9, 1},
		{"one knows nothing", []election.Record{none, run, run}, "a", 9, 1},
		{"a quorum knows nothing", []election.Record{none, none, run}, "", 0, 0},
		{"no two agree", []election.Record{none, stray, run}, "b", 12, 1},
		{"nobody knows anything", []election.Record{none, none}, "", 0, 0},
	} {
		r := redlock.Merge(c.records, 2)
		if r.Holder != c.holder || r.Token != c.token || r.Late != c.late {
			t.Errorf("%s: got %+v, want holder %q, token %d, late %d", c.name, r, c.holder, c.token, c.late)
		}
		if c.holder != "" && !r.Decided.Equal(noon) {
			t.Errorf("%s: decided: got %s, want the highest of all", c.name, r.Decided)
		}
	}
}

func TestPeopleSeeAGateThatMostNodesHaveAndNoClaimsThatCameToNothing(t *testing.T) {
	t.Parallel()
	open := election.Record{Key: "job", Now: noon, Shut: noon.Add(-time.Hour), Ring: []election.Past{{Token: 5, Outcome: 'u'}, {Token: 4, Outcome: 's'}}}
	closed := election.Record{Key: "job", Now: noon, Gate: election.Gate{Closed: true, By: "ada"}, Ring: []election.Past{{Token: 6, Outcome: 'u'}, {Token: 4, Outcome: 's'}, {Token: 3, Outcome: 'f'}}}
	if r := redlock.Merge([]election.Record{open, closed, open}, 2); r.Gate.Closed || !r.Shut.Equal(open.Shut) {
		t.Errorf("closed at one of three: got %+v, shut %s", r.Gate, r.Shut)
	}
	r := redlock.Merge([]election.Record{open, closed}, 2)
	if !r.Gate.Closed || r.Gate.By != "ada" || !r.Shut.IsZero() {
		t.Errorf("closed at one of two: got %+v, want it closed, as nobody knows which is newer", r.Gate)
	}
	if fmt.Sprint(r.Ring) != "[{4 115} {3 102}]" {
		t.Errorf("ring: got %v, want what ran, newest first", r.Ring)
	}
}
