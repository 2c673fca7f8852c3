package notify_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/solocron/solocron/notify"
)

// moody is a store that is away, or whose answers to changes are lost.
type moody struct {
	notify.Store

	away, lose atomic.Bool
}

var errAway = errors.New("the store is away")

func (m *moody) Load(ctx context.Context, jobs []string) ([]notify.Record, error) {
	if m.away.Load() {
		return nil, errAway
	}
	return m.Store.Load(ctx, jobs)
}

func (m *moody) Swap(ctx context.Context, changes []notify.Change) ([]bool, int, error) {
	swapped, dropped, err := m.Store.Swap(ctx, changes)
	if m.lose.Load() {
		return nil, 0, errAway
	}
	return swapped, dropped, err
}

func (m *moody) Take(ctx context.Context, c notify.Call) (notify.Taken, error) {
	if m.away.Load() {
		return notify.Taken{}, errAway
	}
	return m.Store.Take(ctx, c)
}

func TestSuccessesOfAJobAreOneWhileTheyWait(t *testing.T) {
	t.Parallel()
	q := notify.NewFacts()
	put := func(job string, s notify.Sort, key string) { q.Put(notify.Fact{Job: job, Sort: s, Key: key}) }
	take := func(n int) []string {
		var keys []string
		list, _ := q.Take(n)
		for _, f := range list {
			keys = append(keys, f.Key)
		}
		return keys
	}
	put("a", good, "a1")
	put("b", good, "b1")
	put("a", good, "a2")
	put("a", failed, "a3")
	put("a", good, "a4")
	put("a", good, "a5")
	if got, want := take(2), []string{"a2", "b1"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	put("b", good, "b2")
	put("a", good, "a6")
	if got, want := take(9), []string{"a3", "a6", "b2"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	put("a", good, "a7")
	if got, want := take(9), []string{"a7"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAQueueThatIsFullSaysHowManyItDropped(t *testing.T) {
	t.Parallel()
	q := notify.NewFacts()
	for i := range notify.MaxFacts + 7 {
		q.Put(notify.Fact{Job: fmt.Sprint(i % 5000), Sort: failed, Key: fmt.Sprint(i)})
	}
	list, dropped := q.Take(notify.MaxFacts)
	if len(list) != notify.MaxFacts || dropped != 7 {
		t.Errorf("got %d and %d dropped, want %d and 7", len(list), dropped, notify.MaxFacts)
	}
	if _, dropped := q.Take(1); dropped != 0 {
		t.Errorf("got %d dropped the second time, want none", dropped)
	}
}

func TestWhatIsMoreThanARateGoesTogether(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		messages, deliveries int
		want                 []int
	}{{0, 0, nil}, {3, 3, []int{1, 1, 1}}, {5, 3, []int{1, 1, 3}}, {5, 1, []int{5}}} {
		if got := notify.Shares(c.messages, c.deliveries); !slices.Equal(got, c.want) {
			t.Errorf("%d in %d: got %v, want %v", c.messages, c.deliveries, got, c.want)
		}
	}
	d := failure()
	d.Messages = append(d.Messages, d.Messages[0])
	if got := d.Title(); got != "2 messages about nightly-report" {
		t.Errorf("got %q", got)
	}
}
