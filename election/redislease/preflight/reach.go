package preflight

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
)

// CheckConnection is the check of the row of Unreached.
const CheckConnection = "connection"

// Unreached is the row of a server that gave err instead of an answer: what is most
// likely wrong, in the words of the configuration, whose section about the server
// is called section, such as "redis". Found is err as it is shown.
func Unreached(section string, err error, found string) Row {
	return Row{CheckConnection, Fail, found, strings.ReplaceAll(remedy(err), "@", section)}
}

// remedy says what to do about err; @ stands for the section of the configuration.
func remedy(err error) string {
	if fix := tlsRemedy(err); fix != "" {
		return fix
	}
	if fix := replyRemedy(err.Error()); fix != "" {
		return fix
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return "the server ended the connection at once: if its port speaks TLS, set @.tls: { enabled: true }; else see maxclients and protected-mode"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens there: see the address, and whether the server runs"
	case timeout(err):
		return "see the address, firewalls, and whether the server hangs; a port that speaks TLS (@.tls) may be silent too"
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return "the name of the host is not known: see the address"
	}
	return "see the address and the credentials of @"
}

// tlsRemedy is about what goes wrong between a client with TLS and a server.
func tlsRemedy(err error) string {
	text := err.Error()
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return "the port does not speak TLS: switch @.tls off, or connect to the server's tls-port"
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "set @.tls.ca to the file of the authority that signed the server's certificate"
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return "set @.tls.serverName to a name that the server's certificate has"
	}
	if _, ok := errors.AsType[x509.CertificateInvalidError](err); ok {
		return "renew the server's certificate, and see both clocks"
	}
	switch {
	case strings.Contains(text, "remote error: tls: "):
		return "the server does not take this client's certificate: see @.tls.cert and @.tls.key, and the server's tls-ca-cert-file"
	case strings.Contains(text, "tls handshake") && timeout(err):
		return "the port does not answer to TLS: most likely it speaks none; switch @.tls off, or connect to the server's tls-port"
	case strings.Contains(text, "tls handshake") && (errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)):
		return "the port ends a connection that begins with TLS: most likely it speaks none; switch @.tls off, or connect to the server's tls-port"
	}
	return ""
}

// replyRemedy is about what a server, or what reads the configuration, says.
func replyRemedy(text string) string {
	for _, r := range []struct{ says, fix string }{
		{"know no master", "see @.sentinel.master: SENTINEL MASTERS lists the names"},
		{"no sentinel names the master", "see @.addrs: they must be those of sentinels; and @.sentinel.username and @.sentinel.password"},
		{"WRONGPASS", "see @.username and @.password: the server knows no such pair"},
		{"invalid password", "see @.password: the server does not take it"},
		{"NOAUTH", "set @.password, and @.username if the server has users"},
		{"NOPERM", "allow the user what it needs: " + ACL("USER", "solocron")},
		{"SELECT is not allowed in cluster mode", "set @.db to 0, and @.cluster: true: the server is part of a Cluster"},
		{"DB index is out of range", "lower @.db, or raise databases of the server"},
		{"cluster support disabled", "take @.cluster out: the server is not part of a Cluster"},
		{".password: ", "make the password readable for this process"},
		{"MASTERDOWN", "connect to the master: this is a replica that has lost it"},
	} {
		if strings.Contains(text, r.says) {
			return r.fix
		}
	}
	return ""
}

func timeout(err error) bool {
	n, ok := errors.AsType[net.Error](err)
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || ok && n.Timeout()
}

// ACL is the one command that gives a user of Redis 7 all that this program
// needs, for keys and channels below prefix, and nothing else.
func ACL(user, prefix string) string {
	return "ACL SETUSER " + user + " on >PASSWORD resetkeys ~" + prefix + ":* resetchannels &" + prefix + ":* " + Commands
}

// Commands are the rules of ACL about commands.
const Commands = "-@all +@read +@write +@connection +@transaction +@pubsub -@dangerous" +
	" +eval +evalsha +time +info +config|get +acl|whoami +cluster|slots +cluster|keyslot +wait"
