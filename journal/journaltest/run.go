package journaltest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
)

// Members is what the suite tests.
type Members interface {
	Run(ctx context.Context, news func(scheduler.News)) error
	Live() []string
	Announce(ctx context.Context, n scheduler.News) error
	Replicas(ctx context.Context) ([]journal.Replica, error)
	Drain()
	SetOffset(d time.Duration)
	SetRevision(revision string)
}

// Cluster makes the view of one more replica of the same cluster.
type Cluster func(self journal.Replica) Members

// Bound is how soon news, joiners and leavers must be known everywhere.
const Bound = 3 * time.Second

// Run runs the suite. Open makes an empty cluster. In a bubble time is fake.
func Run(t *testing.T, bubble bool, open func(t *testing.T) Cluster) {
	t.Helper()
	checks := map[string]func(context.Context, Cluster) error{
		"SelfIsAlwaysLive":                    selfLives,
		"JoinersAreSeenAndLeaversForgotten":   joinAndLeave,
		"NewsArriveAtOthersAndNotAtTheSender": newsArrive,
		"ManyTicksArriveWhole":                manyTicks,
		"ABellArrivesWithAndWithoutTicks":     bellArrives,
		"ReplicasTellOfThemselves":            tellOfThemselves,
		"AReplicaThatDrainsTakesNoTicks":      drains,
	}
	for name, check := range checks {
		t.Run(name, func(t *testing.T) {
			run := func(t *testing.T) {
				if err := check(t.Context(), open(t)); err != nil {
					t.Error(err)
				}
			}
			if bubble {
				synctest.Test(t, run)
				return
			}
			run(t)
		})
	}
}

// replica is one running view with what it has heard.
type replica struct {
	Members
	stop  context.CancelFunc
	ended chan error
	mu    sync.Mutex
	heard []scheduler.News
}

func start(ctx context.Context, c Cluster, id string) *replica {
	return startAs(ctx, c, journal.Replica{ID: id, Version: "1", Started: time.Now()})
}

func startAs(ctx context.Context, c Cluster, self journal.Replica) *replica {
	ctx, stop := context.WithCancel(ctx)
	r := &replica{Members: c(self), stop: stop, ended: make(chan error, 1)}
	go func() {
		r.ended <- r.Run(ctx, func(n scheduler.News) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.heard = append(r.heard, n)
		})
	}()
	return r
}

func (r *replica) end() error {
	r.stop()
	select {
	case err := <-r.ended:
		return err
	case <-time.After(2 * Bound):
		return errors.New("Run did not return after its context ended")
	}
}

func (r *replica) news() []scheduler.News {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.heard)
}

// soon polls until ok holds.
func soon(what string, ok func() bool) error {
	for end := time.Now().Add(Bound); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("not within %s: %s", Bound, what)
		}
	}
	return nil
}

func sees(r *replica, ids ...string) error {
	err := soon(fmt.Sprintf("live %v", ids), func() bool { return slices.Equal(r.Live(), ids) })
	if err != nil {
		return fmt.Errorf("%w, but %v", err, r.Live())
	}
	return nil
}

func selfLives(ctx context.Context, c Cluster) error {
	idle := c(journal.Replica{ID: "idle"})
	if got := idle.Live(); !slices.Equal(got, []string{"idle"}) {
		return fmt.Errorf("before Run: live %v, want [idle]", got)
	}
	r := start(ctx, c, "a")
	return errors.Join(sees(r, "a"), r.end(), sees(r, "a"))
}

func joinAndLeave(ctx context.Context, c Cluster) error {
	b := start(ctx, c, "b")
	if err := sees(b, "b"); err != nil {
		return err
	}
	a, d := start(ctx, c, "a"), start(ctx, c, "d")
	err := errors.Join(sees(a, "a", "b", "d"), sees(b, "a", "b", "d"), sees(d, "a", "b", "d"))
	return errors.Join(err, b.end(), sees(a, "a", "d"), sees(d, "a", "d"), a.end(), sees(d, "d"), d.end())
}

// listening waits until both hear each other: what is said before is lost.
func listening(ctx context.Context, a, b *replica) error {
	hello := func(from, to *replica, name string) error {
		return soon(name+" is heard", func() bool {
			_ = from.Announce(ctx, scheduler.News{From: name, Ticks: []scheduler.TickRef{{Job: "hello", At: time.UnixMilli(1)}}})
			time.Sleep(20 * time.Millisecond)
			return len(to.news()) > 0
		})
	}
	return errors.Join(hello(a, b, "a"), hello(b, a, "b"))
}

func newsArrive(ctx context.Context, c Cluster) error {
	a, b := start(ctx, c, "a"), start(ctx, c, "b")
	if err := listening(ctx, a, b); err != nil {
		return errors.Join(err, a.end(), b.end())
	}
	at := time.Date(2026, 3, 1, 2, 3, 4, 5e6, time.UTC)
	want := scheduler.News{From: "a", Ticks: []scheduler.TickRef{{Job: "näme {x}", At: at}, {Job: "two", At: at.Add(time.Hour)}}}
	err := a.Announce(ctx, want)
	err = errors.Join(err, soon("the news", func() bool {
		heard := b.news()
		return len(heard) > 0 && reflect.DeepEqual(heard[len(heard)-1], want)
	}))
	for _, n := range a.news() {
		if n.From == "a" {
			err = errors.Join(err, errors.New("the sender hears its own news"))
		}
	}
	return errors.Join(err, a.end(), b.end())
}

func manyTicks(ctx context.Context, c Cluster) error {
	a, b := start(ctx, c, "a"), start(ctx, c, "b")
	if err := listening(ctx, a, b); err != nil {
		return errors.Join(err, a.end(), b.end())
	}
	const n = 5001
	news := scheduler.News{From: "a", Ticks: make([]scheduler.TickRef, n)}
	for i := range news.Ticks {
		news.Ticks[i] = scheduler.TickRef{Job: fmt.Sprintf("job-%d", i), At: time.UnixMilli(int64(i) + 1).UTC()}
	}
	count := func() (ticks int) {
		for _, h := range b.news() {
			for _, t := range h.Ticks {
				if t.Job != "hello" {
					ticks++
				}
			}
		}
		return ticks
	}
	err := a.Announce(ctx, news)
	return errors.Join(err, soon("all ticks", func() bool { return count() == n }), a.end(), b.end())
}
