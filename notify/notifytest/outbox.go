package notifytest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/solocron/solocron/notify"
)

func call(channel string, now time.Time) notify.Call {
	return notify.Call{Channel: channel, Now: now, Hold: time.Minute, Most: 100, Rate: 1000, Window: time.Minute}
}

func take(t *testing.T, s notify.Store, c notify.Call) notify.Taken {
	t.Helper()
	got, err := s.Take(t.Context(), c)
	if err != nil {
		t.Fatalf("take: %v", err)
	}
	return got
}

// put puts messages with these IDs into the outbox.
func put(t *testing.T, s notify.Store, channel string, ids ...string) {
	t.Helper()
	c := notify.Change{Job: channel + "/" + ids[0], Data: []byte("x"), Made: start()}
	for _, id := range ids {
		c.Out = append(c.Out, notify.Out{ID: id, Channel: channel, Data: []byte("message " + id)})
	}
	if got, dropped := swap(t, s, c); !got[0] || dropped != 0 {
		t.Fatalf("put: got %v, %d dropped", got, dropped)
	}
}

// tries lists what was taken as id:try.
func tries(taken notify.Taken) []string {
	var list []string
	for _, it := range taken.Items {
		list = append(list, fmt.Sprintf("%s:%d", it.ID, it.Try))
	}
	slices.Sort(list)
	return list
}

func want(t *testing.T, when string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", when, got, want)
	}
}

func held(t *testing.T, s notify.Store) {
	put(t, s, "ops", "a", "b")
	want(t, "before it is made", tries(take(t, s, call("ops", start().Add(-time.Second)))))
	want(t, "at first", tries(take(t, s, call("ops", start()))), "a:1", "b:1")
	want(t, "while it is held", tries(take(t, s, call("ops", start().Add(59*time.Second)))))
	if err := s.Settle(t.Context(), "ops", []notify.End{{ID: "a"}}); err != nil {
		t.Fatal(err)
	}
	want(t, "when it is free again", tries(take(t, s, call("ops", start().Add(time.Minute)))), "b:2")
}

func again(t *testing.T, s notify.Store) {
	put(t, s, "ops", "a")
	take(t, s, call("ops", start()))
	for range 2 { // it may be said twice
		if err := s.Settle(t.Context(), "ops", []notify.End{{ID: "a", Again: start().Add(5 * time.Minute)}}); err != nil {
			t.Fatal(err)
		}
	}
	want(t, "before", tries(take(t, s, call("ops", start().Add(4*time.Minute)))))
	want(t, "then", tries(take(t, s, call("ops", start().Add(5*time.Minute)))), "a:2")
}

func together(t *testing.T, s notify.Store) {
	got, _ := swap(t, s, notify.Change{Job: "a", Version: 7, Data: []byte("x"), Made: start(), Out: []notify.Out{{ID: "1", Channel: "ops"}}})
	if got[0] {
		t.Error("a change of a version that is not there was made")
	}
	want(t, "after it", tries(take(t, s, call("ops", start()))))
}

func channels(t *testing.T, s notify.Store) {
	put(t, s, "ops", "a")
	put(t, s, "mail", "a", "b")
	want(t, "ops", tries(take(t, s, call("ops", start()))), "a:1")
	if err := s.Settle(t.Context(), "ops", []notify.End{{ID: "a"}, {ID: "b"}}); err != nil {
		t.Fatal(err)
	}
	want(t, "mail", tries(take(t, s, call("mail", start()))), "a:1", "b:1")
}

func full(t *testing.T, s notify.Store) {
	c := notify.Change{Job: "a", Data: []byte("x"), Made: start()}
	for i := range notify.MaxOutbox + 3 {
		c.Out = append(c.Out, notify.Out{ID: fmt.Sprintf("%05d", i), Channel: "ops", Data: []byte("x")})
	}
	if _, dropped := swap(t, s, c); dropped != 3 {
		t.Errorf("got %d dropped, want 3", dropped)
	}
	first := call("ops", start())
	first.Most = 10
	taken := take(t, s, first)
	if len(taken.Items) != 10 {
		t.Fatalf("got %d, want 10", len(taken.Items))
	}
	var ends []notify.End
	for _, it := range taken.Items {
		ends = append(ends, notify.End{ID: it.ID})
	}
	if err := s.Settle(t.Context(), "ops", ends); err != nil {
		t.Fatal(err)
	}
	c.Version, c.Out = 1, []notify.Out{{ID: "new", Channel: "ops", Data: []byte("x")}}
	if got, dropped := swap(t, s, c); !got[0] || dropped != 0 {
		t.Errorf("when there is room again: got %v and %d dropped", got, dropped)
	}
}

func rate(t *testing.T, s notify.Store) {
	put(t, s, "ops", "a", "b", "c", "d", "e")
	c := call("ops", start())
	c.Rate = 3
	taken := take(t, s, c)
	if len(taken.Items) != 5 || taken.Deliveries != 3 {
		t.Errorf("got %d messages in %d deliveries, want 5 in 3", len(taken.Items), taken.Deliveries)
	}
	put(t, s, "ops", "f")
	if got := take(t, s, c); len(got.Items) != 0 || got.Deliveries != 0 {
		t.Errorf("with nothing left: got %+v", got)
	}
	c.Now = start().Add(time.Minute - time.Millisecond)
	want(t, "in the same window", tries(take(t, s, c)))
}

func windows(t *testing.T, s notify.Store) {
	put(t, s, "ops", "a")
	put(t, s, "mail", "a")
	c := call("ops", start())
	c.Rate = 1
	want(t, "ops", tries(take(t, s, c)), "a:1")
	c.Channel = "mail"
	want(t, "mail", tries(take(t, s, c)), "a:1")
	put(t, s, "ops", "b")
	c.Channel, c.Now, c.Hold = "ops", start().Add(30*time.Second), 2*time.Minute
	want(t, "in the same window", tries(take(t, s, c)))
	c.Now = start().Add(time.Minute)
	taken := take(t, s, c)
	want(t, "in the next", tries(taken), "a:2", "b:1")
	if taken.Deliveries != 1 {
		t.Errorf("got %d deliveries, want 1: the rate", taken.Deliveries)
	}
}

func stranger(t *testing.T, s notify.Store) {
	put(t, s, "ops", "a")
	if err := s.Settle(t.Context(), "ops", []notify.End{{ID: "x"}, {ID: "y", Again: start()}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Settle(t.Context(), "ops", nil); err != nil {
		t.Fatal(err)
	}
	want(t, "after it", tries(take(t, s, call("ops", start().Add(time.Hour)))), "a:1")
}

func takers(t *testing.T, s notify.Store) {
	var ids []string
	for i := range 40 {
		ids = append(ids, fmt.Sprintf("%02d", i))
	}
	put(t, s, "ops", ids...)
	var mu sync.Mutex
	var got []string
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			c := call("ops", start())
			c.Most = 5
			taken, err := s.Take(t.Context(), c)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			for _, it := range taken.Items {
				got = append(got, it.ID)
			}
		})
	}
	wg.Wait()
	slices.Sort(got)
	want(t, "together", got, ids...)
}
