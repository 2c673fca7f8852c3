package notifytest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solocron/solocron/notify"
)

// Run runs the suite. Open makes a store that holds nothing, each time another.
func Run(t *testing.T, open func(t *testing.T) notify.Store) {
	for name, test := range map[string]func(*testing.T, notify.Store){
		"a record that there is not is zero":             absent,
		"a swap needs the version that is there":         versions,
		"of many that swap at once one does":             race,
		"swaps in one call are each alone":               alone,
		"due are those whose moment has come":            due,
		"a message is taken once while it is held":       held,
		"a message is tried again when it is to be":      again,
		"a message is there only if its change is":       together,
		"channels do not see each other's messages":      channels,
		"a full outbox drops what is new":                full,
		"a rate leaves the rest for one delivery":        rate,
		"a rate is that of a window and of a channel":    windows,
		"settling what is not there changes nothing":     stranger,
		"records and messages are kept byte for byte":    bytes,
		"of many that take at once each has another one": takers,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

// start is the moment at which stories begin; its seconds are 0, as windows begin.
func start() time.Time { return time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC) }

func load(t *testing.T, s notify.Store, jobs ...string) []notify.Record {
	t.Helper()
	got, err := s.Load(t.Context(), jobs)
	if err != nil || len(got) != len(jobs) {
		t.Fatalf("load: got %d records and %v, want %d", len(got), err, len(jobs))
	}
	return got
}

func swap(t *testing.T, s notify.Store, changes ...notify.Change) ([]bool, int) {
	t.Helper()
	got, dropped, err := s.Swap(t.Context(), changes)
	if err != nil || len(got) != len(changes) {
		t.Fatalf("swap: got %v and %v, want %d answers", got, err, len(changes))
	}
	return got, dropped
}

func absent(t *testing.T, s notify.Store) {
	for _, r := range load(t, s, "a", "b") {
		if r.Version != 0 || len(r.Data) != 0 {
			t.Errorf("got %+v, want nothing", r)
		}
	}
	load(t, s)
	swap(t, s)
}

func versions(t *testing.T, s notify.Store) {
	steps := []struct {
		version int64
		data    string
		ok      bool
	}{{1, "x", false}, {0, "one", true}, {0, "two", false}, {1, "three", true}, {1, "four", false}, {2, "five", true}}
	for i, step := range steps {
		got, _ := swap(t, s, notify.Change{Job: "a", Version: step.version, Data: []byte(step.data), Made: start()})
		if got[0] != step.ok {
			t.Errorf("step %d, version %d: got %t, want %t", i, step.version, got[0], step.ok)
		}
	}
	if got := load(t, s, "b", "a")[1]; got.Version != 3 || string(got.Data) != "five" {
		t.Errorf("got %d %q, want 3 five", got.Version, got.Data)
	}
}

func race(t *testing.T, s notify.Store) {
	const rivals = 8
	var wins atomic.Int64
	var wg sync.WaitGroup
	for i := range rivals {
		wg.Go(func() {
			got, _, err := s.Swap(t.Context(), []notify.Change{{Job: "a", Data: fmt.Append(nil, i), Made: start(), Out: []notify.Out{{ID: fmt.Sprint(i), Channel: "ops", Data: []byte("x")}}}})
			if err != nil {
				t.Error(err)
			} else if got[0] {
				wins.Add(1)
			}
		})
	}
	wg.Wait()
	if got := wins.Load(); got != 1 {
		t.Errorf("got %d that swapped, want 1", got)
	}
	if got := take(t, s, call("ops", start())); len(got.Items) != 1 {
		t.Errorf("got %d messages, want the one of the change that was made", len(got.Items))
	}
}

func alone(t *testing.T, s notify.Store) {
	swap(t, s, notify.Change{Job: "b", Data: []byte("old"), Made: start()})
	got, _ := swap(t, s,
		notify.Change{Job: "a", Data: []byte("new"), Made: start()},
		notify.Change{Job: "b", Data: []byte("new"), Made: start()},
		notify.Change{Job: "c", Data: []byte("new"), Made: start()})
	if want := []bool{true, false, true}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for i, want := range []string{"new", "old", "new"} {
		if got := load(t, s, "a", "b", "c")[i]; string(got.Data) != want {
			t.Errorf("record %d: got %q, want %q", i, got.Data, want)
		}
	}
}

func due(t *testing.T, s notify.Store) {
	at := func(seconds int) time.Time { return start().Add(time.Duration(seconds) * time.Second) }
	swap(t, s,
		notify.Change{Job: "late", Data: []byte("x"), Due: at(20), Made: start()},
		notify.Change{Job: "soon", Data: []byte("x"), Due: at(10), Made: start()},
		notify.Change{Job: "never", Data: []byte("x"), Made: start()})
	for _, c := range []struct {
		now   time.Time
		limit int
		want  []string
	}{{at(9), 9, nil}, {at(10), 9, []string{"soon"}}, {at(30), 9, []string{"soon", "late"}}, {at(30), 1, []string{"soon"}}} {
		got, err := s.Due(t.Context(), c.now, c.limit)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("at %v: got %v and %v, want %v", c.now, got, err, c.want)
		}
	}
	swap(t, s, notify.Change{Job: "soon", Version: 1, Data: []byte("y"), Made: start()})
	if got, err := s.Due(t.Context(), at(30), 9); err != nil || !slices.Equal(got, []string{"late"}) {
		t.Errorf("once it is done with: got %v and %v, want late alone", got, err)
	}
}

func bytes(t *testing.T, s notify.Store) {
	odd := []byte("\x00\xff\r\n{\"a\":\"ü\"}\x00")
	swap(t, s, notify.Change{Job: "a", Data: odd, Made: start(), Out: []notify.Out{{ID: "1", Channel: "ops", Data: odd}}})
	if got := load(t, s, "a")[0]; !slices.Equal(got.Data, odd) {
		t.Errorf("record: got %q, want %q", got.Data, odd)
	}
	if got := take(t, s, call("ops", start())); len(got.Items) != 1 || !slices.Equal(got.Items[0].Data, odd) || !got.Items[0].Made.Equal(start()) {
		t.Errorf("message: got %+v, want %q of %v", got, odd, start())
	}
}
