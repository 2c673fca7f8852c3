package notify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/notify"
	"github.com/solocron/solocron/scheduler"
)

func noon() time.Time { return time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC) }

func everything() *notify.Policy {
	return &notify.Policy{
		On: []notify.Kind{notify.Failure, notify.Recovery, notify.Missed, notify.Lost, notify.Late}, To: []string{"ops"}, After: 1,
	}
}

// A step is something that happens, and what people are to be told then.
type step struct {
	after time.Duration // noon
	sort  notify.Sort
	text  string // error, or side
	want  string // kinds, with blanks
}

// play plays steps by p and returns the last state and all messages.
func play(t *testing.T, p *notify.Policy, steps ...step) (notify.State, []notify.Message) {
	t.Helper()
	var s notify.State
	var all []notify.Message
	for i, x := range steps {
		now := noon().Add(x.after)
		f := notify.Fact{Sort: x.sort, Job: "job", Key: fmt.Sprint(i), Run: fmt.Sprint("run-", i), At: now, Error: x.text, Verdict: scheduler.Failed}
		if x.sort == notify.Overdue {
			f.Error, f.Reason = "", x.text
		}
		next, tell, _ := notify.Next(s, f, p, now)
		var got []string
		for _, m := range tell {
			got = append(got, string(m.Kind))
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("step %d, after %s: got %v, want %q", i, x.after, got, x.want)
		}
		s, all = next, append(all, tell...)
	}
	return s, all
}

const (
	good    = notify.Good
	failed  = notify.Bad
	lost    = notify.Crashed
	missed  = notify.NotRun
	overdue = notify.Overdue
	tick    = notify.Clock
)

func TestAFailureIsToldOnceAndItsRecoveryOnce(t *testing.T) {
	t.Parallel()
	s, all := play(t, everything(),
		step{0, good, "", ""},
		step{1 * time.Minute, failed, "boom 1", "failure"},
		step{2 * time.Minute, failed, "boom 2", ""},
		step{3 * time.Minute, failed, "boom 3", ""},
		step{4 * time.Minute, good, "", "recovery"},
		step{5 * time.Minute, good, "", ""},
	)
	if got := all[1]; got.Failures != 3 || !got.Since.Equal(noon().Add(time.Minute)) || got.Run != "run-4" {
		t.Errorf("recovery: got %+v, want three failures since 12:01, and the run that succeeded", got)
	}
	if s.Fails != 0 || !s.Since.IsZero() {
		t.Errorf("got the state %+v, want that all is well", s)
	}
}

func TestAFailureIsToldAfterSoManyInARow(t *testing.T) {
	t.Parallel()
	p := everything()
	p.After = 3
	_, all := play(t, p,
		step{1 * time.Minute, failed, "boom", ""},
		step{2 * time.Minute, failed, "boom", ""},
		step{3 * time.Minute, good, "", ""}, // nobody was told of trouble: nobody is told that it is over
		step{4 * time.Minute, failed, "boom", ""},
		step{5 * time.Minute, failed, "another", ""},
		step{6 * time.Minute, failed, "boom", "failure"}, // one message, of the newest
		step{7 * time.Minute, good, "", "recovery"},
	)
	if all[0].Failures != 3 || all[0].Error != "boom" {
		t.Errorf("got %+v, want boom, the third in a row", all[0])
	}
}

func TestWhatIsLostMissedOrLateIsToldAtOnce(t *testing.T) {
	t.Parallel()
	p := everything()
	p.After = 3
	play(t, p,
		step{1 * time.Minute, overdue, "start", "late"},
		step{2 * time.Minute, missed, "", "missed"},
		step{3 * time.Minute, missed, "", ""},
		step{4 * time.Minute, overdue, "start", ""},
		step{5 * time.Minute, overdue, "finish", "late"},
		step{6 * time.Minute, lost, "", "lost"},
		step{7 * time.Minute, lost, "", ""},
		step{8 * time.Minute, good, "", "recovery"},
	)
}

func TestWhatNobodyWantsToKnowIsNotTold(t *testing.T) {
	t.Parallel()
	p := everything()
	p.On = []notify.Kind{notify.Late}
	play(t, p,
		step{1 * time.Minute, failed, "boom", ""},
		step{2 * time.Minute, missed, "", ""},
		step{3 * time.Minute, overdue, "start", "late"},
		step{4 * time.Minute, good, "", ""},
	)
}

func TestAnotherErrorIsToldAndTheSameIsNot(t *testing.T) {
	t.Parallel()
	_, all := play(t, everything(),
		step{1 * time.Minute, failed, "dial tcp 10.0.0.1:5432: refused after 1.2s", "failure"},
		step{2 * time.Minute, failed, "dial tcp 10.0.0.7:5432: refused after 7.9s", ""},
		step{3 * time.Minute, failed, "disk is full", "failure"},
		step{4 * time.Minute, failed, "dial tcp 10.0.0.7:5432: refused after 3s", ""},
	)
	if all[1].Failures != 3 {
		t.Errorf("got %d failures, want 3", all[1].Failures)
	}
}

func TestPeopleAreRemindedWhileNothingBecomesBetter(t *testing.T) {
	t.Parallel()
	p := everything()
	p.Remind = 4 * time.Hour
	s, all := play(t, p,
		step{0, failed, "boom", "failure"},
		step{1 * time.Hour, failed, "boom", ""},
		step{3 * time.Hour, tick, "", ""},
		step{4 * time.Hour, tick, "", "reminder"},
		step{5 * time.Hour, failed, "other", "failure"},
		step{8 * time.Hour, tick, "", ""}, // the last message is three hours old
		step{9 * time.Hour, tick, "", "reminder"},
		step{10 * time.Hour, good, "", "recovery"},
		step{20 * time.Hour, tick, "", ""},
	)
	if got := all[1]; got.Suppressed != 0 || got.Failures != 2 {
		t.Errorf("reminder: got %+v, want two failures", got)
	}
	if got := notify.Due(s, p, noon().Add(20*time.Hour)); !got.IsZero() {
		t.Errorf("got due %v, want never: all is well", got)
	}
}

func TestTheSameFailureIsNotToldAgainSoonAfterARecovery(t *testing.T) {
	t.Parallel()
	p := everything()
	p.Same = time.Hour
	s, _ := play(t, p,
		step{0, failed, "boom", "failure"},
		step{10 * time.Minute, good, "", "recovery"},
		step{20 * time.Minute, failed, "boom", ""},
		step{25 * time.Minute, good, "", ""},
		step{30 * time.Minute, failed, "boom", ""},
	)
	if got, want := notify.Due(s, p, noon().Add(30*time.Minute)), noon().Add(time.Hour); !got.Equal(want) {
		t.Errorf("got due %v, want %v: it is told then if it still fails", got, want)
	}
	play(t, p,
		step{0, failed, "boom", "failure"},
		step{10 * time.Minute, good, "", "recovery"},
		step{20 * time.Minute, failed, "boom", ""},
		step{59 * time.Minute, tick, "", ""},
		step{60 * time.Minute, tick, "", "failure"},
		step{61 * time.Minute, good, "", "recovery"},
		step{3 * time.Hour, failed, "boom", "failure"},
	)
}

func TestSilenceHoldsBackWhatIsStillTrueWhenItEnds(t *testing.T) {
	t.Parallel()
	p := everything()
	p.Remind = 30 * time.Minute
	p.Quiet = []notify.Quiet{{Zone: time.UTC, QuietWindow: config.QuietWindow{From: 13 * 60, To: 15 * 60, Days: [7]bool{time.Sunday: true}}}}
	s, _ := play(t, p,
		step{0, failed, "before", "failure"},
		step{61 * time.Minute, good, "", ""}, // owed
		step{65 * time.Minute, missed, "", ""},
		step{70 * time.Minute, tick, "", ""},
	)
	if got, want := notify.Due(s, p, noon().Add(70*time.Minute)), noon().Add(3*time.Hour); !got.Equal(want) {
		t.Errorf("got due %v, want the end of the silence, %v", got, want)
	}
	play(t, p,
		step{0, failed, "before", "failure"},
		step{61 * time.Minute, good, "", ""},
		step{3 * time.Hour, tick, "", "recovery"},
		step{4 * time.Hour, tick, "", ""},
	)
	play(t, p,
		step{61 * time.Minute, failed, "in the silence", ""},
		step{62 * time.Minute, good, "", ""},
		step{63 * time.Minute, overdue, "start", ""},
		step{3 * time.Hour, tick, "", "late"},
	)
}

func TestAFactThatTwoReplicasSawCountsOnce(t *testing.T) {
	t.Parallel()
	p := everything()
	f := notify.Fact{Sort: missed, Job: "job", Key: "job.20261129T120000Z/missed", At: noon()}
	s, tell, _ := notify.Next(notify.State{}, f, p, noon())
	if len(tell) != 1 {
		t.Fatalf("got %d messages, want 1", len(tell))
	}
	if _, tell, changed := notify.Next(s, f, p, noon().Add(time.Second)); changed || len(tell) != 0 {
		t.Errorf("the second time: got changed %t and %d messages", changed, len(tell))
	}
}

func TestASuccessThatIsOlderThanTheTroubleDoesNotEndIt(t *testing.T) {
	t.Parallel()
	p := everything()
	s, _, _ := notify.Next(notify.State{}, notify.Fact{Sort: failed, Job: "job", Key: "2", At: noon()}, p, noon())
	if _, tell, changed := notify.Next(s, notify.Fact{Sort: good, Job: "job", Key: "1", At: noon().Add(-time.Second)}, p, noon()); changed {
		t.Errorf("an older success ended it: %v", tell)
	}
	s, _, _ = notify.Next(s, notify.Fact{Sort: good, Job: "job", Key: "4", At: noon().Add(time.Minute)}, p, noon())
	if _, tell, _ := notify.Next(s, notify.Fact{Sort: failed, Job: "job", Key: "3", At: noon().Add(30 * time.Second)}, p, noon().Add(2*time.Minute)); len(tell) != 0 {
		t.Errorf("an older failure is told after the recovery: %v", tell)
	}
}

func TestNextChangesNothingThatItWasGiven(t *testing.T) {
	t.Parallel()
	p := everything()
	s, _ := play(t, p, step{0, failed, "a", "failure"}, step{time.Minute, failed, "b", "failure"})
	before := fmt.Sprintf("%+v", s)
	for _, f := range []notify.Fact{{Sort: failed, Key: "x", Error: "a", At: noon().Add(time.Hour)}, {Sort: good, At: noon().Add(time.Hour)}} {
		notify.Next(s, f, p, noon().Add(2*time.Hour))
	}
	if after := fmt.Sprintf("%+v", s); after != before {
		t.Errorf("got\n%s\nwant\n%s", after, before)
	}
}

func TestAStateStaysSmall(t *testing.T) {
	t.Parallel()
	p := everything()
	var s notify.State
	for i := range 1000 {
		word := strings.Repeat(string(rune('a'+i%26)), 1+i%7) + strings.Repeat(string(rune('a'+i%25)), 1+i%5)
		f := notify.Fact{Sort: failed, Job: "job", Key: fmt.Sprint(i), Error: word, At: noon().Add(time.Duration(i) * time.Second)}
		s, _, _ = notify.Next(s, f, p, f.At)
	}
	if len(s.Pages) > 8 || len(s.Seen) > 64 {
		t.Errorf("got %d pages and %d keys", len(s.Pages), len(s.Seen))
	}
}

func TestWhatIsTheSameErrorHasOneSignature(t *testing.T) {
	t.Parallel()
	of := func(text string) string {
		return notify.Signature(notify.Fact{Sort: failed, Verdict: scheduler.Failed, Error: text})
	}
	for _, same := range [][]string{
		{"exit status 1", "exit status 2"},
		{"dial tcp 10.0.0.1:5432: connect: refused", "dial tcp 10.0.0.99:15432: connect: refused"},
		{"request 7f3a9c1e-1b2c-4d5e-8f90-abcdefabcdef failed", "request 00000000-1b2c-4d5e-8f90-abcdefabcdef failed"},
		{"at 2026-11-29T12:00:00Z: late", "at 2027-01-01T00:00:01Z: late"},
		{"row 7 8 9 is bad", "row 7 is bad"},
		{"hash deadbeef", "hash 0badf00d"},
		{"Timed Out", "timed out"},
	} {
		for _, text := range same[1:] {
			if of(text) != of(same[0]) {
				t.Errorf("%q and %q differ: %q, %q", same[0], text, notify.Normalized(same[0]), notify.Normalized(text))
			}
		}
	}
	texts := []string{"disk is full", "disk is slow", "no such table orders", "exit status 1", "", "decade is over"}
	for i, a := range texts {
		for _, b := range texts[i+1:] {
			if of(a) == of(b) {
				t.Errorf("%q and %q are the same", a, b)
			}
		}
	}
	if slices.Contains(strings.Fields(notify.Normalized("facade added")), "#") {
		t.Error("a word of English is taken for a number")
	}
}
