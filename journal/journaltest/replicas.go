package journaltest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/solocron/solocron/journal"
)

func bellArrives(ctx context.Context, c Cluster) error {
	a, b := start(ctx, c, "a"), start(ctx, c, "b")
	if err := listening(ctx, a, b); err != nil {
		return errors.Join(err, a.end(), b.end())
	}
	var errs []error
	for _, want := range []scheduler.News{
		{From: "a", Bell: true},
		{From: "a", Bell: true, Ticks: []scheduler.TickRef{{Job: "job", At: time.UnixMilli(5).UTC()}}},
		{From: "a", Ticks: []scheduler.TickRef{{Job: "job", At: time.UnixMilli(6).UTC()}}},
	} {
		errs = append(errs, a.Announce(ctx, want), soon(fmt.Sprintf("news %+v", want), func() bool {
			heard := b.news()
			return len(heard) > 0 && reflect.DeepEqual(heard[len(heard)-1], want)
		}))
	}
	for _, n := range a.news() {
		if n.Bell {
			errs = append(errs, errors.New("the sender hears its own bell"))
		}
	}
	return errors.Join(append(errs, a.end(), b.end())...)
}

func tellOfThemselves(ctx context.Context, c Cluster) error {
	a := startAs(ctx, c, journal.Replica{ID: "a", Version: "v1 <ü>", Started: time.UnixMilli(1e12).UTC(), Revision: "r1", Offset: 7 * time.Microsecond})
	b := startAs(ctx, c, journal.Replica{ID: "b"})
	errs := []error{sees(a, "a", "b"), lists(ctx, b,
		journal.Replica{ID: "a", Version: "v1 <ü>", Started: time.UnixMilli(1e12).UTC(), Revision: "r1", Offset: 7 * time.Microsecond},
		journal.Replica{ID: "b"},
	)}
	b.SetOffset(-3 * time.Millisecond)
	b.SetRevision("r2") // at once
	errs = append(errs, lists(ctx, a,
		journal.Replica{ID: "a", Version: "v1 <ü>", Started: time.UnixMilli(1e12).UTC(), Revision: "r1", Offset: 7 * time.Microsecond},
		journal.Replica{ID: "b", Revision: "r2", Offset: -3 * time.Millisecond},
	))
	d := startAs(ctx, c, journal.Replica{ID: "c"}) // at which the others tell of themselves again
	errs = append(errs, sees(b, "a", "b", "c"), a.end(), lists(ctx, d,
		journal.Replica{ID: "b", Revision: "r2", Offset: -3 * time.Millisecond},
		journal.Replica{ID: "c"},
	))
	return errors.Join(append(errs, b.end(), d.end())...)
}

// drains has one replica take nothing more: it is gone for those who ask who
// takes ticks, at once, and still there for those who ask who there is.
func drains(ctx context.Context, c Cluster) error {
	a, b := startAs(ctx, c, journal.Replica{ID: "a"}), startAs(ctx, c, journal.Replica{ID: "b"})
	errs := []error{sees(a, "a", "b"), sees(b, "a", "b")}
	a.Drain()
	errs = append(errs, sees(b, "b"), sees(a, "a", "b"), lists(ctx, b, journal.Replica{ID: "a", Draining: true}, journal.Replica{ID: "b"}))
	errs = append(errs, a.end(), lists(ctx, b, journal.Replica{ID: "b"}))
	return errors.Join(append(errs, b.end())...)
}

// lists waits until r lists just these replicas, seen of late.
func lists(ctx context.Context, r *replica, want ...journal.Replica) error {
	var got []journal.Replica
	var err error
	soonErr := soon("replicas", func() bool {
		if got, err = r.Replicas(ctx); err != nil {
			return false
		}
		for i := range got {
			if d := time.Since(got[i].LastSeen); d > -Bound && d < 2*Bound {
				got[i].LastSeen = time.Time{}
			}
		}
		return reflect.DeepEqual(got, want)
	})
	if soonErr != nil {
		return errors.Join(fmt.Errorf("%w: got %+v, want %+v", soonErr, got, want), err)
	}
	return nil
}
