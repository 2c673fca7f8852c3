package election_test

import (
	"testing"

	"github.com/solocron/solocron/election"
)

func TestARingWakesTheOneThatHasWaitedLongest(t *testing.T) {
	t.Parallel()
	h := new(election.LocalHints)
	h.Ring("k") // for nobody: it is lost
	var rungs [3]<-chan struct{}
	var stops [3]func()
	for i := range rungs {
		rungs[i], stops[i] = h.Wait(t.Context(), "k")
	}
	woken := func() (n int) {
		for i := range rungs {
			n = 10*n + len(rungs[i])
		}
		return n
	}
	h.Ring("other")
	for _, want := range []int{100, 110} {
		if h.Ring("k"); woken() != want {
			t.Errorf("woken %03d, want %03d", woken(), want)
		}
	}
	stops[0]() // without having taken its ring: it goes to the next
	if got := woken(); got != 11 {
		t.Errorf("woken %03d, want 011", got)
	}
	stops[1]()
	stops[2]()
	if got := h.Waiting("k"); got != 0 {
		t.Errorf("%d still wait", got)
	}
}
