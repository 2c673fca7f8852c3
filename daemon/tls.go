package daemon

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/solocron/solocron/config"
)

const (
	maxPEM    = 4 << 20 // bytes of a file of certificates
	lookEvery = time.Second
)

// papers is what the listener shows and asks of clients, read again when its files
// change.
type papers struct {
	files config.AdminTLS
	log   *slog.Logger

	mu     sync.Mutex
	looked time.Time
	seen   []os.FileInfo // of the files as they were read last
	fault  string        // of the last attempt
	config *tls.Config
}

// newPapers reads the files for the first time, when they must be right.
func newPapers(files config.AdminTLS, log *slog.Logger) (*papers, error) {
	p := &papers{files: files, log: log}
	if err := p.read(); err != nil {
		return nil, fmt.Errorf("admin.tls: %w", err)
	}
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
	err := p.read()
	switch {
	case err == nil:
		p.fault = ""
	case err.Error() != p.fault: // once for each fault, not for each connection
		p.fault = err.Error()
		p.log.Error("certificates not read again; those of before still serve", "err", err)
	}
	return p.config
}

// read takes the files over unless they are those that were read last.
func (p *papers) read() error {
	now, err := p.stat()
	if err != nil || p.seen != nil && alike(now, p.seen) {
		return err
	}
	cert, err := readPEM(p.files.Cert)
	if err != nil {
		return err
	}
	key, err := readPEM(p.files.Key)
	if err != nil {
		return err
	}
	own, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return fmt.Errorf("%s and %s: %w", p.files.Cert, p.files.Key, err)
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{own}, NextProtos: []string{"h2", "http/1.1"}}
	if p.files.ClientCA != "" {
		if err := askClients(c, p.files.ClientCA); err != nil {
			return err
		}
	}
	if p.seen != nil {
		p.log.Info("certificates read again", "cert", p.files.Cert, "until", own.Leaf.NotAfter)
	}
	p.seen, p.config = now, c
	return nil
}

// askClients has c ask clients for a certificate, which they need not have, as they
// may say in other ways who they are. Nobody resumes a connection: with an authority
// that is no longer trusted, its clients are gone at once.
func askClients(c *tls.Config, ca string) error {
	text, err := readPEM(ca)
	if err != nil {
		return err
	}
	c.ClientCAs = x509.NewCertPool()
	if !c.ClientCAs.AppendCertsFromPEM(text) {
		return fmt.Errorf("%s: holds no certificate in PEM", ca)
	}
	c.ClientAuth, c.SessionTicketsDisabled = tls.VerifyClientCertIfGiven, true
	return nil
}

func (p *papers) stat() ([]os.FileInfo, error) {
	var infos []os.FileInfo
	for _, path := range []string{p.files.Cert, p.files.Key, p.files.ClientCA} {
		if path == "" {
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		infos = append(infos, info)
	}
	return infos, nil
}

// alike reports whether two looks at files found the same.
func alike(a, b []os.FileInfo) bool {
	for i := range a {
		if !os.SameFile(a[i], b[i]) || a[i].Size() != b[i].Size() || !a[i].ModTime().Equal(b[i].ModTime()) {
			return false
		}
	}
	return true
}

func readPEM(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxPEM+1))
	if err == nil && len(text) > maxPEM {
		err = errors.New("is larger than 4 MiB")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}
