package admin

import (
	"net/http"
	"strings"
	"time"
)

// live answers GET /livez: this process serves. It says nothing of Redis, so
// that an outage there does not make an orchestrator restart every replica.
func (a *API) live(*http.Request) (response, error) {
	return response{body: map[string]any{"status": "ok"}}, nil
}

// readiness answers GET /readyz: this replica can run jobs, or why not.
func (a *API) readiness(*http.Request) (response, error) {
	err := a.Ready()
	if err == nil {
		return response{body: map[string]any{"ready": true, "reasons": []string{}}}, nil
	}
	reasons := reasonsOf(err)
	p := unavailable("not-ready", "Not ready", strings.Join(reasons, "; "), 2*time.Second)
	p.More = map[string]any{"ready": false, "reasons": reasons}
	return response{}, p
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
