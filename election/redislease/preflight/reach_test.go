package preflight_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/solocron/solocron/election/redislease/preflight"
)

func TestAServerThatIsNotReachedHasARemedyInTheWordsOfTheConfiguration(t *testing.T) {
	t.Parallel()
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	for want, err := range map[string]error{
		"the port does not speak TLS: switch lease.redlock.tls off": dial(fmt.Errorf("tls handshake: %w", tls.RecordHeaderError{})),
		"most likely it speaks none; switch lease.redlock.tls off":  dial(fmt.Errorf("tls handshake: %w", context.DeadlineExceeded)),
		"the port ends a connection that begins with TLS":           dial(fmt.Errorf("tls handshake: %w", io.EOF)),
		"set lease.redlock.tls.ca":                                  dial(x509.UnknownAuthorityError{}),
		"set lease.redlock.tls.serverName":                          dial(x509.HostnameError{Certificate: new(x509.Certificate)}),
		"renew the server's certificate":                            dial(x509.CertificateInvalidError{Reason: x509.Expired}),
		"does not take this client's certificate":                   errors.New("remote error: tls: certificate required"),
		"set lease.redlock.tls: { enabled: true }":                  io.EOF,
		"protected-mode":                                          syscall.ECONNRESET,
		"nothing listens there":                                   dial(syscall.ECONNREFUSED),
		"see the address, firewalls":                              context.DeadlineExceeded,
		"the name of the host is not known":                       dial(&net.DNSError{Err: "no such host", IsNotFound: true}),
		"see lease.redlock.username and lease.redlock.password":   errors.New("WRONGPASS invalid username-password pair"),
		"see lease.redlock.password: the server does not take it": errors.New("ERR invalid password"),
		"and lease.redlock.sentinel.username and lease":           dial(errors.New("no sentinel names the master \"m\": sentinel s:1: WRONGPASS invalid")),
		"set lease.redlock.password, and":                         errors.New("NOAUTH Authentication required"),
		"ACL SETUSER USER on >PASSWORD resetkeys ~solocron:*":     errors.New("NOPERM this user has no permissions to run the 'ping' command"),
		"set lease.redlock.db to 0":                               errors.New("ERR SELECT is not allowed in cluster mode"),
		"lower lease.redlock.db":                                  errors.New("ERR DB index is out of range"),
		"take lease.redlock.cluster out":                          errors.New("ERR This instance has cluster support disabled"),
		"make the password readable":                              dial(errors.New("lease.redlock.password: environment variable X is not set")),
		"see the address and the credentials of lease.redlock":    errors.New("something else"),
	} {
		got := preflight.Unreached("lease.redlock", err, "words")
		if got.State != preflight.Fail || got.Check != preflight.CheckConnection || got.Found != "words" || !strings.Contains(got.Fix, want) {
			t.Errorf("%v: got %+v, want what says %q", err, got, want)
		}
	}
}
