package redisclient

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/jobs"
)

// clientName is what CLIENT LIST shows of our connections.
const clientName = "solocron"

// New makes a client of s, a *redis.Client or a *redis.ClusterClient that package
// redislease accepts. It connects to nobody, but reads the files of TLS: the error
// says which of them is not what it should be, or what of s makes no sense.
func New(s Settings) (redis.UniversalClient, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	d := &dialer{limit: s.Try}
	if s.TLS != nil {
		d.secure = &material{files: *s.TLS}
		if err := d.secure.load(); err != nil {
			return nil, fmt.Errorf("%s.tls: %w", s.Section, err)
		}
	}
	login := credentials(s.Section+".password", s.Username, s.Password)
	if s.Cluster {
		o := redislease.ClusterOptions(s.Addrs, s.Try)
		o.ClientName, o.Protocol, o.Dialer, o.CredentialsProviderContext = clientName, s.Protocol, d.dial, login
		return redis.NewClusterClient(o), nil
	}
	o := redislease.Options(s.Addrs[0], s.Try)
	o.ClientName, o.Protocol, o.DB, o.Dialer, o.CredentialsProviderContext = clientName, s.Protocol, s.DB, d.dial, login
	if s.Sentinel != nil {
		o.Addr = s.Sentinel.Master // for people: who has it is found out for each connection
		o.Dialer = newMaster(&s, d).dial
	}
	return redis.NewClient(o), nil
}

type login = func(ctx context.Context) (user, password string, err error)

// credentials reads a password for each connection; nil if there is none. What
// goes wrong is an error of connecting: nothing has been sent.
func credentials(setting, user string, password jobs.Secret) login {
	if password.IsZero() {
		return nil
	}
	return func(context.Context) (string, string, error) {
		value, err := password.Value()
		if err == nil && value == "" {
			err = errors.New("it is empty")
		}
		if err != nil {
			return "", "", &net.OpError{Op: "dial", Net: "tcp", Err: fmt.Errorf("%s: %w", setting, err)}
		}
		return user, value, nil
	}
}
