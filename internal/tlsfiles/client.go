package tlsfiles

import "crypto/tls"

// Client returns how a client encrypts that shows the certificate and trusts the
// authorities of f, by default those of the system. For each connection the certificate
// is the one that its files hold then; the authorities stay those of now. The server's
// certificate must be for serverName; "": for the host that is connected to. The error
// names the file that is not what it should be.
func Client(f Files, serverName string) (*tls.Config, error) {
	c := new(Cache)
	papers, err := c.Read(f)
	if err != nil {
		return nil, err
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12, ServerName: serverName, RootCAs: papers.Authorities,
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			now, _ := c.Read(f) // the old one counts; a server that no longer takes it says so
			if len(now.Certificates) == 0 {
				return new(tls.Certificate), nil // none: the server decides what that means
			}
			return &now.Certificates[0], nil
		},
	}, nil
}
