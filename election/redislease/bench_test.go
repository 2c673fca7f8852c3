package redislease_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
)

// costs keeps the cheapest round of each step, in microseconds per item: what
// else the machine does only ever makes a round dearer.
type costs struct {
	b       *testing.B
	rdb     *redis.Client
	items   int
	trivial string // SHA-1 of a script that does nothing
	best    map[string]float64
}

// of runs step and notes what it cost the server in scripts, and the caller in time.
func (c *costs) of(name string, step func()) {
	before, begun := c.scripts(), time.Now()
	step()
	wall := time.Since(begun)
	for unit, us := range map[string]float64{"server": c.scripts() - before, "wall": float64(wall.Microseconds())} {
		c.least(name+"-"+unit, us/float64(c.items))
	}
}

func (c *costs) least(name string, us float64) {
	if old, ok := c.best[name]; !ok || us < old {
		c.best[name] = us
	}
}

// scripts is how long the server has run scripts, in microseconds.
func (c *costs) scripts() float64 {
	return c.info("commandstats", "cmdstat_evalsha:", "usec=") + c.info("commandstats", "cmdstat_eval:", "usec=")
}

// bare runs the least script there is, once.
func (c *costs) bare() {
	if err := c.rdb.EvalSha(c.b.Context(), c.trivial, []string{"key"}).Err(); err != nil {
		c.b.Fatal(err)
	}
}

// cpu is how much processor time the server has used, in microseconds.
func (c *costs) cpu() float64 {
	return 1e6 * (c.info("cpu", "used_cpu_user:", "") + c.info("cpu", "used_cpu_sys:", ""))
}

// info reads the number after key in the line of INFO that begins with head; 0 if there is none.
func (c *costs) info(section, head, key string) float64 {
	text, err := c.rdb.Info(c.b.Context(), section).Result()
	if err != nil {
		c.b.Fatal(err)
	}
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, head)
		if !ok {
			continue
		}
		if key != "" {
			_, rest, _ = strings.Cut(rest, key)
		}
		number, _, _ := strings.Cut(strings.TrimSpace(rest), ",")
		n, err := strconv.ParseFloat(number, 64)
		if err != nil {
			c.b.Fatalf("%s: %v", line, err)
		}
		return n
	}
	return 0
}

// fleet is a crowd of jobs that all have a tick in each round.
type fleet struct {
	b      *testing.B
	store  *redislease.Store
	claims []election.Claim
	holds  []election.Hold
	ends   []election.End
	floors []election.Floor
	tick   time.Time
	owners int
}

func newFleet(b *testing.B, s *redislease.Store, jobs int) *fleet {
	return &fleet{
		b: b, store: s, claims: make([]election.Claim, jobs), holds: make([]election.Hold, jobs), ends: make([]election.End, jobs),
		floors: make([]election.Floor, jobs), tick: time.Now().Add(-time.Hour).Truncate(time.Second),
	}
}

// next makes fresh claims of the tick, as one replica would.
func (f *fleet) next() {
	for i := range f.claims {
		f.owners++
		f.claims[i] = election.Claim{
			Key: fmt.Sprintf("nightly-report-%d", i), Owner: owner(f.owners), Mode: election.ForTick, Tick: f.tick, TTL: 5 * time.Second,
			LockDelay: 5 * time.Second, Retention: 7 * 24 * time.Hour, Epoch: 1, Floor: f.floors[i],
			Holder: "scheduler-0-ab12cd34", Def: "0123456789abcdef",
		}
	}
}

func (f *fleet) claim(want election.Answer) {
	for i, a := range f.store.Claim(f.b.Context(), f.claims) {
		if a.Answer != want {
			f.b.Fatalf("claim %d: got %+v, want answer %d", i, a, want)
		}
		if want == election.Granted {
			c := &f.claims[i]
			f.holds[i] = election.Hold{
				Key: c.Key, Owner: c.Owner, Token: a.Token, Tick: c.Tick, TTL: 30 * time.Second, Retention: c.Retention, Holder: c.Holder,
			}
			f.ends[i] = election.End{
				Key: c.Key, Owner: c.Owner, Token: a.Token, Outcome: election.OutcomeSucceeded, Retention: c.Retention,
			}
		}
		f.floors[i] = election.Floor{Token: a.Token, Tick: a.Decided}
	}
}

func (f *fleet) good(answers []election.HoldAnswer) {
	for i, a := range answers {
		if a.Standing != election.Good {
			f.b.Fatalf("item %d: got %+v, want a good standing", i, a)
		}
	}
}

// BenchmarkRun measures the steps of one run each: what they cost the server
// and the caller, in microseconds per item, at the best of all rounds; bare is
// an EVALSHA that does nothing, on the same connections.
func BenchmarkRun(b *testing.B) {
	server := redistest.Start(b)
	for _, jobs := range []int{1, 1000, 10_000} {
		b.Run(fmt.Sprintf("jobs-%d", jobs), func(b *testing.B) {
			s, rdb := open(b, redis.NewClient(redislease.Options(server.Addr, try)), fmt.Sprintf("run-%d", jobs))
			trivial, err := rdb.ScriptLoad(b.Context(), "return 1").Result()
			if err != nil {
				b.Fatal(err)
			}
			c := &costs{b: b, rdb: rdb, items: jobs, trivial: trivial, best: make(map[string]float64)}
			f := newFleet(b, s, jobs)
			for b.Loop() {
				f.round(c)
			}
			for name, us := range c.best {
				b.ReportMetric(math.Round(100*us)/100, name+"-us")
			}
		})
	}
}

// round takes every job through a run: granted to one, refused to another.
func (f *fleet) round(c *costs) {
	cpu := c.cpu()
	f.tick = f.tick.Add(time.Second)
	f.next()
	c.of("0bare", c.bare)
	c.of("1claim", func() { f.claim(election.Granted) })
	c.of("2start", func() { f.good(f.store.Start(f.b.Context(), f.holds)) })
	c.of("3renew", func() { f.good(f.store.Renew(f.b.Context(), f.holds)) })
	c.of("4release", func() { f.good(f.store.Release(f.b.Context(), f.ends)) })
	f.next()
	c.of("5spent", func() { f.claim(election.Spent) })
	c.least("6all-cpu", (c.cpu()-cpu)/float64(c.items))
}
