package admin

import (
	"context"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// Engine is what the API shows and steers. A *scheduler.Scheduler is one, and its
// methods say which errors there are.
type Engine interface {
	Catalogue
	Orders
	Gates
}

// Catalogue is the jobs as one replica sees them.
type Catalogue interface {
	// Jobs returns a list of all jobs, which is the caller's to keep.
	Jobs() []scheduler.Status
	// Job returns one of them. The error matches scheduler.ErrUnknownJob.
	Job(name string) (scheduler.Status, error)
	// Moment explains an instant by the schedule of a job.
	Moment(job string, at time.Time) (scheduler.Moment, error)
}

// Orders is what can be asked for outside the schedule.
type Orders interface {
	Trigger(ctx context.Context, job string, o scheduler.Order) (scheduler.Row, error)
	Rerun(ctx context.Context, run string, o scheduler.Order) (scheduler.Row, error)
	Backfill(ctx context.Context, job string, r scheduler.Range, o scheduler.Order) ([]scheduler.Row, error)
	Cancel(ctx context.Context, run string, o scheduler.Order) (scheduler.Row, error)
}

// Gates closes jobs for their ticks, and opens them.
type Gates interface {
	Pause(ctx context.Context, job string, until time.Time, o scheduler.Order) (election.Gate, error)
	Resume(ctx context.Context, job string, o scheduler.Order) (election.Gate, error)
	SkipNext(ctx context.Context, job string, o scheduler.Order) (time.Time, error)
}

// Ledger reads the records of jobs' leases.
type Ledger interface {
	Read(ctx context.Context, keys []string) ([]election.Record, error)
}

// Memory is what the cluster remembers. Journal is needed; the rest may be nil.
type Memory struct {
	Journal Journal
	Output  Logs    // nil: what runs print is not shown
	Inquiry Inquiry // nil: nobody is asked what it has seen of a tick
	Members Members // nil: there is no list of replicas
	Feed    Feed    // nil: nobody is told what happens as it happens
}

// Journal is what is read of a journal, and what people note in it.
type Journal interface {
	History
	Waiting
	journal.Letters
	journal.Diary
}

// History is the runs that have begun or ended.
type History interface {
	Open(ctx context.Context) ([]scheduler.Row, error)
	Past(ctx context.Context, job string, q scheduler.Query) ([]scheduler.Row, error)
	Find(ctx context.Context, run string) (scheduler.Row, bool, error)
	Told(ctx context.Context, jobs []string) ([]time.Time, error)
}

// Waiting is the requests that have not been recorded as runs.
type Waiting interface {
	Queued(ctx context.Context, limit int) ([]scheduler.Request, error)
	Poll(ctx context.Context, limit int) (scheduler.Inbox, error)
}

// Logs is the output of runs. See journal.Logs.
type Logs interface {
	Read(ctx context.Context, run string, from journal.Cursor, limit int) (chunks []journal.Chunk, next journal.Cursor, done bool, err error)
}

// Inquiry asks replicas what they have seen of a tick, by the ID of each.
type Inquiry interface {
	Ask(ctx context.Context, job string, tick time.Time, expect []string) (map[string][]journal.Sighting, error)
}

// Members lists the replicas that live.
type Members interface {
	Replicas(ctx context.Context) ([]journal.Replica, error)
}

// Define returns the definition of a job, for people; false: it has none.
type Define func(job string) (jobs.Job, bool)
