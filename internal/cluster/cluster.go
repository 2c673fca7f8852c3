package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/redisjournal"
	"github.com/solocron/solocron/scheduler"
)

// A World is one Redis and the replicas around it. Make it inside a bubble.
type World struct {
	*Witness
	t     *testing.T
	redis *miniredis.Miniredis
	lease election.Config
	wrap  func(election.Store) election.Store // what stands between replicas and their store; nil: nothing
	keeps bool                                // replicas keep a journal
	all   []*Replica
}

// New returns a World whose leases are held by cfg. It ends with the test.
func New(t *testing.T, cfg election.Config) *World {
	t.Helper()
	m := miniredis.NewMiniRedis()
	m.ClockTTL(true)
	// A bubble begins in 2000, where ticks are still refused; and no replica's
	// clock is at a tick when it starts.
	time.Sleep(time.Hour + 30*time.Second)
	w := &World{Witness: newWitness(), t: t, redis: m, lease: cfg}
	return w
}

// Close stops all replicas and Redis; call it before the bubble ends.
func (w *World) Close() {
	var wg sync.WaitGroup
	for _, r := range w.all {
		r.wire.setCut(false)
		r.wire.setLag(0)
		wg.Go(r.Stop)
	}
	wg.Wait()
	for _, r := range w.all {
		r.client.Close()
	}
	w.redis.Close()
	time.Sleep(2 * time.Second) // go-redis redials a second after a failure
}

// Flush makes Redis lose everything.
func (w *World) Flush() { w.redis.FlushAll() }

// Job is a job of the world: it works for Takes, or until its context ends.
type Job struct {
	Name  string
	Spec  string
	Takes time.Duration
	Deaf  time.Duration // how long it goes on after its context has ended

	Policies jobs.Policies
}

// A Replica is one process.
type Replica struct {
	Name    string
	killer  *killer
	world   *World
	wire    *wire
	client  *redis.Client
	sched   *scheduler.Scheduler
	journal *redisjournal.Journal // nil: it keeps none
	skew    time.Duration
	stop    context.CancelFunc
	done    chan struct{}

	mu   sync.Mutex
	dead chan struct{} // closed when the process is killed
}

// Start starts a replica whose clock is ahead of Redis's by skew.
func (w *World) Start(name string, skew time.Duration, defs ...Job) *Replica {
	w.t.Helper()
	r := &Replica{
		Name: name, world: w, skew: skew, dead: make(chan struct{}), done: make(chan struct{}),
		wire: &wire{dial: redistest.Dialer(w.redis), conns: make(map[*conn]struct{})},
	}
	cfg := w.lease.WithDefaults()
	cfg.Clock = election.Monotonic()
	opts := redislease.Options("10.0.0.1:6379", cfg.Try)
	opts.Dialer, opts.PoolSize = r.wire.Dial, redistest.BubblePool
	opts.MinIdleConns = 0 // nobody waits for those that are dialled in the background
	r.client = redis.NewClient(opts)
	store, err := redislease.New(r.client, "solocron", "world", cfg.Try)
	if err != nil {
		w.t.Fatal(err)
	}
	var seen election.Store = store
	if w.wrap != nil {
		seen = w.wrap(store)
	}
	r.killer = &killer{Store: seen, kill: r.Kill}
	seen = r.killer
	elector, err := election.New(seen, name, cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	members := redisjournal.New(r.client, "solocron", "world", journal.Replica{ID: name})
	members.SetPace(cfg.TTL)
	settings := scheduler.Config{
		Replica: name, Grace: time.Minute, Peers: members, Ledger: store,
		Now: func() time.Time { return time.Now().Add(skew) },
	}
	if w.keeps {
		kept, err := redisjournal.NewJournal(r.client, "solocron", "world")
		if err != nil {
			w.t.Fatal(err)
		}
		r.journal, settings.Journal = kept, &killJournal{kept, r.killer}
	}
	r.sched = scheduler.New(elector, settings, scheduler.ObserverFunc(r.observe))
	for _, d := range defs {
		if err := r.sched.Add(d.Spec, jobs.Job{Name: d.Name, Runner: r.work(d), Policies: d.Policies}); err != nil {
			w.t.Fatal(err)
		}
	}
	r.run(members)
	w.all = append(w.all, r)
	return r
}

func (r *Replica) run(members *redisjournal.Members) {
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	var wg sync.WaitGroup
	wg.Go(func() { _ = members.Run(ctx, r.sched.Hear) })
	wg.Go(func() {
		if err := r.sched.Run(ctx); err != nil {
			r.world.t.Error(err)
		}
	})
	go func() {
		wg.Wait()
		close(r.done)
	}()
}

// Stop shuts the replica down as SIGTERM does, and waits for it.
func (r *Replica) Stop() {
	r.stop()
	<-r.done
}

// Kill ends the replica as SIGKILL does: its jobs die where they are, nothing is
// said any more.
func (r *Replica) Kill() {
	r.mu.Lock()
	close(r.dead)
	r.mu.Unlock()
	r.wire.setCut(true)
	r.stop()
}

func (r *Replica) killed() bool {
	select {
	case <-r.dead:
		return true
	default:
		return false
	}
}

// Cut cuts the replica off from Redis, or joins it again.
func (r *Replica) Cut(cut bool) { r.wire.setCut(cut) }

// Lag delays every request of the replica.
func (r *Replica) Lag(d time.Duration) { r.wire.setLag(d) }

// Pause stops the replica's network for d, as a long stop of the process would.
func (r *Replica) Pause(d time.Duration) { r.wire.pause(d) }

// Trigger starts a job by hand.
func (r *Replica) Trigger(job string) (scheduler.Row, error) {
	return r.sched.Trigger(context.Background(), job, scheduler.Order{By: "test"})
}

func (r *Replica) observe(e scheduler.Event) {
	if !r.killed() {
		r.world.observe(e)
	}
}

var errKilled = errors.New("killed")

// work is what a job of the world does.
func (r *Replica) work(d Job) jobs.Func {
	return func(ctx context.Context, run jobs.Run) error {
		if r.killed() {
			return errKilled
		}
		r.world.enter(run)
		defer r.world.leave(run)
		if d.Takes == 0 {
			return nil
		}
		select {
		case <-time.After(d.Takes):
			return nil
		case <-r.dead:
			return errKilled
		case <-ctx.Done():
			if d.Deaf > 0 {
				select {
				case <-time.After(d.Deaf):
				case <-r.dead:
				}
			}
			return fmt.Errorf("stopped: %w", context.Cause(ctx))
		}
	}
}
