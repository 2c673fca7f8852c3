package admin

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"
)

const (
	maxFollowers = 64                     // streams at once
	followLimit  = time.Hour              // for one of them
	followPause  = 250 * time.Millisecond // between two looks for more
	rowEvery     = 4                      // looks, at one of which it is asked whether the run has ended
	writeLimit   = 30 * time.Second       // for one piece to reach the client
)

// guard makes a handler that writes its answer by itself end only its own request
// when it panics.
func (a *API) guard(h http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				a.Log.Error("request panicked", "method", r.Method, "path", r.URL.Path,
					"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			}
		}()
		h(w, r)
	})
}

// showLog answers GET /api/v1/runs/{run}/log?follow= with what the run printed, as
// text. To follow it goes on until the run has ended.
func (a *API) showLog(w http.ResponseWriter, r *http.Request) {
	follow, err := followOf(r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	if follow {
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
	t := &tailing{api: a, w: w, run: r.PathValue("run"), text: tape{out: w}}
	if err := t.open(ctx); err != nil {
		a.fail(w, r, err)
		return
	}
	t.follow(ctx, follow)
}

func followOf(r *http.Request) (bool, error) {
	switch r.URL.Query().Get("follow") {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, badRequest("follow is true or false.")
}
