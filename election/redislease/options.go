package redislease

import (
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Options returns settings for one Redis server at addr that New accepts. Give
// the lease store a client of its own, so that other traffic cannot starve
// renewals.
func Options(addr string, try time.Duration) *redis.Options {
	return &redis.Options{
		Addr:                     addr,
		ContextTimeoutEnabled:    true,
		MaxRetries:               -1,
		DialTimeout:              try,
		ReadTimeout:              try,
		WriteTimeout:             try,
		PoolTimeout:              try,
		DialerRetries:            1,
		MinIdleConns:             2,
		PoolSize:                 10,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
}

// ClusterOptions returns settings for a Redis Cluster, some of whose nodes are at
// addrs, that New accepts. Its client follows redirections, three in a row, and
// sends again what went wrong, so that scripts must bear it: ours do. It asks for
// the map of the slots once in every try: by itself it would go on to a master that
// has died for a minute. It asks for no list of commands: that takes up to five
// seconds, whatever its context says.
func ClusterOptions(addrs []string, try time.Duration) *redis.ClusterOptions {
	return &redis.ClusterOptions{
		Addrs:                      addrs,
		MaxRedirects:               3,
		ContextTimeoutEnabled:      true,
		MaxRetries:                 -1,
		MaxRetryBackoff:            try / 8,
		DialTimeout:                try,
		ReadTimeout:                try,
		WriteTimeout:               try,
		PoolTimeout:                try,
		DialerRetries:              1,
		MinIdleConns:               1,
		PoolSize:                   10,
		DisableRoutingPolicies:     true,
		ClusterStateReloadInterval: try,
		MaintNotificationsConfig:   &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
}

// suits reports every setting of rdb that a lease cannot live with.
func suits(rdb redis.UniversalClient, try time.Duration) error {
	if try <= 0 {
		return fmt.Errorf("redis try time-out %s: it must be above 0", try)
	}
	switch c := rdb.(type) {
	case *redis.Client:
		o := c.Options()
		return settings{
			contexts: o.ContextTimeoutEnabled, retries: o.MaxRetries,
			read: o.ReadTimeout, write: o.WriteTimeout, dial: o.DialTimeout, pool: o.PoolTimeout,
		}.suit(try)
	case *redis.ClusterClient:
		o := c.Options()
		return settings{
			contexts: o.ContextTimeoutEnabled, retries: o.MaxRetries,
			read: o.ReadTimeout, write: o.WriteTimeout, dial: o.DialTimeout, pool: o.PoolTimeout,
			readOnly: o.ReadOnly || o.RouteByLatency || o.RouteRandomly,
		}.suit(try)
	}
	return fmt.Errorf("redis client %T: a lease store needs a *redis.Client or a *redis.ClusterClient", rdb)
}

// settings is what a lease store must know of a client. A client that has been
// made holds 0 or -1 for no retries, and 0 or less for no time-out.
type settings struct {
	contexts                bool
	retries                 int
	read, write, dial, pool time.Duration
	readOnly                bool
}

func (s settings) suit(try time.Duration) error {
	var faults []error
	if !s.contexts {
		faults = append(faults, errors.New("redis option ContextTimeoutEnabled must be true: otherwise a call outlives its context"))
	}
	if s.retries > 0 {
		faults = append(faults, fmt.Errorf("redis option MaxRetries is %d, must be -1: a write sent again in secret may count twice", s.retries))
	}
	if s.readOnly {
		faults = append(faults, errors.New("redis options ReadOnly, RouteByLatency and RouteRandomly must be false: a replica's answer is old"))
	}
	for _, limit := range []struct {
		name  string
		value time.Duration
	}{{"ReadTimeout", s.read}, {"WriteTimeout", s.write}, {"DialTimeout", s.dial}, {"PoolTimeout", s.pool}} {
		if limit.value <= 0 || limit.value > try {
			faults = append(faults, fmt.Errorf("redis option %s is %s, must be above 0 and at most the try time-out %s: a longer wait eats the next try",
				limit.name, limit.value, try))
		}
	}
	return errors.Join(faults...)
}
