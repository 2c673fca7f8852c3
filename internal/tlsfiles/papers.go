package tlsfiles

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxPEM bounds a file, in bytes: the authorities of a system have about 220 KiB.
const maxPEM = 4 << 20

// Papers is what files held when they were read. It is not changed after that: other
// papers are another pointer.
type Papers struct {
	Certificates []tls.Certificate // one's own, with its key: one or none
	Authorities  *x509.CertPool    // nil: no file names any
}

// read reads the files of f.
func (f Files) read() (*Papers, error) {
	p := new(Papers)
	if f.CA != "" {
		text, err := readPEM(f.CA)
		if err != nil {
			return nil, err
		}
		p.Authorities = x509.NewCertPool()
		if !p.Authorities.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s: holds no certificate in PEM", f.CA)
		}
	}
	if f.Cert == "" && f.Key == "" {
		return p, nil
	}
	own, err := f.pair()
	if err != nil {
		return nil, err
	}
	p.Certificates = []tls.Certificate{own}
	return p, nil
}

// pair reads a certificate and its key. The errors of crypto/tls say nothing of what
// is in the key.
func (f Files) pair() (tls.Certificate, error) {
	cert, err := readPEM(f.Cert)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := readPEM(f.Key)
	if err != nil {
		return tls.Certificate{}, err
	}
	own, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("%s and %s: %w", f.Cert, f.Key, err)
	}
	return own, nil
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
