package jobs

import "time"

// Policies is what happens around the runs of a job: when they overlap, fail,
// come late, or wait for others. The zero Policies is the default of each.
type Policies struct {
	Overlap        Overlap
	QueueLimit     int // QueueOverlap: how many ticks wait at most; 0: 1
	Catchup        Catchup
	Retry          Retry
	PauseOnFailure int    // pause after so many final failures in a row; 0: never
	Shadow         bool   // ticks are decided and won, but nothing is executed
	Group          string // concurrency group in which a run takes a place; "": none
	Params         []Param
	DependsOn      []Dependency
	Triggers       []Trigger
	History        History
	LogLimit       int // bytes of output kept of a run; 0: DefaultLogLimit; negative: none
	OnHolderLost   HolderLost
	OnInterrupt    Interrupt
	OnStoreDown    StoreDown
	OnOverrun      Overrun
	Idempotent     bool // running twice does no harm; RunOnStoreDown needs it
}

// HolderLost says what becomes of a run whose replica died, or lost its lease.
type HolderLost string

// What may become of it.
const (
	SkipOnHolderLost  HolderLost = ""      // it is lost: it may have done its work
	RerunOnHolderLost HolderLost = "rerun" // another attempt of the same tick, while Retry.MaxAttempts allows, three if it says nothing
)

// Interrupt says what becomes of a run that a shutdown cut short.
type Interrupt string

// What may become of it.
const (
	RerunOnInterrupt Interrupt = ""     // another replica makes another attempt, with the checkpoint; it does not count as a failure
	SkipOnInterrupt  Interrupt = "skip" // it stays interrupted
)

// StoreDown says what becomes of a tick while the lease store does not answer.
type StoreDown string

// What may become of it.
const (
	WaitOnStoreDown StoreDown = ""     // it is asked for until its starting deadline, then missed
	SkipOnStoreDown StoreDown = "skip" // it is missed at once
	RunOnStoreDown  StoreDown = "run"  // every replica runs it, without a lease: for idempotent jobs only
)

// Overrun says what becomes of a replica one of whose runs goes on after it must
// have ended.
type Overrun string

// What may become of it.
const (
	ReportOverrun Overrun = ""     // it says so, again and again
	ExitOnOverrun Overrun = "exit" // the process ends: only that surely ends the run
)

// Overlap says what becomes of a tick while an older run of the job is on.
type Overlap string

// The overlap policies.
const (
	SkipOverlap    Overlap = ""        // the tick is skipped
	QueueOverlap   Overlap = "queue"   // it waits; when too many wait, the oldest gives way
	ReplaceOverlap Overlap = "replace" // the older run is cancelled; the tick starts when that has ended
	AllowOverlap   Overlap = "allow"   // both run
)

// Catchup says which of the ticks run that came due while nobody could start them.
type Catchup struct {
	Policy  CatchupPolicy
	Max     int           // CatchupAll: how many of them at most, the latest; 0: 10
	Spacing time.Duration // CatchupAll: between two of their starts, at least, in the whole cluster
}

// CatchupPolicy is a rule for late ticks. Each still obeys the starting deadline.
type CatchupPolicy string

// The catch-up policies.
const (
	CatchupLatest CatchupPolicy = ""     // only the last
	CatchupNone   CatchupPolicy = "none" // none
	CatchupAll    CatchupPolicy = "all"  // each, oldest first
)

// Retry says whether and when a failed attempt is followed by another. It
// bounds attempts, waits between InitialInterval and MaxInterval, growing by
// BackoffCoefficient, and spreads each wait by up to Jitter of it. The names are
// those of Temporal's RetryPolicy.
type Retry struct {
	MaxAttempts           int           // with the first; 0 and 1: no retry
	InitialInterval       time.Duration // 0: 10s
	BackoffCoefficient    float64       // at least 1; 0: 2
	MaxInterval           time.Duration // 0: 5m
	Jitter                float64       // 0 to 1
	NonRetryableExitCodes []int
}

// ParamType is the type of a parameter.
type ParamType string

// The types of parameters.
const (
	StringParam ParamType = "string"
	IntParam    ParamType = "int"
	NumberParam ParamType = "number"
	BoolParam   ParamType = "bool"
)

// Param is a value that whoever triggers a job may give. A tick, and a request
// that leaves it out, has its default.
type Param struct {
	Name        string // [a-z][a-z0-9_]*, at most 50 bytes
	Type        ParamType
	Default     string // in the notation of the type
	Description string
	Required    bool     // a request must give it, and ticks have the default
	Choices     []string // the values allowed; empty: any of the type
}

// Condition says how another job's run must have ended.
type Condition string

// The conditions.
const (
	OnSuccess Condition = "succeeded"
	OnFailure Condition = "failed"   // failed, timed out or lost, with no attempt left
	OnFinish  Condition = "finished" // whichever way
)

// Dependency makes ticks wait until another job has a run that ended in a way,
// at most Window before. If there is none until the tick's starting deadline,
// the tick is missed.
type Dependency struct {
	Job       string
	Condition Condition     // "": OnSuccess
	Window    time.Duration // 0: 24h
}

// Trigger requests a run of another job whenever a run ends in a way.
type Trigger struct {
	Job       string
	Condition Condition // "": OnSuccess
}

// History bounds what is remembered of a job. The last entry of each sort is
// kept however old it is.
type History struct {
	Succeeded int           // runs; 0: 50
	Failed    int           // runs that ended otherwise, and as many ticks that were not run; 0: 50
	MaxAge    time.Duration // 0: 30 days
}

// DefaultLogLimit is how many bytes of a run's output are kept.
const DefaultLogLimit = 1 << 20
