package journaltest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/solocron/solocron/journal"
)

// teller is a replica that tells what happens.
type teller struct {
	*journal.Feed
	stop  context.CancelFunc
	ended chan error
}

func newTeller(ctx context.Context, w Wire, id string) *teller {
	ctx, stop := context.WithCancel(ctx)
	t := &teller{Feed: journal.NewFeed(w(), id), stop: stop, ended: make(chan error, 1)}
	go func() { t.ended <- t.Run(ctx) }()
	return t
}

func (t *teller) end() error {
	t.stop()
	return <-t.ended
}

// say tells of n runs of a job, each a little later.
func (t *teller) say(job string, from, n int) {
	for i := range n {
		t.Say(journal.Happening{Topic: journal.AboutRun, Phase: "started", Job: job, Note: fmt.Sprint(from + i)})
	}
}

// follower collects what it hears, until it has enough.
type follower struct {
	mu    sync.Mutex
	heard []journal.Told
	stop  context.CancelFunc
	ended chan error
}

var errEnough = errors.New("enough")

// follow has a follower stop after enough happenings; 0: it goes on.
func follow(ctx context.Context, f *journal.Feed, after journal.Place, enough int) *follower {
	ctx, stop := context.WithCancel(ctx)
	l := &follower{stop: stop, ended: make(chan error, 1)}
	go func() {
		l.ended <- f.Follow(ctx, after, func(told []journal.Told) error {
			l.mu.Lock()
			defer l.mu.Unlock()
			for _, one := range told {
				l.heard = append(l.heard, one)
				if len(l.heard) == enough {
					return errEnough
				}
			}
			return nil
		})
	}()
	return l
}

// notes are those of what was heard of a job, and the last place.
func (l *follower) notes(job string) (notes []string, at journal.Place) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, one := range l.heard {
		if one.Job == job {
			notes = append(notes, one.Note)
		}
		at = one.Place
	}
	return notes, at
}

func (l *follower) end() error {
	l.stop()
	if err := <-l.ended; !errors.Is(err, context.Canceled) {
		return fmt.Errorf("follow: got %w, want that it was cancelled", err)
	}
	return nil
}
