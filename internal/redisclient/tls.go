package redisclient

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// maxPEM bounds a file of certificates: those of the system have about 220 KiB.
const maxPEM = 4 << 20

// material is what encrypting needs, read again when its files change.
type material struct {
	files TLS

	mu    sync.Mutex
	seen  []os.FileInfo // of the files as they were read last
	roots *x509.CertPool
	certs []tls.Certificate
}

// config is how to encrypt a connection to host, with what the files hold now. If
// they do not fit together, as in the middle of an exchange, with what they held.
func (m *material) config(host string) *tls.Config {
	_ = m.load() // the old ones count; a server that no longer takes them says so
	m.mu.Lock()
	defer m.mu.Unlock()
	c := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: host, RootCAs: m.roots, Certificates: m.certs}
	if m.files.ServerName != "" {
		c.ServerName = m.files.ServerName
	}
	return c
}

// load reads the files unless they are those that were read last.
func (m *material) load() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, err := m.stat()
	if err != nil || m.seen != nil && same(now, m.seen) {
		return err
	}
	var roots *x509.CertPool
	if m.files.CA != "" {
		if roots, err = authorities(m.files.CA); err != nil {
			return err
		}
	}
	var certs []tls.Certificate
	if m.files.Cert != "" || m.files.Key != "" {
		own, err := pair(m.files.Cert, m.files.Key)
		if err != nil {
			return err
		}
		certs = append(certs, own)
	}
	m.seen, m.roots, m.certs = now, roots, certs
	return nil
}

// stat looks at the files.
func (m *material) stat() ([]os.FileInfo, error) {
	infos := make([]os.FileInfo, 0, 3)
	for _, path := range []string{m.files.CA, m.files.Cert, m.files.Key} {
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

func same(a, b []os.FileInfo) bool {
	for i := range a {
		if !os.SameFile(a[i], b[i]) || a[i].Size() != b[i].Size() || !a[i].ModTime().Equal(b[i].ModTime()) {
			return false
		}
	}
	return true
}

func authorities(path string) (*x509.CertPool, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", path)
	}
	return pool, nil
}

// pair reads a certificate and its key. The errors of crypto/tls say nothing of
// what is in the key.
func pair(certPath, keyPath string) (tls.Certificate, error) {
	cert, err := read(certPath)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := read(keyPath)
	if err != nil {
		return tls.Certificate{}, err
	}
	own, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("%s and %s: %w", certPath, keyPath, err)
	}
	return own, nil
}

func read(path string) ([]byte, error) {
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

// TLSConfig makes of files how a client of another kind than Redis' encrypts. The
// client's certificate is read again when its files change; the authorities are not.
func TLSConfig(files TLS) (*tls.Config, error) {
	m := &material{files: files}
	if err := m.load(); err != nil {
		return nil, err
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12, ServerName: files.ServerName, RootCAs: m.roots,
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			if now := m.config("").Certificates; len(now) > 0 {
				return &now[0], nil
			}
			return new(tls.Certificate), nil // none: the server decides what that means
		},
	}, nil
}
