package redisjournal

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/journal"
)

const (
	maxAsking    = 8    // questions of one replica at once
	maxAnswers   = 1000 // replicas of which answers are taken
	maxQuestions = 256  // that wait for an answer of one replica
)

// Inquiry asks the replicas through Redis what they saw of a tick, and answers
// them. Nothing is stored. It is safe for concurrent use.
type Inquiry struct {
	air     *air
	replica string
	seen    *journal.Sightings
	ask     string        // the channel of questions
	answers string        // of answers, up to the ID of the question
	asking  chan struct{} // holds one for each question that waits for answers
	fault   error         // why it cannot run
}

// NewInquiry returns the side of replica, which has seen what seen says. It sends
// nothing; Run and Ask refuse what New refuses.
func NewInquiry(rdb redis.UniversalClient, prefix, namespace, replica string, seen *journal.Sightings) *Inquiry {
	head := prefix + ":{" + namespace + ".m}:"
	q := &Inquiry{
		air: newAir(rdb), replica: replica, seen: seen, ask: head + "ask", answers: head + "answer:",
		asking: make(chan struct{}, maxAsking),
	}
	switch {
	case !allowedName.MatchString(prefix), !allowedName.MatchString(namespace):
		q.fault = fmt.Errorf("redis key prefix %q, namespace %q: use 1 to 100 of A-Z a-z 0-9 . _ ~ / : - in each", prefix, namespace)
	case replica == "" || len(replica) > maxID:
		q.fault = fmt.Errorf("replica id of %d bytes: 1 to %d are allowed", len(replica), maxID)
	}
	return q
}

// Run implements journal.Inquiry.
func (q *Inquiry) Run(ctx context.Context) error {
	if q.fault != nil {
		return q.fault
	}
	questions := make(chan string, maxQuestions)
	var answering sync.WaitGroup
	defer answering.Wait()
	answering.Go(func() { q.reply(ctx, questions) })
	// It never waits with a message unread: a server may stand still for that.
	subscribe(ctx, q.air, q.ask, func(got any) {
		message, ok := got.(*redis.Message)
		if !ok {
			return
		}
		select {
		case questions <- message.Payload:
		default: // more than anybody asks
		}
	})
	return nil
}

// reply answers questions until ctx ends.
func (q *Inquiry) reply(ctx context.Context, questions <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case message := <-questions:
			q.answer(ctx, message)
		}
	}
}

// answer says what this replica saw. Should the answer be lost, the replica
// counts as one that did not answer.
func (q *Inquiry) answer(ctx context.Context, message string) {
	asked, ok := decodeQuestion(message)
	if !ok {
		return
	}
	told, err := encodeAnswer(q.replica, q.seen.Seen(asked.Job, time.UnixMilli(asked.Tick)))
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, journal.AskLimit)
	defer cancel()
	_ = q.air.publish(ctx, q.answers+asked.ID, told)
}

// Ask implements journal.Inquiry, on a connection of its own. Run need not run
// for it.
func (q *Inquiry) Ask(ctx context.Context, job string, tick time.Time, expect []string) (map[string][]journal.Sighting, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, journal.AskLimit, fmt.Errorf("no answer within %s", journal.AskLimit))
	defer cancel()
	h := hearing{self: q.replica, heard: map[string][]journal.Sighting{q.replica: q.seen.Seen(job, tick)}, expect: expect}
	if q.fault != nil || h.complete() {
		return h.heard, q.fault
	}
	asked := question{ID: randomID(), Job: job, Tick: tick.UnixMilli()}
	message, err := encodeQuestion(asked)
	if err != nil {
		return h.heard, err
	}
	select {
	case q.asking <- struct{}{}:
		defer func() { <-q.asking }()
	case <-ctx.Done():
		return h.heard, fmt.Errorf("asking the other replicas: %d questions wait already: %w", maxAsking, context.Cause(ctx))
	}
	if err := q.hear(ctx, asked.ID, message, &h); err != nil {
		return h.heard, fmt.Errorf("asking the other replicas: %w", err)
	}
	return h.heard, nil
}

// hear asks whenever answers can begin to arrive, which is once more after a
// connection that failed, and takes them until h is complete or ctx ends. The
// error says why the question was never asked.
func (q *Inquiry) hear(ctx context.Context, id string, message []byte, h *hearing) error {
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	var p posting
	for ctx.Err() == nil && !h.complete() {
		q.hearOn(ctx, q.answers+id, h, &p, func() { // asks beside, so that no answer stays unread
			p.Go(func() { p.ended(q.air.publish(asking, q.ask, message)) })
		})
	}
	cause := context.Cause(ctx)
	cancel()
	p.Wait()
	if h.complete() || p.done {
		return nil
	}
	return cmp.Or(p.err, cause)
}

// hearOn takes answers on one subscription, and asks each time that it begins, until
// h is complete, ctx ends or nothing more can come: the server refuses it, or has
// given the channel's slot away.
func (q *Inquiry) hearOn(ctx context.Context, channel string, h *hearing, p *posting, ask func()) {
	sub := q.air.subscribe(ctx, channel)
	defer sub.Close()
	stop := context.AfterFunc(ctx, func() { _ = sub.Close() })
	defer stop()
	for ctx.Err() == nil && !h.complete() {
		got, err := receive(ctx, sub, 0)
		if err != nil {
			p.ended(err)
			wait(ctx, backFirst/2)
			if _, refused := errors.AsType[redis.Error](err); refused {
				q.air.learn(err)
				return
			}
			continue
		}
		switch got := got.(type) {
		case *redis.Subscription:
			if ended(got) {
				return
			}
			ask()
		case *redis.Message:
			h.take(got.Payload)
		}
	}
}

// posting is the question on its way.
type posting struct {
	sync.WaitGroup
	mu   sync.Mutex
	done bool  // it was asked
	err  error // why not, the first time
}

func (p *posting) ended(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		p.done = true
	} else if p.err == nil {
		p.err = err
	}
}

// hearing is what has been answered to a question.
type hearing struct {
	self   string // knows its own answer
	heard  map[string][]journal.Sighting
	expect []string
}

func (h *hearing) take(message string) {
	from, seen, ok := decodeAnswer(message)
	if _, known := h.heard[from]; ok && from != h.self && (known || len(h.heard) < maxAnswers) {
		h.heard[from] = seen
	}
}

// complete reports whether all who are expected have answered. If nobody is,
// one cannot know.
func (h *hearing) complete() bool {
	for _, id := range h.expect {
		if _, ok := h.heard[id]; !ok {
			return false
		}
	}
	return len(h.expect) > 0
}

func randomID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	return hex.EncodeToString(id)
}
