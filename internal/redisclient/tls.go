package redisclient

import (
	"crypto/tls"

	"github.com/solocron/solocron/internal/tlsfiles"
)

// material is what encrypting needs, read again when its files change.
type material struct {
	files TLS
	cache tlsfiles.Cache
}

func (t TLS) paths() tlsfiles.Files { return tlsfiles.Files{Cert: t.Cert, Key: t.Key, CA: t.CA} }

// load reads the files.
func (m *material) load() error {
	_, err := m.cache.Read(m.files.paths())
	return err
}

// config is how to encrypt a connection to host, with what the files hold now. If
// they do not fit together, as in the middle of an exchange, with what they held:
// a server that no longer takes that says so. They have been loaded.
func (m *material) config(host string) *tls.Config {
	c := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: host}
	if papers, _ := m.cache.Read(m.files.paths()); papers != nil {
		c.RootCAs, c.Certificates = papers.Authorities, papers.Certificates
	}
	if m.files.ServerName != "" {
		c.ServerName = m.files.ServerName
	}
	return c
}

// TLSConfig makes of files how a client of another kind than Redis' encrypts. The
// client's certificate is read again when its files change; the authorities are not.
func TLSConfig(files TLS) (*tls.Config, error) {
	return tlsfiles.Client(files.paths(), files.ServerName)
}
