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

var (
	noon    = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	errAway = errors.New("away")
	errNone = fmt.Errorf("%w: refused", election.ErrNotApplied)
)

// votes reads one word for each node:
//
//	g5       granted with token 5          h9 a     held by a's claim, token 9
//	r9 a     held by a's run               s7       spent, token 7; S7: by a run of this very tick
//	K C M    skipped, closed, missed       u        superseded
//	e d q    early, delayed, quarantine    x        no answer
//	n        not applied                   b        bad claim
//	y5       granted by a node too young to vote
//
// An appended :ms is the time that the answer is about; else it is 1000 ms for each.
func votes(words string) []redlock.Vote {
	var all []redlock.Vote
	for word := range strings.FieldsSeq(words) {
		all = append(all, voteOf(word))
	}
	return all
}

func voteOf(word string) redlock.Vote {
	word, ms, timed := strings.Cut(word, ":")
	left := time.Second
	if timed {
		var n int
		_, _ = fmt.Sscan(ms, &n)
		left = time.Duration(n) * time.Millisecond
	}
	a := election.ClaimAnswer{Now: noon, Remaining: left}
	var token int64
	var by string
	_, _ = fmt.Sscanf(word[1:], "%d%s", &token, &by)
	a.Token, a.By = token, by
	kinds := map[byte]election.Answer{
		'S': election.Spent, 'g': election.Granted, 'y': election.Granted, 'h': election.Held, 'r': election.Held, 's': election.Spent, 'K': election.Skipped,
		'C': election.Closed, 'M': election.Missed, 'u': election.Superseded, 'e': election.Early, 'd': election.Delayed, 'q': election.Quarantine,
	}
	switch word[0] {
	case 'x':
		return redlock.NewVote(election.ClaimAnswer{Err: errAway}, 0)
	case 'n':
		return redlock.NewVote(election.ClaimAnswer{Err: errNone}, 0)
	case 'b':
		return redlock.NewVote(election.ClaimAnswer{Err: fmt.Errorf("%w: odd", election.ErrBadClaim), Now: noon}, 0)
	case 'S':
		a.Tick = noon
	case 'r':
		a.Started = true
	case 'y':
		a.Answer = election.Granted
		a.Remaining = time.Second
		return redlock.NewVote(a, left)
	}
	a.Answer = kinds[word[0]]
	return redlock.NewVote(a, 0)
}

func TestAClaimIsDecidedByAQuorumOfTheNodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, votes string
		q           int
		ruling      any
		answer      election.Answer
	}{
		{"all grant", "g1 g2 g3", 2, redlock.Granted, election.Granted},
		{"a quorum grants, one is away", "g1 x g3", 2, redlock.Granted, election.Granted},
		{"a quorum grants what one has decided", "K1 g2 g3", 2, redlock.Granted, election.Granted},
		{"a quorum grants what one runs", "r9a g2 g3", 2, redlock.Granted, election.Granted},
		{"three of five", "g1 g2 x x g3", 3, redlock.Granted, election.Granted},
		{"two of five", "g1 g2 x x x", 3, redlock.Undecided, election.Unknown},
		{"one grants, two are away", "g1 x x", 2, redlock.Undecided, election.Unknown},

		{"a node that is too young does not count", "g1 y2:4000 h3a:9000", 2, redlock.Refused, election.Quarantine},
		{"nor do two", "g1 y2 y3", 2, redlock.Refused, election.Quarantine},
		{"but a quorum without it does", "g1 y2 g3", 2, redlock.Granted, election.Granted},

		{"at fault", "b b b", 2, redlock.Refused, election.Unknown},
		{"at fault where a minority is", "b g1 g2", 2, redlock.Granted, election.Granted},

		{"spent", "s1 s1 s1", 2, redlock.Refused, election.Spent},
		{"spent at a quorum, free at one", "g9 s1 s1", 2, redlock.Refused, election.Spent},
		{"spent at one, held by its run at the others", "s1 r9a r9a", 2, redlock.Refused, election.Held},
		{"decided by this claim", "K1 K1 K1", 2, redlock.Refused, election.Skipped},
		{"decided by this claim where the order begins", "K1 s1 s1", 2, redlock.Refused, election.Skipped},
		{"and by rivals there", "s1 K1 K1", 2, redlock.Refused, election.Spent},
		{"the first node is away", "x C1 s1", 2, redlock.Refused, election.Closed},
		{"the first node has not decided it", "g1 M1 s1", 2, redlock.Refused, election.Missed},
		{"decided by this claim at a node that missed the run", "M1 S9 S9", 2, redlock.Refused, election.Spent},
		{"decided by this claim after claims that never started", "M1 S8 S9", 2, redlock.Refused, election.Missed},
		{"decided by this claim at a minority", "K1 h2a h3b", 2, redlock.Undecided, election.Unknown},
		{"also if one other has a quorum", "M1 h2a h3a", 2, redlock.Undecided, election.Unknown},
		{"spent at a minority, the rest is away", "s1 x x", 2, redlock.Undecided, election.Unknown},

		{"superseded", "u u g1", 2, redlock.Refused, election.Superseded},
		{"superseded at a minority", "u g1 g2", 2, redlock.Granted, election.Granted},

		{"one other has won", "g1 h2a h3a", 2, redlock.Refused, election.Held},
		{"the votes are split", "g1 h2a h3b", 2, redlock.Contested, election.Held},
		{"split, and one is away", "g1 x h3b", 2, redlock.Contested, election.Held},
		{"split in five", "g1 g2 h3a h4a h5b", 3, redlock.Contested, election.Held},
		{"an older run holds a quorum", "g1 r9a r9a", 2, redlock.Refused, election.Held},

		{"early", "e:5 e:9 g1", 2, redlock.Refused, election.Early},
		{"delayed", "d d d", 2, redlock.Refused, election.Delayed},
		{"all have lost data", "q q q", 2, redlock.Refused, election.Quarantine},
		{"one has lost data, one is away", "q:700 g1 x", 2, redlock.Refused, election.Quarantine},
		{"nobody answers", "x x x", 2, redlock.Undecided, election.Unknown},
	} {
		ruling, a := redlock.Weigh(votes(c.votes), c.q, noon)
		if any(ruling) != c.ruling || a.Answer != c.answer {
			t.Errorf("%s (%s): got ruling %v, answer %v, want %v, %v", c.name, c.votes, ruling, a.Answer, c.ruling, c.answer)
		}
		if (a.Answer == election.Unknown) != (a.Err != nil) {
			t.Errorf("%s (%s): answer %v with error %v", c.name, c.votes, a.Answer, a.Err)
		}
	}
}

func TestAGrantHasTheHighestTokenAndTheTimeOfAQuorum(t *testing.T) {
	t.Parallel()
	_, a := redlock.Weigh(votes("g4:300 g9:100 g7:200"), 2, noon)
	if a.Token != 9 || a.Remaining != 200*time.Millisecond || !a.Now.Equal(noon) {
		t.Errorf("got token %d for %s at %s, want 9 for 200ms at %s", a.Token, a.Remaining, a.Now, noon)
	}
	_, a = redlock.Weigh(votes("g4:300 x g7:200"), 2, noon)
	if a.Token != 7 || a.Remaining != 200*time.Millisecond {
		t.Errorf("with one away: got token %d for %s, want 7 for 200ms", a.Token, a.Remaining)
	}
	_, a = redlock.Weigh(votes("g4:300 y8 g7:200"), 2, noon)
	if a.Token != 8 || a.Remaining != 200*time.Millisecond {
		t.Errorf("with a young one: got token %d for %s, want 8, which that is not above, for 200ms", a.Token, a.Remaining)
	}
}

func TestAClaimWaitsForTheNodeThatMakesAQuorum(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]time.Duration{
		"g1 r9a:400 d:900":        400 * time.Millisecond,
		"q:50 r9a:400 r9a:600":    400 * time.Millisecond,
		"d:70 d:30 d:50":          50 * time.Millisecond,
		"g1 g2 d:80 d:70 d:90":    70 * time.Millisecond,
		"g1 y2:4000 d:6000":       4 * time.Second,
		"e:5 g1 e:7":              5 * time.Millisecond,
		"q:10 q:20 q:30 x x":      30 * time.Millisecond,
		"h2a:600 h3b:500 h4c:900": 600 * time.Millisecond,
	} {
		all := votes(words)
		if _, a := redlock.Weigh(all, len(all)/2+1, noon); a.Remaining != want {
			t.Errorf("%s: got %s, want %s", words, a.Remaining, want)
		}
	}
}

// TestTheFloorsOfARefusalAreWhatAQuorumKnows: a higher token would make a node that
// never had it look as if it had lost data.
func TestTheFloorsOfARefusalAreWhatAQuorumKnows(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]int64{
		"s5 s5 s9":    5,
		"s5 s5 s2":    5,
		"s5 x s9":     5,
		"r9a r9a g3":  9, // what runs has the token it was raised to
		"r9a h12a g3": 9,
		"h2a h7a g3":  7, // what has not started will be raised to the highest
	} {
		if _, a := redlock.Weigh(votes(words), 2, noon); a.Token != want {
			t.Errorf("%s: got token %d, want %d", words, a.Token, want)
		}
	}
	all := votes("s5 s5 s5")
	for i, at := range []int{10, 30, 20} {
		all[i].Decided = noon.Add(time.Duration(at) * time.Second)
	}
	if _, a := redlock.Weigh(all, 2, noon); !a.Decided.Equal(noon.Add(20 * time.Second)) {
		t.Errorf("decided: got %s, want what two of three have", a.Decided)
	}
}

func TestWhatWasDecidedBeforeAGrantIsWhatAQuorumMayHaveDecided(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		votes string
		ticks []int // seconds after noon
		want  int
	}{
		{"g1 g2 g3", []int{10, 10, 20}, 10}, // one node alone: no quorum has
		{"g1 g2 x", []int{10, 20, 0}, 20},   // the third may know of it, too
		{"g1 g2 s3", []int{10, 20, 90}, 20}, // spent by nobody's quorum
		{"g1 g2 g3 x x", []int{10, 20, 30, 0, 0}, 30},
		{"g1 g2 g3 g4 x", []int{10, 20, 30, 40, 0}, 30},
	} {
		all := votes(c.votes)
		for i, at := range c.ticks {
			all[i].Decided = noon.Add(time.Duration(at) * time.Second)
		}
		_, a := redlock.Weigh(all, len(all)/2+1, noon)
		if want := noon.Add(time.Duration(c.want) * time.Second); a.Answer != election.Granted || !a.Decided.Equal(want) {
			t.Errorf("%s %v: got %s, want %s", c.votes, c.ticks, a.Decided, want)
		}
	}
}

func TestARunCountsAsAbandonedIfAQuorumMayHaveStartedIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		votes string
		prev  []int64 // token of the run that each node has found; 0: none
		want  int64
	}{
		{"g1 g2 g3", []int64{7, 7, 7}, 7},
		{"g1 g2 g3", []int64{7, 7, 0}, 7},
		{"g1 g2 g3", []int64{7, 0, 0}, 0}, // two have no trace of it: it had no quorum
		{"g1 g2 x", []int64{7, 0, 0}, 7},  // the third may have it
		{"g1 g2 g3", []int64{5, 7, 7}, 7},
		{"g1 g2 g3", []int64{0, 0, 0}, 0},
		{"g1 g2 g3 h9a h9a", []int64{0, 7, 0, 0, 0}, 7},
	} {
		all := votes(c.votes)
		for i, token := range c.prev {
			if token > 0 {
				all[i].Prev = &election.Abandoned{By: "a", Token: token, Attempt: 1}
			}
		}
		_, a := redlock.Weigh(all, len(all)/2+1, noon)
		var got int64
		if a.Prev != nil {
			got = a.Prev.Token
		}
		if got != c.want {
			t.Errorf("%s %v: got the run with token %d, want %d", c.votes, c.prev, got, c.want)
		}
	}
}

func TestNothingWasDoneOnlyIfThatIsSoEverywhere(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]bool{"n n n": true, "n n x": false, "n n g1": false, "x x x": false} {
		_, a := redlock.Weigh(votes(words), 2, noon)
		if got := errors.Is(a.Err, election.ErrNotApplied); got != want {
			t.Errorf("%s: got ErrNotApplied %t (%v), want %t", words, got, a.Err, want)
		}
	}
	_, a := redlock.Weigh(votes("x x g1"), 2, noon)
	if !a.Now.IsZero() {
		t.Error("one node of three answered: that is no answer of the store")
	}
}

func TestTheMemoryHoldsEachNodeToItsOwnWordAndIsBounded(t *testing.T) {
	t.Parallel()
	var m redlock.Memory
	m.Note("job", "a", 9, 7, 9, 0)
	for _, c := range []struct {
		floor int64
		node  int
		want  int64
	}{{9, 0, 7}, {9, 1, 9}, {9, 2, 0}, {5, 0, 5}, {12, 0, 7}, {12, 1, 12}} {
		if got := m.Floor("job", c.floor, c.node); got != c.want {
			t.Errorf("floor %d for node %d: got %d, want %d", c.floor, c.node, got, c.want)
		}
	}
	if got := m.Floor("other", 9, 0); got != 9 {
		t.Errorf("of another key: got %d, want the floor itself", got)
	}
	for i := range redlock.MaxNotes + 100 {
		m.Note(fmt.Sprint(i), "a", 9, 7, 9, 0)
	}
	if got := m.Len(); got != redlock.MaxNotes {
		t.Errorf("got %d notes, want at most %d", got, redlock.MaxNotes)
	}
}
