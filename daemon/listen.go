package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/config"
)

// door is one address with what answers there.
type door struct {
	name      string
	listener  net.Listener
	server    *http.Server
	encrypted bool // its TLSConfig does not tell: package http fills that in when it serves
}

// open binds the addresses of a, that of the API first; none if it has none. What
// was bound before one fails is given back.
func open(a config.Admin, with admin.Deps, log *slog.Logger) (doors []door, err error) {
	defer func() {
		if err != nil {
			for _, d := range doors {
				err = errors.Join(err, d.listener.Close())
			}
			doors = nil
		}
	}()
	if a.Listen == "" {
		return nil, nil
	}
	api := admin.New(with)
	main := api.Server()
	if a.TLS.Cert != "" {
		p, err := newPapers(a.TLS, log)
		if err != nil {
			return nil, err
		}
		main.TLSConfig = p.server()
	}
	if doors, err = bind(doors, "listen", a.Listen, main); err != nil || a.Probes == "" {
		return doors, err
	}
	probes := api.Server()
	probes.Handler = api.Probes()
	return bind(doors, "probes", a.Probes, probes)
}

func bind(doors []door, name, addr string, s *http.Server) ([]door, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return doors, fmt.Errorf("admin.%s: %w", name, err)
	}
	return append(doors, door{name, l, s, s.TLSConfig != nil}), nil
}

// serve answers until the server is shut down, which is no error.
func (d door) serve() error {
	var err error
	if d.encrypted {
		err = d.server.ServeTLS(d.listener, "", "")
	} else {
		err = d.server.Serve(d.listener)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// listenerError ends a replica whose HTTP listener failed: nobody could steer
// or probe it any more.
type listenerError struct{ err error }

func (e *listenerError) Error() string { return "http listener: " + e.err.Error() }
func (e *listenerError) Unwrap() error { return e.err }

// serve answers HTTP until undo runs. Probes are answered longest: they say that this
// replica drains.
func (d *Daemon) serve(undo *teardown, cancel context.CancelCauseFunc) {
	var serving sync.WaitGroup
	undo.push("http", func(ctx context.Context) error { return wait(ctx, &serving) })
	for _, door := range slices.Backward(d.doors) {
		serving.Go(func() {
			if err := door.serve(); err != nil {
				cancel(&listenerError{err})
			}
		})
		d.log.Info("listening", "for", door.name, "addr", door.listener.Addr().String(), "tls", door.encrypted)
	}
	for _, door := range slices.Backward(d.doors) {
		undo.push("http listener "+door.name, func(ctx context.Context) error {
			if err := door.server.Shutdown(ctx); err != nil {
				return errors.Join(err, door.server.Close())
			}
			return nil
		})
	}
}
