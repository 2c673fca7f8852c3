package chaos_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/breaker"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/faultproxy"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/redisjournal"
	"github.com/solocron/solocron/scheduler"
)

const (
	prefix    = "solocron"
	namespace = "chaos"
)

// terms are short, and leave room for the stalls of a machine that is busy.
func terms() election.Config {
	return election.Config{TTL: 2 * time.Second, StopGrace: 300 * time.Millisecond, Slack: 200 * time.Millisecond, LockDelay: time.Second}
}

// A job works for Takes, or until its context ends.
type job struct {
	name  string
	takes time.Duration
}

// spec is the schedule of every job here.
const spec = "@every 1s"

// A world is the replicas around one Redis.
type world struct {
	*witness
	t          *testing.T
	defs       []job
	cfg        election.Config
	journalTry time.Duration // shorter than in production, so that a few seconds hold many tries

	mu    sync.Mutex
	ill   map[string]int                  // complaints of all replicas -> how often
	story []string                        // what was done to them, and what they said of ticks
	heard map[string]map[string]time.Time // replica -> job -> the last tick that it knows the fate of
}

// newWorld returns a world without replicas; if t fails it tells its story.
func newWorld(t *testing.T, defs ...job) *world {
	w := &world{
		witness: newWitness(), t: t, defs: defs, cfg: terms(), journalTry: 500 * time.Millisecond, ill: make(map[string]int),
		heard: make(map[string]map[string]time.Time),
	}
	t.Cleanup(func() {
		if t.Failed() {
			w.tell()
		}
	})
	return w
}

// quick are jobs whose ticks never meet.
func quick() []job {
	return []job{{"a", 20 * time.Millisecond}, {"b", 20 * time.Millisecond}, {"c", 300 * time.Millisecond}}
}

// trio starts three replicas and waits until all of them take ticks.
func (w *world) trio(addr string, openers ...opener) []*replica {
	w.t.Helper()
	var all []*replica
	for i := range 3 {
		all = append(all, w.start(fmt.Sprint("r", i), addr, openers...))
	}
	await(w.t, "all replicas", 30*time.Second, func() bool {
		return !slices.ContainsFunc(all, func(r *replica) bool { return r.engine.Ready() != nil })
	})
	return all
}

// A replica is an engine with its clients, and its own way to Redis.
type replica struct {
	name    string
	world   *world
	proxy   *faultproxy.Proxy
	store   *redislease.Store
	elector *election.Elector
	journal *redisjournal.Journal
	members *redisjournal.Members
	engine  *scheduler.Scheduler
	api     *admin.API
	clients []*redis.Client
	stop    func()
}

// opener changes how a replica reaches Redis.
type opener func(*redis.Options)

// start starts a replica on the Redis at addr. It stops with the test.
func (w *world) start(name, addr string, openers ...opener) *replica {
	w.t.Helper()
	r := w.assemble(name, addr, openers...)
	r.run()
	w.t.Cleanup(r.close)
	return r
}

// assemble makes a replica without running it.
func (w *world) assemble(name, addr string, openers ...opener) *replica {
	w.t.Helper()
	r := &replica{name: name, world: w, proxy: faultproxy.Start(w.t, addr)}
	cfg := w.cfg.WithDefaults()
	open := func(try time.Duration) *redis.Client {
		o := redislease.Options(r.proxy.Addr(), try)
		for _, f := range openers {
			f(o)
		}
		c := redis.NewClient(o)
		r.clients = append(r.clients, c)
		return c
	}
	var err error
	if r.store, err = redislease.New(open(cfg.Try), prefix, namespace, cfg.Try); err != nil {
		w.t.Fatal(err)
	}
	if r.elector, err = election.New(breaker.New(r.store, breaker.Config{}), name, cfg); err != nil {
		w.t.Fatal(err)
	}
	if r.journal, err = redisjournal.NewJournal(open(w.journalTry), prefix, namespace); err != nil {
		w.t.Fatal(err)
	}
	r.members = redisjournal.New(open(cfg.Try), prefix, namespace, journal.Replica{ID: name})
	r.members.SetPace(cfg.TTL)
	r.engine = scheduler.New(r.elector, scheduler.Config{
		Replica: name, Grace: 5 * time.Second, Peers: r.members, Ledger: r.store, Journal: r.journal,
		Poll: 200 * time.Millisecond,
	}, scheduler.ObserverFunc(w.hear))
	for _, j := range w.defs {
		if err := r.engine.Add(spec, r.define(j)); err != nil {
			w.t.Fatal(err)
		}
	}
	r.api = admin.New(admin.Deps{
		Engine: r.engine, Ledger: r.store, Memory: &admin.Memory{Journal: r.journal}, Ready: r.engine.Ready,
		Log: slog.New(slog.DiscardHandler),
	})
	return r
}

// define makes a job that keeps every row, and runs every tick however late.
func (r *replica) define(j job) jobs.Job {
	work := func(ctx context.Context, run jobs.Run) error {
		r.world.enter(run)
		defer r.world.leave(run)
		select {
		case <-time.After(j.takes):
			return nil
		case <-ctx.Done():
			return fmt.Errorf("stopped: %w", context.Cause(ctx))
		}
	}
	return jobs.Job{Name: j.name, Kind: "func", Runner: jobs.Func(work), Policies: jobs.Policies{
		Catchup: jobs.Catchup{Policy: jobs.CatchupAll, Max: 1000},
		History: jobs.History{Succeeded: 1000, Failed: 1000},
	}}
}

func (r *replica) run() {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _ = r.members.Run(ctx, r.engine.Hear) })
	wg.Go(func() {
		if err := r.engine.Run(ctx); err != nil {
			r.world.t.Errorf("replica %s: %v", r.name, err)
		}
	})
	r.stop = sync.OnceFunc(func() {
		cancel()
		wg.Wait()
	})
}

// close stops a replica, whose way to Redis is clear again, and closes what it has.
func (r *replica) close() {
	r.proxy.Heal()
	if r.stop != nil {
		r.stop()
	}
	for _, c := range r.clients {
		_ = c.Close() // twice does no harm
	}
}

// hear notes what replicas say.
func (w *world) hear(e scheduler.Event) {
	if e.Phase != scheduler.Output && e.Phase != scheduler.Noted {
		w.say("%s: %s %s %s(%s) by %q: %v %s", e.Replica, e.Tick.ID(), e.Phase, e.Verdict, e.Reason, e.By, e.Err, e.Note)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.Err != nil {
		w.ill[e.Err.Error()]++
	}
	switch e.Phase {
	case scheduler.Started, scheduler.Ended, scheduler.Yielded:
		if known := w.heard[e.Replica]; known == nil {
			w.heard[e.Replica] = map[string]time.Time{e.Tick.Job: e.Tick.At}
		} else if e.Tick.At.After(known[e.Tick.Job]) {
			known[e.Tick.Job] = e.Tick.At
		}
	case scheduler.Retried, scheduler.Waiting, scheduler.Output, scheduler.Noted, scheduler.Overran:
	}
}

// calm waits until all replicas know of the same ticks. What a store forgets then
// is known to everybody who could claim it again: a replica that has not heard
// that a tick was run, of a store that has forgotten it, runs it.
func (w *world) calm(all []*replica) {
	w.t.Helper()
	await(w.t, "all replicas to know of the same ticks", time.Minute, func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, r := range all {
			if !maps.Equal(w.heard[r.name], w.heard[all[0].name]) || len(w.heard[r.name]) != len(w.defs) {
				return false
			}
		}
		return true
	})
}

// complained reports whether a replica has complained of something with these words.
func (w *world) complained(words string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for text := range w.ill {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// maxStory bounds what is remembered of a test.
const maxStory = 20_000

// say adds a line to the story.
func (w *world) say(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.story) < maxStory {
		w.story = append(w.story, time.Now().UTC().Format("15:04:05.000 ")+fmt.Sprintf(format, args...))
	}
}

// tell prints the story of a test that has failed, the last lines of it.
func (w *world) tell() {
	w.mu.Lock()
	defer w.mu.Unlock()
	const lines = 400
	for _, line := range w.story[max(0, len(w.story)-lines):] {
		w.t.Log(line)
	}
}
