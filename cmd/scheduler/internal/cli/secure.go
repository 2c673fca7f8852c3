package cli

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/solocron/solocron/internal/tlsfiles"
)

// Papers names the files, in PEM, by which a client and a server know each other. They
// are read when a client is made, and the client's own again when they change.
type Papers struct {
	Cert, Key string // of this client; "": of the environment, or none
	CA        string // authorities to trust; "": of the environment, or those of the system
}

// secure has transport encrypt with what o names. What flags name must be of use: a
// server that is not reached over TLS would never see it.
func (o *Options) secure(transport *http.Transport, encrypted bool) error {
	if !encrypted {
		if o.Papers != (Papers{}) {
			return Exit(Usage, errors.New("--client-cert, --client-key and --ca-file are for a server at https://"))
		}
		return nil
	}
	f := tlsfiles.Files{
		Cert: cmp.Or(o.Papers.Cert, o.Env("SOLOCRON_CLIENT_CERT")),
		Key:  cmp.Or(o.Papers.Key, o.Env("SOLOCRON_CLIENT_KEY")),
		CA:   cmp.Or(o.Papers.CA, o.Env("SOLOCRON_CA_FILE")),
	}
	if (f.Cert == "") != (f.Key == "") {
		return Exit(Usage, errors.New("a client certificate is two files: --client-cert and --client-key"))
	}
	var err error
	if transport.TLSClientConfig, err = tlsfiles.Client(f, ""); err != nil {
		return Exit(BadConfig, fmt.Errorf("TLS: %w", err))
	}
	return nil
}

// remedy says what may help against an error of reaching a server.
func remedy(err error) string {
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "; if the authority is your own, name it with --ca-file"
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return "; --server must have a name that the certificate is for"
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok || errors.Is(err, http.ErrSchemeMismatch) {
		return "; it speaks no TLS there: is it http:// for --server?"
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "remote error" && strings.HasPrefix(op.Err.Error(), "tls: ") {
		return "; the server does not take this client: see --client-cert"
	}
	return "; is it the address of a replica? See --server"
}
