package admin

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/solocron/solocron/admin/access"
)

// Deps is what an API is made of. Engine, Ready and Log are needed.
type Deps struct {
	Engine   Engine
	Ledger   Ledger           // nil: nothing is said about pauses and leases
	Revoker  Revoker          // nil: no lease can be taken away
	Memory   *Memory          // nil: what has been is not known, and nothing but a trigger can be asked for
	Define   Define           // nil: policies are not shown
	Access   *access.Access   // nil: whoever speaks to a loopback name may do everything
	Loaded   *Loaded          // nil: nothing is said about the configuration of this replica
	Store    func() Store     // nil: nothing is said about what this replica thinks of the lease store
	Validate Validate         // nil: no configuration can be checked
	Schema   Schema           // nil: there is no JSON Schema of the configuration
	Ready    func() error     // nil when the replica can run jobs, or why not
	Started  func() bool      // whether it has ever been ready to; nil: as Ready says
	Draining func() bool      // whether it takes no more orders; nil: only after Drain
	Metrics  http.Handler     // nil: there is no /metrics
	Version  string           // of this program; may be empty
	Log      *slog.Logger     //
	Now      func() time.Time // this replica's clock; nil: time.Now
}

// API answers HTTP for one engine.
type API struct {
	Deps
	http      http.Handler  // everything on one listener
	probes    http.Handler  // what needs no right, on a listener of its own
	book      *book         // what is served, and the description of it
	followers chan struct{} // a place for each stream of output
	waiters   chan struct{} // a place for each request that waits for the end of a run
	checks    chan struct{} // a place for each configuration that is checked
	closing   chan struct{} // closed when streams are to end
	drain     sync.Once
	audience  *audience // what the streams of happenings share
	past      *memory   // the last answers of the store
}

// New returns the API of an engine.
func New(d Deps) *API {
	if d.Now == nil {
		d.Now = time.Now
	}
	a := &API{
		Deps: d, followers: make(chan struct{}, maxFollowers), waiters: make(chan struct{}, maxWaiters),
		checks: make(chan struct{}, maxChecks), closing: make(chan struct{}), audience: newAudience(), past: newMemory(),
	}
	a.book = newBook(a)
	a.describe(a.book)
	a.book.close()
	a.http, a.probes = a.front(), a.back()
	return a
}

// ServeHTTP answers one request, to the API or to the probes.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.http.ServeHTTP(w, r) }

// Probes answers for /livez, /startupz, /readyz, /metrics and /version alone, whoever
// asks and by whatever name. It is for a listener that only machines reach.
func (a *API) Probes() http.Handler { return a.probes }

// Drain ends the streams that go on for as long as a client stays. From there on
// nothing can be changed over this API.
func (a *API) Drain() { a.drain.Do(func() { close(a.closing) }) }

// describe enters all that is served. What this replica cannot do has no route.
func (a *API) describe(b *book) {
	a.jobRoutes(b)
	a.leaseRoutes(b)
	a.configRoutes(b)
	a.scheduleRoutes(b)
	a.documentRoutes(b)
	a.probeRoutes(b)
	if a.Memory == nil {
		return
	}
	a.steerRoutes(b)
	a.runRoutes(b)
	a.letterRoutes(b)
	a.replicaRoutes(b)
	a.streamRoutes(b)
}
