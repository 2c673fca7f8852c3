package config

import (
	"fmt"
	"slices"
	"time"

	"github.com/solocron/solocron/jobs"
)

// Embedded as Redis.Addr asks for a Redis inside this process.
const Embedded = "embedded"

// defaultRedis is where Redis is looked for if nobody says otherwise.
const defaultRedis = "127.0.0.1:6379"

// Redis says how to reach Redis: the journal's and, unless Lease.Store is another,
// that of the leases. Addresses are host:port. After loading it makes sense: there
// is either Addr or Addrs, Sentinel or Cluster or neither.
type Redis struct {
	Addr     string      `yaml:"addr"`     // or Embedded
	Addrs    []string    `yaml:"addrs"`    // of sentinels, or of some nodes of a Cluster
	Sentinel Sentinel    `yaml:"sentinel"` // with a master: the addresses are those of sentinels
	Cluster  bool        `yaml:"cluster"`  // the server is a Cluster
	Username string      `yaml:"username"` // of an ACL; "" for the default user
	Password jobs.Secret `yaml:"password"` // read again for each connection
	DB       int         `yaml:"db"`
	Protocol int         `yaml:"protocol"` // RESP 2 or 3
	TLS      TLS         `yaml:"tls"`      // of sentinels too

	WaitReplicas int           `yaml:"waitReplicas"` // replicas that must have a lease before it counts; 0: none
	WaitTimeout  time.Duration `yaml:"waitTimeout"`  // how long they are waited for; less than Lease.TryTimeout; 0 if nothing is waited for
	WaitAOF      bool          `yaml:"waitAOF"`      // they, and the master, must have it on disk
}

// Servers lists the addresses of r, at least one.
func (r Redis) Servers() []string {
	if len(r.Addrs) > 0 {
		return r.Addrs
	}
	return []string{r.Addr}
}

// Sentinel names the master that sentinels watch, and who asks them.
type Sentinel struct {
	Master   string      `yaml:"master"`
	Username string      `yaml:"username"`
	Password jobs.Secret `yaml:"password"`
}

// TLS says how to encrypt, with files that are read again when they change.
type TLS struct {
	Enabled    bool   `yaml:"enabled"`    // after loading also true if it is left out and another field is not
	CA         string `yaml:"ca"`         // file of the authorities to trust; "": those of the system
	Cert       string `yaml:"cert"`       // file of this client's certificate; needs Key
	Key        string `yaml:"key"`        // file of its key
	ServerName string `yaml:"serverName"` // in the server's certificate; "": the host that is connected to
}

// IsZero reports whether nothing was written.
func (t TLS) IsZero() bool { return t == TLS{} }

// Redlock is where leases are kept by a majority of independent servers.
type Redlock struct {
	Addrs       []string      `yaml:"addrs"` // an odd number of at least three
	Username    string        `yaml:"username"`
	Password    jobs.Secret   `yaml:"password"`
	TLS         TLS           `yaml:"tls"`
	NodeTimeout time.Duration `yaml:"nodeTimeout"` // what one server may cost; at most Lease.TryTimeout; 0: derived
	Durable     bool          `yaml:"durable"`     // no server forgets by a restart: one that has just started may vote
}

// Etcd is where leases are kept in etcd.
type Etcd struct {
	Endpoints []string    `yaml:"endpoints"` // host:port
	Username  string      `yaml:"username"`
	Password  jobs.Secret `yaml:"password"`
	TLS       TLS         `yaml:"tls"`
	Prefix    string      `yaml:"prefix"` // what keys begin with
}

// StoreKind says what keeps leases.
type StoreKind uint8

// The kinds of lease stores.
const (
	OnRedis   StoreKind = iota // what Config.Redis says
	OnRedlock                  // the majority of Lease.Redlock
	OnEtcd                     // Lease.Etcd
)

// storeWords lists the kinds in the words of YAML, in their order.
func storeWords() []string { return []string{"redis", "redlock", "etcd"} }

// String is k in the words of YAML.
func (k StoreKind) String() string {
	if words := storeWords(); int(k) < len(words) {
		return words[k]
	}
	return fmt.Sprintf("StoreKind(%d)", k)
}

// UnmarshalText reads what String writes.
func (k *StoreKind) UnmarshalText(text []byte) error {
	words := storeWords()
	i := slices.Index(words, string(text))
	if i < 0 {
		return fmt.Errorf("store %s", badWord(string(text), words))
	}
	*k = StoreKind(i)
	return nil
}
