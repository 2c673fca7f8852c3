package admin

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

const (
	maxFollowers = 64                     // streams at once
	followLimit  = time.Hour              // for one of them
	followPause  = 250 * time.Millisecond // between two looks for more
	rowEvery     = 4                      // looks, at one of which it is asked whether the run has ended
	writeLimit   = 30 * time.Second       // for one piece to reach the client
)

const (
	kindEvents = "text/event-stream"
	kindText   = "text/plain"
)

// streamRoutes are those whose answers go on for as long as there is something to say.
func (a *API) streamRoutes(b *book) {
	query := func(name, doc string, schema *huma.Schema) *huma.Param {
		return &huma.Param{Name: name, In: "query", Description: doc, Schema: schema}
	}
	text, truth := &huma.Schema{Type: huma.TypeString}, &huma.Schema{Type: huma.TypeBoolean}
	back := &huma.Param{Name: "Last-Event-ID", In: "header", Description: "ID of the last event that was seen, as browsers say it.", Schema: text}
	if a.Memory.Output != nil {
		op := b.enterRaw(route{
			id: "showLog", path: base + "/runs/{run}/log", summary: "What a run printed", kind: kindText,
			about: "As text, or as events for whoever accepts text/event-stream: each line is one (line), what was not kept another (gap), " +
				"and the last says that the run has ended and all was told (end); bye ends a stream that can be gone on with, by the ID of the last event. " +
				"IDs are offsets. A text names the offset at which it goes on in the trailer Log-Next, and says in Log-Truncated that something was left out.",
		}.reading(http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusServiceUnavailable), []*huma.Param{
			{Name: "run", In: "path", Required: true, Description: "ID of the run.", Schema: text},
			query("follow", "Go on until the run has ended. A stream of events does unless this is false.", truth),
			query("attempt", "Only what this attempt printed.", &huma.Schema{Type: huma.TypeInteger}),
			query("tail", "Only so many lines at the end.", &huma.Schema{Type: huma.TypeInteger}),
			query("offset", "Only what comes behind so many bytes of all that was printed. It stays where it is whatever comes or is forgotten.", &huma.Schema{Type: huma.TypeInteger}),
			query("since", "Only lines printed not before, by the clock of the replica that ran it.", &huma.Schema{Type: huma.TypeString, Format: "date-time"}),
			query("timestamps", "Begin each line with when it was printed. Events always say it.", truth),
			back,
		}, a.showLog)
		op.Responses["200"].Content[kindEvents] = &huma.MediaType{}
	}
	if a.Memory.Feed != nil {
		b.enterRaw(route{id: "followEvents", path: base + "/events", summary: "What happens in the cluster, as it happens", kind: kindEvents}.
			reading(http.StatusBadRequest, http.StatusServiceUnavailable), []*huma.Param{
			query("types", "Some of run, job, lease, replica and config, with commas; left out: all.", text),
			query("job", "Name of a job.", text),
			query("since", "ID of the last event that was seen.", text),
			back,
		}, a.events)
	}
}

// showLog answers GET /runs/{run}/log with what the run printed. To follow it goes on
// until the run has ended.
func (a *API) showLog(w http.ResponseWriter, r *http.Request) {
	want, err := excerptOf(r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	if want.follow {
		select {
		case a.followers <- struct{}{}:
			defer func() { <-a.followers }()
		default:
			a.fail(w, r, unavailable("too-many-followers", "Too many followers",
				fmt.Sprintf("%d clients follow the output of runs already.", maxFollowers), 10*time.Second))
			return
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), followLimit)
	defer cancel()
	t := newTailing(a, w, r.PathValue("run"), &want)
	if err := t.open(ctx, want.tail); err != nil {
		a.fail(w, r, err)
		return
	}
	t.follow(ctx, want.follow)
}
