package admin

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/solocron/solocron/admin/access"
	webpage "github.com/solocron/solocron/admin/page" // page is what a list is cut into here
)

// Deps is what an API is made of. Engine, Ready and Log are needed.
type Deps struct {
	Engine   Engine
	Ledger   Ledger           // nil: nothing is said about pauses and leases
	Revoker  Revoker          // nil: no lease can be taken away
	Memory   *Memory          // nil: what has been is not known, and nothing but a trigger can be asked for
	Define   Define           // nil: policies are not shown
	Access   *access.Access   // nil: whoever speaks to a loopback name may do everything
	Current  func() *Loaded   // what this replica runs by; nil: nothing is said about it
	Reloaded func() *Reload   // how it went to read the configuration again; nil: it is read once
	Versions Versions         // the configurations that this replica knows; nil: none can be compared
	About    About            // where a job is defined; nil: nothing is said of it
	Store    func() Store     // nil: nothing is said about what this replica thinks of the lease store
	Validate Validate         // nil: no configuration can be checked
	Schema   Schema           // nil: there is no JSON Schema of the configuration
	Crasher  Crasher          // nil: no replica can be made to crash, as is right for all but a trial
	TTL      time.Duration    // of leases, from one renewal on; 0: it is not told
	Ready    func() error     // nil when the replica can run jobs, or why not
	Started  func() bool      // whether it has ever been ready to; nil: as Ready says
	Draining func() bool      // whether it takes no more orders; nil: only after Drain
	Metrics  http.Handler     // nil: there is no /metrics
	Page     webpage.Config   // where the web page is, and what it calls this place
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
	audience  *audience     // what the streams of happenings share
	past      *memory       // the last answers of the store
	screens   *webpage.Page // the web page
}

// New returns the API of an engine.
func New(d Deps) *API {
	if d.Now == nil {
		d.Now = time.Now
	}
	d.Engine = prudent{d.Engine}
	a := &API{
		Deps: d, followers: make(chan struct{}, maxFollowers), waiters: make(chan struct{}, maxWaiters),
		checks: make(chan struct{}, maxChecks), closing: make(chan struct{}), audience: newAudience(), past: newMemory(),
		screens: webpage.New(d.Page),
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
	a.signInRoutes(b)
	a.sessionRoutes(b)
	a.probeRoutes(b)
	if a.Memory == nil {
		return
	}
	a.steerRoutes(b)
	a.runRoutes(b)
	a.timelineRoutes(b)
	a.letterRoutes(b)
	a.replicaRoutes(b)
	a.streamRoutes(b)
}
