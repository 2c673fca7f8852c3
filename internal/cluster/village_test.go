package cluster

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

// A village is a cluster whose stores are in memory, quick enough for a year.
type village struct {
	t       *testing.T
	down    atomic.Bool  // the stores answer nobody
	ahead   atomic.Int64 // by how much all clocks of the village are wrong
	store   memlease.Store
	journal *memjournal.Journal
	hub     *memjournal.Hub
	poll    time.Duration
}

func newVillage(t *testing.T, poll time.Duration) *village {
	v := &village{t: t, hub: memjournal.NewHub(), poll: poll}
	v.store.Now = v.now
	v.journal = memjournal.New(v.now)
	return v
}

// now is what every clock in the village shows.
func (v *village) now() time.Time { return time.Now().Add(time.Duration(v.ahead.Load())) }

// until sleeps until the clocks show a moment of the bubble's first days.
func (v *village) until(day, hour, minute, second int) {
	time.Sleep(time.Date(2000, 1, day, hour, minute, second, 0, time.UTC).Sub(v.now()))
}

// verdicts lists what the journal has of a job, by tick.
func (v *village) verdicts(job string) []string {
	v.t.Helper()
	synctest.Wait()
	rows, err := v.journal.Past(context.Background(), job, scheduler.Query{})
	if err != nil {
		v.t.Fatal(err)
	}
	slices.Reverse(rows)
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = r.Tick.Format("02 15:04:05 ") + string(r.Verdict)
		if r.Reason != "" {
			out[i] += "(" + string(r.Reason) + ")"
		}
	}
	return out
}

func (v *village) want(job string, want ...string) {
	v.t.Helper()
	if got := v.verdicts(job); !slices.Equal(got, want) {
		v.t.Errorf("%s: the journal has\n\t%s\nwant\n\t%s", job, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// count returns how many ticks of job have the verdict, as verdicts writes it.
func (v *village) count(job, verdict string) int {
	n := 0
	for _, row := range v.verdicts(job) {
		if strings.HasSuffix(row, " "+verdict) {
			n++
		}
	}
	return n
}

// start runs a replica until stop is called.
func (v *village) start(name, spec string, defs ...jobs.Job) (stop func()) {
	v.t.Helper()
	_, stop = v.startAs(scheduler.Config{Replica: name}, spec, defs...)
	return stop
}

func (v *village) startAs(cfg scheduler.Config, spec string, defs ...jobs.Job) (_ *scheduler.Scheduler, stop func()) {
	v.t.Helper()
	name := cfg.Replica
	e, err := election.New(&shutStore{&v.store, &v.down}, name, election.Config{Clock: election.Monotonic()})
	if err != nil {
		v.t.Fatal(err)
	}
	members := v.hub.Join(journal.Replica{ID: name})
	cfg.Peers, cfg.Ledger, cfg.Journal = members, &shutLedger{&v.store, &v.down}, &shutJournal{v.journal, &v.down}
	cfg.Poll, cfg.Now = v.poll, v.now
	s := scheduler.New(e, cfg)
	for _, d := range defs {
		if err := s.Add(spec, d); err != nil {
			v.t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var both sync.WaitGroup
	both.Go(func() {
		if err := s.Run(ctx); err != nil {
			v.t.Error(err)
		}
	})
	both.Go(func() { _ = members.Run(ctx, s.Hear) })
	return s, func() {
		cancel()
		both.Wait()
	}
}

var errDown = errors.New("no answer")

// shutStore is a store that may be down.
type shutStore struct {
	election.Store
	down *atomic.Bool
}

func (s *shutStore) Claim(ctx context.Context, claims []election.Claim) []election.ClaimAnswer {
	if s.down.Load() {
		out := make([]election.ClaimAnswer, len(claims))
		for i := range out {
			out[i].Err = errDown
		}
		return out
	}
	return s.Store.Claim(ctx, claims)
}

func silence(n int) []election.HoldAnswer {
	out := make([]election.HoldAnswer, n)
	for i := range out {
		out[i].Err = errDown
	}
	return out
}

func (s *shutStore) Start(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	if s.down.Load() {
		return silence(len(holds))
	}
	return s.Store.Start(ctx, holds)
}

func (s *shutStore) Renew(ctx context.Context, holds []election.Hold) []election.HoldAnswer {
	if s.down.Load() {
		return silence(len(holds))
	}
	return s.Store.Renew(ctx, holds)
}

func (s *shutStore) Release(ctx context.Context, ends []election.End) []election.HoldAnswer {
	if s.down.Load() {
		return silence(len(ends))
	}
	return s.Store.Release(ctx, ends)
}

// shutLedger is a ledger that may be down.
type shutLedger struct {
	scheduler.Ledger
	down *atomic.Bool
}

func (l *shutLedger) Read(ctx context.Context, keys []string) ([]election.Record, error) {
	if l.down.Load() {
		return nil, errDown
	}
	return l.Ledger.Read(ctx, keys)
}

// shutJournal is a journal that may be down. What is not here is not asked by an
// engine whose jobs have no requests but retries.
type shutJournal struct {
	scheduler.Journal
	down *atomic.Bool
}

func (j *shutJournal) Put(ctx context.Context, r []scheduler.Request) ([]bool, error) {
	if j.down.Load() {
		return nil, errDown
	}
	return j.Journal.Put(ctx, r)
}

func (j *shutJournal) Poll(ctx context.Context, limit int) (scheduler.Inbox, error) {
	if j.down.Load() {
		return scheduler.Inbox{}, errDown
	}
	return j.Journal.Poll(ctx, limit)
}

func (j *shutJournal) Begin(ctx context.Context, b []scheduler.Begin) ([]scheduler.Beginning, error) {
	if j.down.Load() {
		return nil, errDown
	}
	return j.Journal.Begin(ctx, b)
}

func (j *shutJournal) Record(ctx context.Context, entries []scheduler.Entry) ([]scheduler.Recorded, error) {
	if j.down.Load() {
		return nil, errDown
	}
	return j.Journal.Record(ctx, entries)
}

func (j *shutJournal) Settle(ctx context.Context, ids []string) error {
	if j.down.Load() {
		return errDown
	}
	return j.Journal.Settle(ctx, ids)
}

func (j *shutJournal) Find(ctx context.Context, run string) (scheduler.Row, bool, error) {
	if j.down.Load() {
		return scheduler.Row{}, false, errDown
	}
	return j.Journal.Find(ctx, run)
}

func (j *shutJournal) Adopt(ctx context.Context, defs []scheduler.Definition) ([]scheduler.Adopted, error) {
	if j.down.Load() {
		return nil, errDown
	}
	return j.Journal.Adopt(ctx, defs)
}

func (j *shutJournal) Told(ctx context.Context, names []string) ([]time.Time, error) {
	if j.down.Load() {
		return nil, errDown
	}
	return j.Journal.Told(ctx, names)
}
