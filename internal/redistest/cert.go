package redistest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// authority signs certificates for a test.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

// certLife is how long a certificate is good for: longer than any test.
const certLife = 24 * time.Hour

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := template("authority of a test")
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{cert: cert, key: key, pem: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}, nil
}

func template(name string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)) // fails for no limit above 0
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(certLife),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
}

// issue returns a certificate and its key in PEM, for server names and addresses
// or, without any, for a client.
func (a *authority) issue(name string, names []string, ips ...net.IP) (cert, key []byte, err error) {
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	t := template(name)
	t.DNSNames, t.IPAddresses = names, ips
	der, err := x509.CreateCertificate(rand.Reader, t, a.cert, &own.PublicKey, a.key)
	if err != nil {
		return nil, nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(own)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), nil
}

// Certificates are the files that a server with TLS and its clients need.
type Certificates struct {
	CA, Server, ServerKey, Client, ClientKey string // paths of PEM files
	ServerName                               string // in the certificate of the server, beside 127.0.0.1
}

// MakeCertificates writes a set of certificates into dir, an authority's, a
// server's and a client's. They are good for a day.
func MakeCertificates(dir string) (*Certificates, error) {
	ca, err := newAuthority()
	if err != nil {
		return nil, fmt.Errorf("making an authority: %w", err)
	}
	c := &Certificates{ServerName: "redis.test"}
	server, serverKey, err := ca.issue("server", []string{c.ServerName}, net.IPv4(127, 0, 0, 1))
	if err != nil {
		return nil, fmt.Errorf("making the certificate of a server: %w", err)
	}
	client, clientKey, err := ca.issue("client", nil)
	if err != nil {
		return nil, fmt.Errorf("making the certificate of a client: %w", err)
	}
	for _, f := range []struct {
		path *string
		name string
		text []byte
	}{
		{&c.CA, "ca.crt", ca.pem},
		{&c.Server, "server.crt", server},
		{&c.ServerKey, "server.key", serverKey},
		{&c.Client, "client.crt", client},
		{&c.ClientKey, "client.key", clientKey},
	} {
		*f.path = filepath.Join(dir, f.name)
		if err := os.WriteFile(*f.path, f.text, 0o600); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Config is how a client that trusts the authority reaches the server, with a
// certificate of its own.
func (c *Certificates) Config() (*tls.Config, error) {
	ca, err := os.ReadFile(c.CA)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("no certificate in %s", c.CA)
	}
	own, err := tls.LoadX509KeyPair(c.Client, c.ClientKey)
	if err != nil {
		return nil, err
	}
	return &tls.Config{
		RootCAs: pool, Certificates: []tls.Certificate{own}, ServerName: c.ServerName, MinVersion: tls.VersionTLS12,
	}, nil
}
