package admin

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// Alive says that a process serves.
type Alive struct {
	Status string `json:"status"`
}

// Readiness says that a replica can run jobs.
type Readiness struct {
	Ready   bool     `json:"ready"`
	Reasons []string `json:"reasons"`
}

// Build says what serves.
type Build struct {
	Version string `json:"version"`
}

// probeRoutes are for those who look after processes: everybody may ask.
func (a *API) probeRoutes(b *book) {
	probe := func(id, path, summary string, more ...int) route {
		return route{id: id, method: http.MethodGet, path: path, summary: summary, more: more}
	}
	enter(b, probe("live", "/livez", "Whether this process serves"), a.live)
	enter(b, probe("started", "/startupz", "Whether this replica has ever been able to run jobs", http.StatusServiceUnavailable), a.startup)
	enter(b, probe("ready", "/readyz", "Whether this replica can run jobs", http.StatusServiceUnavailable), a.readiness)
	enter(b, probe("version", "/version", "What serves"), a.version)
	if a.Metrics != nil {
		metrics := probe("metrics", "/metrics", "Figures for Prometheus")
		metrics.kind = "text/plain"
		b.enterRaw(metrics, nil, a.Metrics.ServeHTTP)
	}
}

// back answers probes alone, whoever asks.
func (a *API) back() http.Handler {
	return a.safe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/livez", "/startupz", "/readyz", "/version", "/metrics":
			a.book.mux.ServeHTTP(w, r)
		default:
			a.fail(w, r, &problemError{
				Type: "not-found", Title: "No such page", Status: http.StatusNotFound,
				Detail: "Here are /livez, /startupz, /readyz, /metrics and /version only.",
			})
		}
	}))
}

// live answers GET /livez. It says nothing of Redis, so that an outage there does not
// make an orchestrator restart every replica.
func (a *API) live(context.Context, *struct{}) (*body[Alive], error) {
	return answer(Alive{"ok"}), nil
}

// version answers GET /version.
func (a *API) version(context.Context, *struct{}) (*body[Build], error) {
	return answer(Build{a.Version}), nil
}

// startup answers GET /startupz: from the first time that this replica could run jobs
// it is up, whatever comes.
func (a *API) startup(ctx context.Context, in *struct{}) (*body[Readiness], error) {
	if a.Started != nil && a.Started() {
		return answer(Readiness{Ready: true, Reasons: []string{}}), nil
	}
	return a.readiness(ctx, in)
}

// readiness answers GET /readyz: this replica can run jobs, or why not.
func (a *API) readiness(context.Context, *struct{}) (*body[Readiness], error) {
	err := a.Ready()
	if err == nil {
		return answer(Readiness{Ready: true, Reasons: []string{}}), nil
	}
	reasons := reasonsOf(err)
	p := unavailable("not-ready", "Not ready", strings.Join(reasons, "; "), 2*time.Second)
	p.More = map[string]any{"ready": false, "reasons": reasons}
	return nil, p
}

// reasonsOf lists what err joins.
func reasonsOf(err error) []string {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []string{err.Error()}
	}
	var reasons []string
	for _, e := range joined.Unwrap() {
		reasons = append(reasons, e.Error())
	}
	return reasons
}
