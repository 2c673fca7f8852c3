package journal_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

// fickle is batches whose store can be away, stall, or lose everything.
type fickle struct {
	mu    sync.Mutex
	real  *memjournal.Batches
	err   error         // of every call
	stall time.Duration // after which the next Await hands over what it has read
}

func newFickle() *fickle { return &fickle{real: memjournal.NewBatches()} }

func (f *fickle) set(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

func (f *fickle) wipe() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.real = memjournal.NewBatches()
}

func (f *fickle) now() (*memjournal.Batches, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.real, f.err
}

func (f *fickle) Append(ctx context.Context, data []byte) error {
	b, err := f.now()
	if err != nil {
		<-ctx.Done()
		return err
	}
	return b.Append(ctx, data)
}

func (f *fickle) Last(ctx context.Context) (journal.Batch, bool, error) {
	b, err := f.now()
	if err != nil {
		return journal.Batch{}, false, err
	}
	return b.Last(ctx)
}

func (f *fickle) From(ctx context.Context, id journal.BatchID, limit int) ([]journal.Batch, error) {
	b, err := f.now()
	if err != nil {
		return nil, err
	}
	return b.From(ctx, id, limit)
}

func (f *fickle) Await(ctx context.Context, after journal.BatchID, limit int, wait time.Duration) ([]journal.Batch, error) {
	b, err := f.now()
	if err != nil {
		return nil, err
	}
	got, err := b.Await(ctx, after, limit, wait)
	f.mu.Lock()
	stall := f.stall
	f.stall = 0
	f.mu.Unlock()
	time.Sleep(stall)
	return got, err
}

var errAway = errors.New("connection refused")

// feeding runs f until stop is called.
func feeding(t *testing.T, f *journal.Feed) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	return sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// heard collects what is handed on.
type heard struct {
	mu     sync.Mutex
	told   []journal.Told
	pulses int
}

func (h *heard) take(told []journal.Told) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told = append(h.told, told...)
	if len(told) == 0 {
		h.pulses++
	}
	return nil
}

func (h *heard) beats() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.pulses
}

// counts is how many of each phase were told, and how many were counted in bursts.
func (h *heard) counts() (phases, bursts map[string]int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	phases, bursts = map[string]int{}, map[string]int{}
	for _, one := range h.told {
		phases[one.Phase]++
		for word, n := range one.Counts {
			bursts[word] += n
		}
	}
	return phases, bursts
}

// following follows f from the beginning; wait returns why it ended.
func following(t *testing.T, f *journal.Feed) (h *heard, wait func() error) {
	t.Helper()
	h = new(heard)
	ended := make(chan error, 1)
	go func() { ended <- f.Follow(t.Context(), journal.Place{}, h.take) }()
	return h, func() error { return <-ended }
}

func started(n int) journal.Happening {
	return journal.Happening{Topic: journal.AboutRun, Phase: "started", Run: fmt.Sprintf("job.20261129T0130%02dZ", n%60)}
}

func TestABurstIsToldInOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := journal.NewFeed(memjournal.NewBatches(), "a")
		stop := feeding(t, f)
		h, wait := following(t, f)
		time.Sleep(time.Second)
		for n := range 2000 {
			f.Say(started(n))
		}
		f.Say(journal.Happening{Topic: journal.AboutRun, Phase: "ended", Verdict: scheduler.Failed})
		time.Sleep(2 * time.Second)
		f.Say(journal.Happening{Topic: journal.AboutJob, Phase: journal.Paused})
		time.Sleep(time.Second)
		phases, bursts := h.counts()
		if phases["started"] != journal.FeedRate || bursts["started"] != 2000-journal.FeedRate || bursts["failed"] != 1 || phases[journal.Burst] != 1 {
			t.Errorf("got %v, counted %v; want %d told", phases, bursts, journal.FeedRate)
		}
		if phases[journal.Paused] != 1 {
			t.Errorf("a second later: got %v, want that all is told again", phases)
		}
		if got := f.Tallied(); got != 1501 {
			t.Errorf("tallied: got %d, want 1501", got)
		}
		stop()
		if err := wait(); !errors.Is(err, journal.ErrFeedEnded) {
			t.Errorf("when the feed ends: got %v", err)
		}
	})
}

func TestNobodyWaitsForAStoreThatIsAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newFickle()
		store.set(errAway)
		f := journal.NewFeed(store, "a")
		stop := feeding(t, f)
		h, wait := following(t, f)
		begin := time.Now()
		for range 60 {
			for n := range 100 {
				f.Say(started(n))
			}
			synctest.Wait()
			time.Sleep(time.Second)
		}
		if took := time.Since(begin); took != time.Minute {
			t.Errorf("telling took %v of a minute", took-time.Minute)
		}
		if n := h.beats(); n < 5 {
			t.Errorf("got %d pulses in a minute, want one every 5 to 10 s", n)
		}
		store.set(nil)
		time.Sleep(20 * time.Second)
		phases, bursts := h.counts()
		if phases["started"] < 1000 || phases["started"] > 1200 || phases["started"]+bursts["started"] != 6000 {
			t.Errorf("got %v, counted %v; want about 1000, and 6000 together", phases, bursts)
		}
		stop()
		_ = wait()
	})
}

func TestProgressCrowdsOutNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := journal.NewFeed(memjournal.NewBatches(), "a")
		stop := feeding(t, f)
		h, wait := following(t, f)
		for n := range 1000 { // a run that tells more than it may
			f.Observe(scheduler.Event{
				Phase: scheduler.Noted, Tick: scheduler.Tick{Job: "job", At: time.Unix(1, 0)}, Note: fmt.Sprint(n),
				Run: jobs.Run{ID: "job.19700101T000001Z"},
			})
			time.Sleep(time.Millisecond)
		}
		for n := range 400 { // more runs than may
			f.Observe(scheduler.Event{Phase: scheduler.Noted, Tick: scheduler.Tick{Job: "job", At: time.Unix(int64(60+n), 0)}})
		}
		for n := range 250 {
			f.Say(started(n))
		}
		time.Sleep(time.Second)
		phases, bursts := h.counts()
		if phases["started"] != 250 || phases["noted"] < 255 || phases["noted"] > 265 || bursts["noted"] != 150 {
			t.Errorf("got %v, counted %v; want 250 starts, and notes: 10 of one run and 250 of the rest", phases, bursts)
		}
		last := ""
		for _, one := range h.told {
			if one.Run == "job.19700101T000001Z" && one.Phase == "noted" {
				last = one.Note
			}
		}
		if last != "999" {
			t.Errorf("the last note is %q, want 999", last)
		}
		stop()
		_ = wait()
	})
}

func TestWhoIsTooSlowIsSentAwayAndNobodyWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := journal.NewFeed(memjournal.NewBatches(), "a")
		stop := feeding(t, f)
		h, wait := following(t, f)
		stuck, slow := make(chan struct{}), make(chan error, 1)
		go func() {
			slow <- f.Follow(t.Context(), journal.Place{}, func([]journal.Told) error { <-stuck; return nil })
		}()
		time.Sleep(time.Second)
		for n := range 400 {
			f.Say(started(n))
			time.Sleep(journal.FeedEvery)
		}
		time.Sleep(time.Second)
		if phases, _ := h.counts(); phases["started"] != 400 {
			t.Errorf("the other heard %v, want 400", phases)
		}
		close(stuck)
		if err := <-slow; !errors.Is(err, journal.ErrFeedSlow) {
			t.Errorf("got %v, want %v", err, journal.ErrFeedSlow)
		}
		stop()
		_ = wait()
	})
}

func TestAStoreThatLostWhatWasKeptIsAGap(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*fickle){
		"while it was away": func(s *fickle) {
			s.set(errAway)
			time.Sleep(time.Second)
			s.wipe()
			time.Sleep(6 * time.Second)
			s.set(nil)
		},
		"while this process stood still": func(s *fickle) {
			s.mu.Lock()
			s.stall = 10 * time.Second
			s.mu.Unlock()
			time.Sleep(5 * time.Second)
			s.wipe()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := newFickle()
				f := journal.NewFeed(store, "a")
				stop := feeding(t, f)
				_, wait := following(t, f)
				f.Say(started(1))
				time.Sleep(time.Second)
				lose(store)
				f.Say(started(2))
				if err := wait(); !errors.Is(err, journal.ErrFeedGap) {
					t.Errorf("got %v, want %v", err, journal.ErrFeedGap)
				}
				stop()
			})
		})
	}
}

func TestAnOutageWithoutALossIsNoGap(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newFickle()
		f := journal.NewFeed(store, "a")
		stop := feeding(t, f)
		h, wait := following(t, f)
		f.Say(started(1))
		time.Sleep(time.Second)
		store.set(errAway)
		f.Say(started(2))
		time.Sleep(time.Minute)
		store.set(nil)
		time.Sleep(10 * time.Second)
		if phases, _ := h.counts(); phases["started"] != 2 {
			t.Errorf("got %v, want both", phases)
		}
		stop()
		if err := wait(); !errors.Is(err, journal.ErrFeedEnded) {
			t.Errorf("got %v", err)
		}
	})
}

func TestTheLastWordsOfAReplicaAreWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newFickle()
		f := journal.NewFeed(store, "a")
		stop := feeding(t, f)
		for n := range 200 {
			f.Say(started(n))
		}
		f.Say(journal.Happening{Topic: journal.AboutReplica, Phase: journal.Left})
		stop()
		f.Say(started(0)) // too late, and does no harm
		other := journal.NewFeed(store, "b")
		stopOther := feeding(t, other)
		h, wait := following(t, other)
		time.Sleep(time.Second)
		if phases, _ := h.counts(); phases["started"] != 200 || phases[journal.Left] != 1 {
			t.Errorf("got %v", phases)
		}
		stopOther()
		_ = wait()
		if err := f.Follow(t.Context(), journal.Place{}, h.take); !errors.Is(err, journal.ErrFeedEnded) {
			t.Errorf("after the end: got %v", err)
		}
	})
}

func TestAStoreThatIsAwayDelaysTheEndByTwoSeconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newFickle()
		store.set(errAway)
		f := journal.NewFeed(store, "a")
		stop := feeding(t, f)
		f.Say(started(1))
		time.Sleep(10 * time.Second)
		begin := time.Now()
		stop()
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// BenchmarkObserve is what an event of a run costs the run.
func BenchmarkObserve(b *testing.B) {
	f := journal.NewFeed(memjournal.NewBatches(), "scheduler-7c9d8b5f4-x2x9k-a1b2c3")
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	tick := scheduler.Tick{Job: "nightly-report", At: time.Unix(1_796_000_000, 0)}
	e := scheduler.Event{Phase: scheduler.Started, At: time.Now(), Replica: "scheduler-7c9d8b5f4-x2x9k-a1b2c3", Tick: tick, Run: jobs.Run{ID: tick.ID(), Token: 41}}
	b.ReportAllocs()
	for b.Loop() {
		f.Observe(e)
	}
	cancel()
	<-ended
}
