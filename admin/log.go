package admin

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
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

// streamRoutes are those whose answers go on for as long as there is something to say.
func (a *API) streamRoutes(b *book) {
	query := func(name, doc string, schema *huma.Schema) *huma.Param {
		return &huma.Param{Name: name, In: "query", Description: doc, Schema: schema}
	}
	text := &huma.Schema{Type: huma.TypeString}
	if a.Memory.Output != nil {
		b.enterRaw(route{id: "showLog", path: base + "/runs/{run}/log", summary: "What a run printed", kind: "text/plain"}.
			reading(http.StatusBadRequest, http.StatusNotFound, http.StatusServiceUnavailable), []*huma.Param{
			{Name: "run", In: "path", Required: true, Description: "ID of the run.", Schema: text},
			query("follow", "Go on until the run has ended.", &huma.Schema{Type: huma.TypeBoolean}),
			query("attempt", "Only what this attempt printed.", &huma.Schema{Type: huma.TypeInteger}),
			query("tail", "Only so many lines at the end.", &huma.Schema{Type: huma.TypeInteger}),
		}, a.showLog)
	}
	if a.Memory.Feed != nil {
		b.enterRaw(route{id: "followEvents", path: base + "/events", summary: "What happens in the cluster, as it happens", kind: "text/event-stream"}.
			reading(http.StatusBadRequest, http.StatusServiceUnavailable), []*huma.Param{
			query("types", "Some of run, job, lease, replica and config, with commas; left out: all.", text),
			query("job", "Name of a job.", text),
			query("since", "ID of the last event that was seen.", text),
			{Name: "Last-Event-ID", In: "header", Description: "The same, as browsers say it.", Schema: text},
		}, a.events)
	}
}

// excerpt is what of the output of a run somebody wants to see.
type excerpt struct {
	follow  bool
	attempt int // 0: of all attempts
	tail    int // lines at the end; 0: all that is kept
}

const (
	maxTail    = 10_000
	maxAttempt = 1000
)

// showLog answers GET /runs/{run}/log?follow=&attempt=&tail= with what the run
// printed, as text. To follow it goes on until the run has ended.
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
	t := &tailing{api: a, w: w, run: r.PathValue("run"), text: tape{out: w, only: want.attempt}}
	if err := t.open(ctx, want.tail); err != nil {
		a.fail(w, r, err)
		return
	}
	t.follow(ctx, want.follow)
}

func excerptOf(r *http.Request) (want excerpt, err error) {
	q := r.URL.Query()
	switch q.Get("follow") {
	case "", "false":
	case "true":
		want.follow = true
	default:
		return want, badRequest("follow is true or false.")
	}
	for _, n := range []struct {
		name string
		most int
		into *int
	}{{"attempt", maxAttempt, &want.attempt}, {"tail", maxTail, &want.tail}} {
		text := q.Get(n.name)
		if text == "" {
			continue
		}
		if *n.into, err = strconv.Atoi(text); err != nil || *n.into < 1 || *n.into > n.most {
			return want, badRequest(fmt.Sprintf("%s is a number from 1 to %d.", n.name, n.most))
		}
	}
	return want, nil
}
