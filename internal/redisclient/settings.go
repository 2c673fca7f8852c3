package redisclient

import (
	"errors"
	"fmt"
	"time"

	"github.com/solocron/solocron/jobs"
)

// Settings says how to reach a Redis.
type Settings struct {
	Section  string        // of the configuration, for errors: "redis"
	Addrs    []string      // host:port: of the server, of sentinels, or of some nodes of a Cluster
	Sentinel *Sentinel     // nil: the addresses are not those of sentinels
	Cluster  bool          // the addresses are those of nodes of a Cluster
	Username string        // of an ACL; "" for the default user
	Password jobs.Secret   // read for each connection; the zero Secret for none
	DB       int           // 0 in a Cluster
	Protocol int           // RESP 2 or 3; 0 for 3
	TLS      *TLS          // nil: nothing is encrypted
	Try      time.Duration // the longest that connecting, sending and receiving may each take
}

// Sentinel names a master that sentinels watch, and as whom they are asked.
type Sentinel struct {
	Master   string
	Username string
	Password jobs.Secret // read for each connection
}

// TLS says which files encrypt with. They are read again for a connection when
// they have changed; while the new ones do not fit together the old ones count.
type TLS struct {
	CA         string // authorities to trust, PEM; "": those of the system
	Cert, Key  string // of this client, PEM; "" for none
	ServerName string // in the certificate of the server; "": the host that is connected to
}

// check reports what no client could be made of.
func (s *Settings) check() error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf(s.Section+" "+format, args...))
	}
	if s.Try <= 0 {
		fault("try time-out %s: it must be above 0", s.Try)
	}
	if len(s.Addrs) == 0 {
		fault("has no address")
	}
	switch {
	case s.Sentinel != nil && s.Cluster:
		fault("is both behind sentinels and a Cluster: it can be one of them")
	case s.Sentinel != nil && s.Sentinel.Master == "":
		fault("sentinels are asked for a master without a name")
	case s.Sentinel == nil && !s.Cluster && len(s.Addrs) > 1:
		fault("has %d addresses, and is neither behind sentinels nor a Cluster", len(s.Addrs))
	case s.Cluster && s.DB != 0:
		fault("database %d in a Cluster: it has only 0", s.DB)
	}
	if s.Protocol != 0 && s.Protocol != 2 && s.Protocol != 3 {
		fault("protocol %d: it must be 2 or 3", s.Protocol)
	}
	return errors.Join(faults...)
}
