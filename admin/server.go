package admin

import (
	"log/slog"
	"net/http"
	"time"
)

// Server returns a server for a whose time-outs and limits keep a slow or
// hostile client from holding connections or memory. Its shutdown ends streams.
func (a *API) Server() *http.Server {
	s := &http.Server{
		Handler:           a,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(a.Log.Handler(), slog.LevelDebug),
	}
	s.RegisterOnShutdown(a.Drain)
	return s
}
