package admin

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Deps is what an API is made of. Engine, Ready and Log are needed.
type Deps struct {
	Engine  Engine
	Ledger  Ledger           // nil: nothing is said about pauses
	Memory  *Memory          // nil: what has been is not known, and nothing but a trigger can be asked for
	Define  Define           // nil: policies are not shown
	Ready   func() error     // nil when the replica can run jobs, or why not
	Metrics http.Handler     // nil: there is no /metrics
	Log     *slog.Logger     //
	Now     func() time.Time // this replica's clock; nil: time.Now
}

// API answers HTTP for one engine.
type API struct {
	Deps
	http      http.Handler
	followers chan struct{} // a place for each stream
	closing   chan struct{} // closed when streams are to end
	drain     sync.Once
}

// New returns the API of an engine.
func New(d Deps) *API {
	if d.Now == nil {
		d.Now = time.Now
	}
	a := &API{Deps: d, followers: make(chan struct{}, maxFollowers), closing: make(chan struct{})}
	a.http = a.protect(a.mux())
	return a
}

// ServeHTTP answers one request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.http.ServeHTTP(w, r) }

// Drain ends the streams that go on for as long as a client stays.
func (a *API) Drain() { a.drain.Do(func() { close(a.closing) }) }

// route is one row of the API.
type route struct {
	method, path string
	handle       http.Handler
}

func (a *API) routes() []route {
	routes := []route{
		{http.MethodGet, "/api/v1/jobs", a.answer(a.listJobs)},
		{http.MethodGet, "/api/v1/jobs/{job}", a.answer(a.getJob)},
		{http.MethodPost, "/api/v1/jobs/{job}/trigger", a.answer(a.trigger)},
		{http.MethodGet, "/livez", a.answer(a.live)},
		{http.MethodGet, "/readyz", a.answer(a.readiness)},
	}
	if a.Memory != nil {
		routes = append(routes, a.memoryRoutes()...)
	}
	if a.Metrics != nil {
		routes = append(routes, route{http.MethodGet, "/metrics", a.Metrics})
	}
	return routes
}

// memoryRoutes are those that need something that remembers.
func (a *API) memoryRoutes() []route {
	routes := []route{
		{http.MethodPost, "/api/v1/jobs/{job}/pause", a.answer(a.pause)},
		{http.MethodPost, "/api/v1/jobs/{job}/resume", a.answer(a.resume)},
		{http.MethodPost, "/api/v1/jobs/{job}/skip-next", a.answer(a.skipNext)},
		{http.MethodPost, "/api/v1/jobs/{job}/snooze", a.answer(a.snooze)},
		{http.MethodPost, "/api/v1/jobs/{job}/backfill", a.answer(a.backfill)},
		{http.MethodGet, "/api/v1/jobs/{job}/runs", a.answer(a.listRuns)},
		{http.MethodGet, "/api/v1/jobs/{job}/ticks/{tick}", a.answer(a.why)},
		{http.MethodGet, "/api/v1/runs", a.answer(a.openRuns)},
		{http.MethodGet, "/api/v1/runs/{run}", a.answer(a.getRun)},
		{http.MethodPost, "/api/v1/runs/{run}/cancel", a.answer(a.cancel)},
		{http.MethodPost, "/api/v1/runs/{run}/rerun", a.answer(a.rerun)},
		{http.MethodGet, "/api/v1/dead-letters", a.answer(a.deadLetters)},
		{http.MethodPost, "/api/v1/dead-letters/{run}/acknowledge", a.answer(a.acknowledge)},
		{http.MethodPost, "/api/v1/dead-letters/{run}/redrive", a.answer(a.redrive)},
		{http.MethodGet, "/api/v1/activity", a.answer(a.activity)},
	}
	if a.Memory.Output != nil {
		routes = append(routes, route{http.MethodGet, "/api/v1/runs/{run}/log", a.guard(a.showLog)})
	}
	if a.Memory.Members != nil {
		routes = append(routes, route{http.MethodGet, "/api/v1/replicas", a.answer(a.replicas)})
	}
	return routes
}

// mux joins the routes with answers for what is not a route: another method
// on a known path is 405, any other path is 404.
func (a *API) mux() *http.ServeMux {
	mux := http.NewServeMux()
	methods := map[string][]string{}
	for _, r := range a.routes() {
		mux.Handle(r.method+" "+r.path, r.handle)
		methods[r.path] = append(methods[r.path], r.method)
		if r.method == http.MethodGet {
			methods[r.path] = append(methods[r.path], http.MethodHead) // ServeMux serves it too
		}
	}
	for path, allowed := range methods {
		slices.Sort(allowed)
		mux.Handle(path, a.answer(func(*http.Request) (response, error) {
			return response{}, methodNotAllowed(strings.Join(allowed, ", "))
		}))
	}
	mux.Handle("/", a.answer(func(r *http.Request) (response, error) {
		return response{}, noSuchRoute(r.URL.EscapedPath())
	}))
	return mux
}
