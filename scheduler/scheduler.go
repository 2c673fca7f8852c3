package scheduler

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
)

// Config is how a Scheduler behaves. The zero Config is a good one for a single
// process; with several replicas, set all but Now.
type Config struct {
	Replica   string        // unique among the replicas; "": the elector's holder
	Grace     time.Duration // what runs get to finish at shutdown; 0: 30s
	HeadStart time.Duration // how long each replica lets the one before it ask first; 0: 50ms
	Peers     Peers         // nil: there are no others
	Ledger    Ledger        // nil: every cursor starts at the time Run is called
	Journal   Journal       // nil: no requests, retries or history; Add refuses jobs that need it
	// Generations says which of two configurations is the newer one. It needs the
	// Journal, and a Set with a revision. Nil: each replica goes by its own.
	Generations Generations
	Poll        time.Duration    // how often the journal is looked at for requests that no bell was rung for; 0: 1s
	Now         func() time.Time // this replica's clock; nil: time.Now
	Fit         func() error     // nil: always. While it returns why not, this replica claims nothing

	MaxConcurrent int            // runs at once on this replica; 0: no limit
	Groups        map[string]int // places in each concurrency group, in the whole cluster; a Set brings its own
}

func (c Config) withDefaults(holder string) Config {
	if c.Replica == "" {
		c.Replica = holder
	}
	if c.Grace == 0 {
		c.Grace = 30 * time.Second
	}
	if c.Poll == 0 {
		c.Poll = time.Second
	}
	if c.HeadStart == 0 {
		c.HeadStart = 50 * time.Millisecond
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// Scheduler runs jobs on one replica. Add jobs, or Reload a Set of them; then call
// Run once. A Set can be reloaded at any time.
type Scheduler struct {
	elector   *election.Elector
	cfg       Config
	observers []Observer
	parsed    map[string]*schedule.Schedule // by Add, that any job may have
	book      atomic.Pointer[book]
	reform    sync.Mutex // held by whoever puts a book, or another standing of jobs, in the place of what there is
	order     order      // guarded by reform
	handovers chan *handover
	over      chan struct{} // closed when the loop has ended
	outdated  chan struct{} // rung when a claim was superseded
	crew      *crew
	scribe    *scribe
	news      chan News
	bell      chan struct{}           // rung when requests or stops have been put
	departed  chan struct{}           // rung when a replica has gone
	vacated   vacancies               // jobs whose run has ended here
	running   atomic.Bool             // Run has been called
	ready     atomic.Bool             // the ledger has been read
	quit      context.CancelCauseFunc // ends Run without waiting for its runs
}

// New returns a Scheduler that claims through elector and tells observers what happens.
func New(elector *election.Elector, cfg Config, observers ...Observer) *Scheduler {
	s := &Scheduler{
		elector:   elector,
		cfg:       cfg.withDefaults(elector.Holder()),
		observers: observers,
		parsed:    make(map[string]*schedule.Schedule),
		handovers: make(chan *handover),
		over:      make(chan struct{}),
		outdated:  make(chan struct{}, 1),
		crew:      newCrew(cfg.MaxConcurrent),
		news:      make(chan News, 256),
		bell:      make(chan struct{}, 1),
		departed:  make(chan struct{}, 1),
		vacated:   vacancies{bell: make(chan struct{}, 1)},
	}
	s.book.Store(newBook(s.cfg.Groups))
	s.scribe = newScribe(cfg.Journal, s.observe, s.onFailure, s.ring)
	return s
}

// Add schedules job by spec, in UTC. See package schedule for the language.
func (s *Scheduler) Add(spec string, job jobs.Job) error {
	sched, err := s.parse(spec, job.Name)
	if err != nil {
		return fmt.Errorf("job %q: %w", job.Name, err)
	}
	return s.AddSchedule(sched, job)
}

// parse reads spec, or takes what was read for another job if that is the same.
func (s *Scheduler) parse(spec, name string) (*schedule.Schedule, error) {
	if known := s.parsed[spec]; known != nil {
		return known, nil
	}
	sched, err := schedule.Parse(spec, schedule.Options{Key: name})
	if err == nil && s.parsed != nil && !schedule.NeedsKey(spec) {
		s.parsed[spec] = sched
	}
	return sched, err
}

// AddSchedule schedules job. It is an error once Run has been called.
func (s *Scheduler) AddSchedule(sched *schedule.Schedule, job jobs.Job) error {
	return s.add(sched, display{sched.Spec(), sched.Location()}, job)
}

// AddUnscheduled adds a job that runs on request only.
func (s *Scheduler) AddUnscheduled(job jobs.Job) error {
	return s.add(never{}, display{zone: time.UTC}, job)
}

func (s *Scheduler) add(times timetable, shown display, job jobs.Job) error {
	if s.running.Load() {
		return fmt.Errorf("job %q: the scheduler is already running", job.Name)
	}
	b := s.book.Load()
	if err := s.cfg.supports(job, b.places); err != nil {
		return fmt.Errorf("job %q: %w", job.Name, err)
	}
	return b.add(nil, times, shown, Spec{Job: job})
}

// supports reports policies that need what c does not have, or a place in a group
// that has none.
func (c Config) supports(job jobs.Job, places map[string]int) error {
	if job.Group != "" && (places[job.Group] < 1 || c.Ledger == nil) {
		return fmt.Errorf("concurrency group %q has no places: set Config.Groups and Config.Ledger", job.Group)
	}
	needs := job.Retry.MaxAttempts > 1 || job.PauseOnFailure > 0 || len(job.DependsOn) > 0 || len(job.Triggers) > 0 ||
		job.Overlap == jobs.ReplaceOverlap || job.Overlap == jobs.AllowOverlap
	if needs && c.Journal == nil {
		return fmt.Errorf("retry, pauseOnFailure, dependsOn, triggers and the overlap policies replace and allow: %w: set Config.Journal", ErrNoJournal)
	}
	return nil
}

var errRunning = errors.New("the scheduler is already running")

// Run runs the jobs until ctx ends. Then it claims no more, waits for the runs
// in progress for Config.Grace, ends their contexts with cause ErrShutdown and
// returns when all have returned and their leases are given back. An error that
// matches ErrOverrun says that a run could not be ended: the process must.
func (s *Scheduler) Run(ctx context.Context) error {
	if !s.running.CompareAndSwap(false, true) {
		return errRunning
	}
	s.parsed = nil // nothing is added any more
	ctx, s.quit = context.WithCancelCause(ctx)
	defer s.quit(nil)
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() { s.watchOverruns(done) })
	defer watching.Wait()
	defer close(done)
	if s.recall(ctx) {
		s.ready.Store(true)
		s.work(ctx)
	}
	close(s.over)
	s.ready.Store(false)
	if cause := context.Cause(ctx); errors.Is(cause, ErrOverrun) {
		return cause
	}
	s.crew.drain(s.cfg.Grace)
	s.scribe.close(lastWords)
	return nil
}

// work does all there is to do until ctx ends.
func (s *Scheduler) work(ctx context.Context) {
	var clerks sync.WaitGroup
	if s.cfg.Journal != nil {
		clerks.Go(func() { s.serve(ctx) })
		clerks.Go(func() { s.sweep(ctx) })
	}
	if s.cfg.Generations != nil {
		clerks.Go(func() { s.keepOrder(ctx) })
	}
	w := newWaker(s.cfg.Now)
	w.follow(s.book.Load().groups)
	s.loop(ctx, w)
	w.close()
	clerks.Wait()
}

// Ready returns nil while s takes ticks, else why it does not.
func (s *Scheduler) Ready() error {
	switch {
	case s.ready.Load():
		return nil
	case s.running.Load():
		return errors.New("waiting for the lease store, or shutting down")
	}
	return errors.New("not started")
}

// Hear takes news from a peer. It never blocks: news that is not taken in time
// is dropped, and the store asked instead.
func (s *Scheduler) Hear(news News) {
	if news.Bell {
		s.ringHere()
	}
	if len(news.Ticks) == 0 {
		return
	}
	select {
	case s.news <- news:
	default:
	}
}

// Jobs returns what this replica knows of its jobs, in the order they were added.
func (s *Scheduler) Jobs() []Status {
	now := s.cfg.Now()
	entries := s.book.Load().entries
	out := make([]Status, len(entries))
	for i, e := range entries {
		out[i] = e.status(now)
	}
	return out
}

// Job returns what this replica knows of one job. The error matches ErrUnknownJob.
func (s *Scheduler) Job(name string) (Status, error) {
	e, err := s.book.Load().find(name)
	if err != nil {
		return Status{}, err
	}
	return e.status(s.cfg.Now()), nil
}
