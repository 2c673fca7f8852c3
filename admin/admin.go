package admin

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

// Engine is what the API shows and steers.
type Engine interface {
	// Trigger runs job now, outside its schedule, and returns when the run has
	// started. By says who asked.
	Trigger(ctx context.Context, job, by string) (jobs.Run, error)
	// Jobs returns a list of all jobs, which is the caller's to keep.
	Jobs() []scheduler.Status
	// Job returns one of them. The error matches scheduler.ErrUnknownJob.
	Job(name string) (scheduler.Status, error)
}

// api answers for one engine.
type api struct {
	engine  Engine
	ready   func() error
	metrics http.Handler
	log     *slog.Logger
}

// New returns the API of engine. Ready is nil when the replica can run jobs
// and says why not otherwise; metrics may be nil: then there is no /metrics.
func New(engine Engine, ready func() error, metrics http.Handler, log *slog.Logger) http.Handler {
	a := &api{engine: engine, ready: ready, metrics: metrics, log: log}
	return a.protect(a.mux())
}

// route is one row of the API.
type route struct {
	method, path string
	handle       http.Handler
}

func (a *api) routes() []route {
	routes := []route{
		{http.MethodGet, "/api/v1/jobs", a.answer(a.listJobs)},
		{http.MethodGet, "/api/v1/jobs/{job}", a.answer(a.getJob)},
		{http.MethodPost, "/api/v1/jobs/{job}/trigger", a.answer(a.trigger)},
		{http.MethodGet, "/livez", a.answer(a.live)},
		{http.MethodGet, "/readyz", a.answer(a.readiness)},
	}
	if a.metrics != nil {
		routes = append(routes, route{http.MethodGet, "/metrics", a.metrics})
	}
	return routes
}

// mux joins the routes with answers for what is not a route: another method
// on a known path is 405, any other path is 404.
func (a *api) mux() *http.ServeMux {
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
