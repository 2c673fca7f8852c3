package config

import (
	"log/slog"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
)

// Config is everything one replica is told.
type Config struct {
	Namespace     string        `yaml:"namespace"`     // part of every key in the store
	Replica       string        `yaml:"replica"`       // name of this process, before the random suffix
	Redis         Redis         `yaml:"redis"`         // where the journal is kept, and leases unless Lease says otherwise
	Lease         Lease         `yaml:"lease"`         // where and how leases are kept
	Admin         Admin         `yaml:"admin"`         // the HTTP listeners, and who may use them
	Log           Log           `yaml:"log"`           // what is logged, and how
	Clock         Clock         `yaml:"clock"`         // how far this machine's may be off
	Metrics       Metrics       `yaml:"metrics"`       // what is counted
	Tracing       Tracing       `yaml:"tracing"`       // where spans are sent
	ShutdownGrace time.Duration `yaml:"shutdownGrace"` // how long runs may go on after a stop is asked for
	// TerminationGracePeriod is what whoever asks the process to stop lets it have
	// before killing it, as a pod says; 0: not known.
	TerminationGracePeriod time.Duration `yaml:"terminationGracePeriod"`

	MaxConcurrent int `yaml:"maxConcurrent"` // runs at once on this replica; 0: no bound
	// Generation is what whoever writes the file counts its versions by; 0: not at all.
	// Of two files that replicas have at the same time the higher one is in force.
	Generation int `yaml:"generation"`

	Notify Notify `yaml:"notify"` // whom to tell what becomes of jobs

	Revision  string               // of the text of the file, 12 hexadecimal digits: replicas that differ in it have different files
	Defaults  Defaults             // what jobs get that do not say otherwise; already applied to Jobs
	Calendars []*schedule.Calendar // in the order of the file; already applied to Jobs
	Groups    []Group              // that jobs may name; in the order of the file
	Jobs      []Job                // in the order of the file
}

// Group is a concurrency group: so many runs of the jobs in it at once, in the
// whole cluster.
type Group struct {
	Name  string
	Limit int // 1 to 1000
}

// Lease says where leases are kept and holds their durations. After loading none of
// these is zero: what the file leaves out is derived from the TTL by package election.
type Lease struct {
	TTL        time.Duration `yaml:"ttl"`
	RenewEvery time.Duration `yaml:"renewEvery"`
	TryTimeout time.Duration `yaml:"tryTimeout"`
	StopGrace  time.Duration `yaml:"stopGrace"`
	Slack      time.Duration `yaml:"slack"`
	LockDelay  time.Duration `yaml:"lockDelay"`

	Store   StoreKind `yaml:"store"`
	Redlock Redlock   `yaml:"redlock"`
	Etcd    Etcd      `yaml:"etcd"`
}

// Election returns l in the words of package election.
func (l Lease) Election() election.Config {
	return election.Config{
		TTL:        l.TTL,
		RenewEvery: l.RenewEvery,
		Try:        l.TryTimeout,
		StopGrace:  l.StopGrace,
		Slack:      l.Slack,
		LockDelay:  l.LockDelay,
	}
}

// Clock bounds how far this machine's clock may be from the lease store's. Beyond
// it the replica takes no ticks: it would start them early or late.
type Clock struct {
	MaxOffset time.Duration `yaml:"maxOffset"` // 100ms to 1m
}

// Log says how to log.
type Log struct {
	Format string     `yaml:"format"` // auto: text on a terminal, else json; text; json
	Level  slog.Level `yaml:"level"`
}

// Defaults apply to every job that does not say otherwise. Labels are merged,
// the job's own first.
type Defaults struct {
	TimeZone         string            `yaml:"timeZone"` // of calendars too
	DST              DST               `yaml:"dst"`
	Timeout          time.Duration     `yaml:"timeout"` // 0: none
	StartingDeadline time.Duration     `yaml:"startingDeadline"`
	StopGracePeriod  time.Duration     `yaml:"stopGracePeriod"`
	Labels           map[string]string `yaml:"labels"`

	Policies jobs.Policies // of overlapPolicy, catchup, retry, pauseOnFailure, history, logs, and what happens in trouble
}

// DST says what becomes of moments that a change of the clock skips or repeats.
type DST struct {
	Gap     schedule.Gap     `yaml:"gap"`
	Overlap schedule.Overlap `yaml:"overlap"`
}

// Job is one job of the file: what to run, and when.
type Job struct {
	jobs.Job
	Unscheduled bool               // it has no ticks: people and other jobs' triggers start it
	Schedule    *schedule.Schedule // with jitter, startAt, endAt and exclude applied; nil if Unscheduled
	Spec        string             // the schedule as written, without spaces around it; several are joined by " | "
	TimeZone    string             // the IANA name the schedule is read in
	Tests       []Test             // what the file says the schedule must do; nothing has compared it
	Description string             // for people
	Runbook     string             // for people: where to read what to do when it fails
	Notify      NotifyPolicy       // whom to tell what; defaults applied
	Expect      Expect             // by when it must have started and finished
	Ping        jobs.Secret        // URL that is told how each run begins and ends; zero: none
	Line        int                // where the job begins in the file
	Hash        string             // of the whole definition, 16 hexadecimal digits: the same on every replica that has it
}

// Test is an expectation about a schedule: after From come exactly the moments
// of Next, at least one, and perhaps more.
type Test struct {
	From time.Time
	Next []time.Time
	Line int // where it begins in the file
}

// builtin returns what holds where nobody says otherwise.
func builtin() *Config {
	return &Config{
		Namespace:     "default",
		Redis:         Redis{Addr: defaultRedis, Protocol: 3},
		Lease:         Lease{Store: OnRedis, Etcd: Etcd{Prefix: "solocron"}},
		Admin:         Admin{Listen: "127.0.0.1:8080"},
		Log:           Log{Format: "auto"},
		Clock:         Clock{MaxOffset: 2 * time.Second},
		Metrics:       Metrics{PerJob: PerJobAuto},
		Tracing:       Tracing{SampleRatio: 1},
		ShutdownGrace: 30 * time.Second,
		Notify:        builtinNotify(),
		Defaults: Defaults{
			TimeZone:         "UTC",
			Timeout:          time.Hour,
			StartingDeadline: 10 * time.Minute,
			StopGracePeriod:  10 * time.Second,
		},
	}
}
