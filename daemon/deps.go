package daemon

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/admin/access"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/notify"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// Store is a lease store as a replica needs it.
type Store interface {
	election.Store
	scheduler.Ledger
	// Check returns nil when leases can be kept in the store now, and
	// otherwise why not; the warnings are for the log.
	Check(ctx context.Context) (warnings []string, err error)
}

// Members is the live replicas.
type Members interface {
	scheduler.Peers
	admin.Members
	// Run makes this replica known until ctx ends, and hands on the others' news.
	Run(ctx context.Context, news func(scheduler.News)) error
	// Drain makes it known that this replica takes nothing more.
	Drain()
	// SetOffset notes what this replica's clock is ahead of the store's.
	SetOffset(d time.Duration)
	// SetRevision makes it known that this replica has another configuration.
	SetRevision(revision string)
}

// Journal is what a scheduler and an API keep in a journal.
type Journal interface {
	scheduler.Journal
	admin.Journal
}

// Memory is what the cluster remembers. Journal is needed; the rest may be left out.
type Memory struct {
	Journal Journal
	Output  journal.Logs       // nil: what runs print is not kept
	Seen    *journal.Sightings // nil: this replica forgets at once what it saw of ticks
	Inquiry journal.Inquiry    // answers for Seen; nil: nobody is asked
	Feed    *journal.Feed      // nil: nobody is told what happens as it happens
}

// Deps is what a Daemon is built from. Store is needed; the rest may be left out.
type Deps struct {
	Store          Store
	Members        Members                       // nil: there are no other replicas
	Memory         *Memory                       // nil: nothing is remembered, and what is asked for is done here and now
	Replica        string                        // id; "": made from the name in the configuration
	Log            *slog.Logger                  // nil: nothing is logged
	Metrics        *telemetry.Metrics            // nil: nothing is counted
	MetricsHandler http.Handler                  // nil: no /metrics
	Elsewhere      access.Elsewhere              // where people sign in; needed if the configuration names an issuer
	Observers      []scheduler.Observer          // told what happens, after metrics and log
	File           string                        // path of the configuration, for people, and to be watched if there is Load; may be empty
	Load           Load                          // nil: the configuration is read once. Needs File
	Reloaded       []func(*config.Config)        // told, one after the other, what is in force after each reload
	Trace          func(jobs.Runner) jobs.Runner // tells runs of the trace they are in; nil: they are in none
	Alerts         *notify.Notifier              // of the same configuration; nil: nobody is told what becomes of jobs
	Kinds          []jobs.Kind                   // that a configuration may have jobs of; nil: the API neither checks nor describes any
	Clock          election.Clock                // what deadlines are read off; nil: election.BootClock
}

// maxReplicaName is how many bytes of a replica's name its id keeps: a pod may
// have 253, and the records of leases have place for 200.
const maxReplicaName = 180

// ReplicaID makes the id of a process from its name, which may be that of a pod
// or a host: two processes on one host, and a pod and its successor of the same
// name, must not be taken for one.
func ReplicaID(name string) string {
	if name == "" {
		name, _ = os.Hostname() // an empty name is still unique by its suffix
	}
	if len(name) > maxReplicaName {
		name = strings.ToValidUTF8(name[:maxReplicaName], "")
	}
	suffix := make([]byte, 3)
	_, _ = rand.Read(suffix) // never fails
	return name + "-" + hex.EncodeToString(suffix)
}
