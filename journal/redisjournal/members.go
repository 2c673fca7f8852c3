package redisjournal

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solocron/solocron/scheduler"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/journal"
)

const (
	slowestBeat  = 5 * time.Second
	fastestBeat  = 500 * time.Millisecond
	beatsMissing = 3 // after which a replica counts as gone
	leaveLimit   = time.Second
)

//go:embed beat.lua
var beatText string

var allowedName = regexp.MustCompile(`^[A-Za-z0-9._~/:-]{1,100}$`)

// Members is the cluster as one replica sees it. It is safe for concurrent use.
type Members struct {
	rdb     redis.UniversalClient
	self    journal.Replica
	set     string // when each was last heard of
	infos   string // what each says of itself
	drained string // when each of those that drain was last heard of
	channel string
	air     *air
	beat    *redis.Script
	pace    time.Duration // between two heartbeats
	live    atomic.Pointer[[]string]
	offset  atomic.Int64           // time.Duration
	has     atomic.Pointer[string] // the revision of its configuration
	drains  atomic.Bool            // this replica takes nothing more
	again   chan struct{}          // somebody has come or gone, or this replica drains
	fault   error                  // why it cannot run
}

// New returns the view of self. It sends nothing; Run refuses a prefix or
// namespace that is not 1 to 100 bytes of A-Z a-z 0-9 . _ ~ / : - and an ID that
// is not 1 to 300 bytes.
func New(rdb redis.UniversalClient, prefix, namespace string, self journal.Replica) *Members {
	head := prefix + ":{" + namespace + ".m}:"
	m := &Members{
		pace: slowestBeat,
		rdb:  rdb, self: self, set: head + "replicas", infos: head + "infos", drained: head + "draining", channel: head + "started", air: newAir(rdb),
		beat: redis.NewScript(beatText), again: make(chan struct{}, 1),
	}
	m.fault = checkNames(prefix, namespace)
	if m.fault == nil && (self.ID == "" || len(self.ID) > maxID) {
		m.fault = fmt.Errorf("replica id of %d bytes: 1 to %d are allowed", len(self.ID), maxID)
	}
	m.live.Store(&[]string{self.ID})
	m.SetOffset(self.Offset)
	m.has.Store(&self.Revision)
	return m
}

// SetPace has the replica say that it lives often enough for leases of this
// length: one that dies is missed before its leases have ended. Call it before Run.
func (m *Members) SetPace(ttl time.Duration) {
	m.pace = min(max(ttl/6, fastestBeat), slowestBeat)
}

// Live lists the IDs of the replicas that live, this one always among them,
// sorted: as Redis said last. The caller must not change the slice.
func (m *Members) Live() []string { return *m.live.Load() }

// Run makes the replica known until ctx ends, keeps Live up to date and hands
// what others announce to news, one at a time; news must be quick. While Redis
// is away it tries on. It returns nil when ctx ends, or at once the reason why
// it can never run.
func (m *Members) Run(ctx context.Context, news func(scheduler.News)) error {
	if m.fault != nil {
		return m.fault
	}
	var wg sync.WaitGroup
	wg.Go(func() { m.listen(ctx, news) })
	m.beats(ctx)
	wg.Wait()
	m.leave(ctx)
	return nil
}

// Drain tells the others at once that this replica takes nothing more: they do
// not leave it a head start, though its runs go on and it is still listed.
func (m *Members) Drain() {
	m.drains.Store(true)
	select {
	case m.again <- struct{}{}:
	default: // it is about to look
	}
}

// beats tells the others of this replica, at once and then regularly.
func (m *Members) beats(ctx context.Context) {
	ticker := time.NewTicker(m.pace)
	defer ticker.Stop()
	known, drains := false, false
	for {
		if is := m.drains.Load(); is != drains {
			known, drains = false, is
		}
		if m.look(ctx) == nil && !known {
			known = m.air.publish(ctx, m.channel, encodeChanged(m.self.ID)) == nil
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-m.again:
		}
	}
}

// look sends one heartbeat and takes over who lives.
func (m *Members) look(ctx context.Context) error {
	ids, err := m.beat.Run(ctx, m.rdb, []string{m.set, m.infos, m.drained},
		m.self.ID, (beatsMissing * m.pace).Milliseconds(), m.info(), m.drains.Load()).StringSlice()
	if err != nil {
		return err
	}
	if !slices.Contains(ids, m.self.ID) {
		ids = append(ids, m.self.ID)
	}
	slices.Sort(ids)
	m.live.Store(&ids)
	return nil
}

// leave is best effort: without it the others need some seconds to notice.
func (m *Members) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveLimit)
	defer cancel()
	pipe := m.rdb.Pipeline()
	pipe.ZRem(ctx, m.set, m.self.ID)
	pipe.ZRem(ctx, m.drained, m.self.ID)
	pipe.HDel(ctx, m.infos, m.self.ID)
	if _, err := pipe.Exec(ctx); err == nil {
		_ = m.air.publish(ctx, m.channel, encodeChanged(m.self.ID))
	}
}

// Announce tells the other replicas, in one message for every 2,000 ticks. A bell
// rings with the first.
func (m *Members) Announce(ctx context.Context, n scheduler.News) error {
	if m.fault != nil {
		return m.fault
	}
	parts := slices.Collect(slices.Chunk(n.Ticks, maxTicks))
	if n.Bell && len(parts) == 0 {
		parts = append(parts, nil)
	}
	messages := make([][]byte, len(parts))
	for i, part := range parts {
		var err error
		if messages[i], err = encode(scheduler.News{From: n.From, Ticks: part, Bell: n.Bell && i == 0}); err != nil {
			return err
		}
	}
	if err := m.air.publish(ctx, m.channel, messages...); err != nil {
		return fmt.Errorf("announcing %d ticks: %w", len(n.Ticks), err)
	}
	return nil
}
