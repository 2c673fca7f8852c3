package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solocron/solocron/journal"
)

const (
	maxStreams    = 256              // of happenings, at once
	streamLimit   = time.Hour        // for one of them; whoever comes back with the last id has missed nothing
	heartbeat     = 15 * time.Second // without an event, after which a comment is sent
	streamRetry   = 3 * time.Second  // until a client that was cut off comes back
	streamBackoff = 5 * time.Second  // for one that was refused
)

// Feed is what happens in the cluster. A *journal.Feed is one, and its methods say
// which errors there are.
type Feed interface {
	// Now returns the place of what happened last.
	Now(ctx context.Context) (journal.Place, error)
	// Follow hands fn what happens after a place, and nothing every now and then.
	Follow(ctx context.Context, after journal.Place, fn func([]journal.Told) error) error
	// Say tells what happens over this API. It does no I/O.
	Say(h journal.Happening)
}

// audience is what all streams of happenings of an API share.
type audience struct {
	streams atomic.Int32
	turn    chan struct{} // held by who takes a picture
	last    *picture
}

func newAudience() *audience { return &audience{turn: make(chan struct{}, 1)} }

// enter takes a place for a stream; false: all are taken.
func (l *audience) enter() bool {
	if l.streams.Add(1) > maxStreams {
		l.streams.Add(-1)
		return false
	}
	return true
}

func (l *audience) leave() { l.streams.Add(-1) }

// errDraining is the cause of the end of a stream when this replica shuts down,
// and errStreamOver when it has lasted for long enough.
var (
	errDraining   = errors.New("draining")
	errStreamOver = errors.New("time")
)

// events answers GET /api/v1/events?types=&job=&since= with what happens in the
// cluster, as server-sent events. Without a place to go on from it begins with a
// snapshot. It ends when the client leaves, is too slow or has been here for an
// hour, and when this replica shuts down.
func (a *API) events(w http.ResponseWriter, r *http.Request) {
	want, err := interestOf(r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	if a.leaving() {
		a.fail(w, r, stopping())
		return
	}
	if !a.audience.enter() {
		a.fail(w, r, tooManyStreams())
		return
	}
	defer a.audience.leave()
	ctx, cancel := context.WithTimeoutCause(r.Context(), streamLimit, errStreamOver)
	defer cancel()
	s := &stream{api: a, pen: newPen(w), want: want, at: want.since}
	if err := s.open(ctx, r.Method == http.MethodHead); err != nil {
		a.fail(w, r, err)
		return
	}
	if r.Method == http.MethodHead {
		return
	}
	ctx, undo := a.untilDrained(ctx, s.pen.hurry)
	defer undo()
	s.run(ctx)
}

// leaving reports whether this replica shuts down, or will at once.
func (a *API) leaving() bool { return a.drained() || a.Draining != nil && a.Draining() }

// drained reports whether streams are to end.
func (a *API) drained() bool {
	select {
	case <-a.closing:
		return true
	default:
		return false
	}
}

// untilDrained is ctx that also ends, with the cause errDraining, when streams are
// to end. When it ends for any reason, ended is called. Undo waits for that.
func (a *API) untilDrained(ctx context.Context, ended func()) (_ context.Context, undo func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-a.closing:
			cancel(errDraining)
		case <-ctx.Done():
		}
		ended()
	})
	return ctx, func() {
		cancel(nil)
		watching.Wait()
	}
}

func tooManyStreams() *problemError {
	return &problemError{
		Type: "too-many-streams", Title: "Too many streams", Status: http.StatusTooManyRequests,
		Detail: fmt.Sprintf("%d clients follow what happens on this replica already.", maxStreams),
		header: http.Header{"Retry-After": {strconv.Itoa(int(streamBackoff.Seconds()))}},
	}
}

// interest is what a client wants to hear.
type interest struct {
	topics map[journal.Topic]bool
	job    string        // "": any
	since  journal.Place // zero: from now on
	lost   bool          // what it said last cannot be a place: it must begin anew
}

// interestOf reads types, job and since, and the header Last-Event-ID that browsers
// send when they come back. It goes before since, which they repeat.
func interestOf(r *http.Request) (want interest, err error) {
	q := r.URL.Query()
	if want.topics, err = topicsOf(q.Get("types")); err != nil {
		return want, err
	}
	if want.job = q.Get("job"); len(want.job) > maxJobName {
		return want, badRequest("job is the name of a job.")
	}
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		want.since, err = journal.ParsePlace(last)
		want.lost = err != nil // a browser cannot be told
		return want, nil
	}
	if since := q.Get("since"); since != "" {
		if want.since, err = journal.ParsePlace(since); err != nil {
			return want, badRequest("since is the id of an event, such as 1796000000123-0.2.")
		}
	}
	return want, nil
}

func topicsOf(text string) (map[journal.Topic]bool, error) {
	known, wanted := journal.Topics(), make(map[journal.Topic]bool)
	if text == "" {
		for _, t := range known {
			wanted[t] = true
		}
		return wanted, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		t := journal.Topic(strings.TrimSpace(word))
		if !slices.Contains(known, t) {
			return nil, badRequest(fmt.Sprintf("types is some of %v, with commas.", known))
		}
		wanted[t] = true
	}
	return wanted, nil
}

// wants reports whether h is of interest. What is about no job, such as a
// replica or the count of a burst, is whatever the job.
func (i *interest) wants(h *journal.Happening) bool {
	return i.topics[h.Topic] && (i.job == "" || h.Job == "" || h.Job == i.job)
}
