package daemon

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/internal/tlsfiles"
)

// lookEvery is how long the listener believes its files to be as it found them.
const lookEvery = time.Second

// papers is what the listener shows and asks of clients, read again when its files
// change.
type papers struct {
	files tlsfiles.Files
	log   *slog.Logger
	cache tlsfiles.Cache

	mu     sync.Mutex
	looked time.Time
	held   *tlsfiles.Papers // of which config is made
	fault  string           // of the last attempt
	config *tls.Config
}

// newPapers reads the files for the first time, when they must be right.
func newPapers(files config.AdminTLS, log *slog.Logger) (*papers, error) {
	p := &papers{files: tlsfiles.Files{Cert: files.Cert, Key: files.Key, CA: files.ClientCA}, log: log}
	var err error
	if p.held, err = p.cache.Read(p.files); err != nil {
		return nil, fmt.Errorf("admin.tls: %w", err)
	}
	p.config = serving(p.held)
	return p, nil
}

// server is for an http.Server. Each connection gets what the files hold now.
func (p *papers) server() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return p.current(time.Now()), nil },
	}
}

// current returns what the files hold, or held before they were no longer right, as
// in the middle of an exchange.
func (p *papers) current(now time.Time) *tls.Config {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.looked) < lookEvery {
		return p.config
	}
	p.looked = now
	held, err := p.cache.Read(p.files)
	switch {
	case err == nil && held != p.held:
		p.held, p.config, p.fault = held, serving(held), ""
		p.log.Info("certificates read again", "cert", p.files.Cert, "until", held.Certificates[0].Leaf.NotAfter)
	case err == nil:
		p.fault = ""
	case err.Error() != p.fault: // once for each fault, not for each connection
		p.fault = err.Error()
		p.log.Error("certificates not read again; those of before still serve", "err", err)
	}
	return p.config
}

// serving is how a server encrypts with what its files hold. If they name authorities
// it asks clients for a certificate, which they need not have, as they may say in other
// ways who they are. Nobody resumes a connection then: with an authority that is no
// longer trusted, its clients are gone at once.
func serving(held *tlsfiles.Papers) *tls.Config {
	c := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: held.Certificates, NextProtos: []string{"h2", "http/1.1"}}
	if held.Authorities != nil {
		c.ClientCAs, c.ClientAuth, c.SessionTicketsDisabled = held.Authorities, tls.VerifyClientCertIfGiven, true
	}
	return c
}
