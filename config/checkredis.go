package config

import (
	"cmp"
	"fmt"
	"time"

	"github.com/solocron/solocron/jobs"
)

const (
	maxDB       = 65535
	maxReplicas = 16 // that are waited for
)

// set reports whether file, environment or flags say something of key.
func (l *loader) set(key string) bool {
	_, ok := l.origins[key]
	return ok
}

// checkRedis reports what makes no sense of how Redis is to be reached, and fills
// in what follows from the rest.
func (l *loader) checkRedis() {
	r := &l.config.Redis
	if l.set("redis.addrs") && !l.set("redis.addr") {
		r.Addr = ""
	}
	l.checkServers(r)
	l.checkTopology(r)
	l.checkEmbedded(r)
	l.checkUser("redis", r.Username, r.Password)
	l.checkTLS("redis.tls", &r.TLS)
	l.checkWait(r)
	if msg := outside(r.DB, 0, maxDB); msg != "" {
		l.blame("redis.db", msg)
	}
	if r.Protocol != 2 && r.Protocol != 3 {
		l.blame("redis.protocol", "must be 2 or 3, the version of the protocol (RESP)")
	}
}

// checkServers looks at the addresses.
func (l *loader) checkServers(r *Redis) {
	switch {
	case l.set("redis.addr") && l.set("redis.addrs"):
		l.blame("redis.addrs", "stands beside redis.addr: keep one of them")
	case l.set("redis.addrs"):
		l.checkAddrs("redis.addrs", r.Addrs, 1)
	default:
		if msg := badRedisAddr(r.Addr); msg != "" {
			l.blame("redis.addr", msg)
		}
	}
}

// checkTopology looks at what the addresses are said to be.
func (l *loader) checkTopology(r *Redis) {
	watched := l.below("redis.sentinel")
	switch {
	case watched && r.Cluster:
		l.blame("redis.cluster", "stands beside redis.sentinel: keep one of them; a Cluster fails over by itself")
	case watched && r.Sentinel.Master == "":
		l.blame("redis.sentinel", "lacks master: the name that the sentinels know it by")
	case watched && !l.set("redis.addr") && !l.set("redis.addrs"):
		l.blame("redis.sentinel", "needs redis.addrs: the addresses of the sentinels, such as [10.0.0.1:26379, 10.0.0.2:26379, 10.0.0.3:26379]")
	case r.Cluster && r.DB != 0:
		l.blame("redis.db", "must be 0: a Cluster has no other database; tell installations apart by namespace")
	case !watched && !r.Cluster && len(r.Addrs) > 1:
		l.blame("redis.addrs", fmt.Sprintf("names %d servers: say what they are, by sentinel: { master: NAME } or cluster: true, or keep one", len(r.Addrs)))
	}
	if msg := badWordOf(r.Sentinel.Master); msg != "" {
		l.blame("redis.sentinel.master", msg)
	}
	if watched {
		l.checkUser("redis.sentinel", r.Sentinel.Username, r.Sentinel.Password)
	}
}

// checkEmbedded looks for what the Redis inside this process cannot be.
func (l *loader) checkEmbedded(r *Redis) {
	if r.Addr != Embedded {
		return
	}
	for _, c := range []struct {
		key string
		bad bool
	}{
		{"redis.sentinel", l.below("redis.sentinel")},
		{"redis.cluster", r.Cluster},
		{"redis.username", r.Username != ""},
		{"redis.password", !r.Password.IsZero()},
		{"redis.tls", l.below("redis.tls")},
		{"redis.waitReplicas", r.WaitReplicas != 0},
		{"redis.waitAOF", r.WaitAOF},
	} {
		if c.bad {
			l.blame(c.key, "makes no sense with redis.addr embedded, which is one server inside this process: take it out, or name a server")
		}
	}
	if store := l.config.Lease.Store; store != OnRedis {
		l.blame("lease.store", fmt.Sprintf("is %s beside redis.addr embedded: each process would have a journal of its own; name a Redis", store))
	}
}

// checkUser looks at who asks. Redis takes no user without a password.
func (l *loader) checkUser(section, user string, password jobs.Secret) {
	if user != "" && password.IsZero() {
		l.blame(section+".username", "needs "+section+".password: without one the user would not be sent")
	}
	if msg := badWordOf(user); msg != "" {
		l.blame(section+".username", msg)
	}
}

// checkTLS looks at one section about encryption. Its files are not looked for:
// they are where the program runs.
func (l *loader) checkTLS(section string, t *TLS) {
	if !l.set(section + ".enabled") {
		t.Enabled = !t.IsZero()
	}
	switch {
	case t.Cert != "" && t.Key == "":
		l.blame(section+".cert", "needs key: the file of the certificate's private key")
	case t.Key != "" && t.Cert == "":
		l.blame(section+".key", "needs cert: the file of the certificate")
	}
	if msg := badWordOf(t.ServerName); msg != "" {
		l.blame(section+".serverName", msg)
	}
}

// checkWait looks at what is waited for, which must leave time for the answer.
func (l *loader) checkWait(r *Redis) {
	try := l.config.Lease.TryTimeout
	if msg := outside(r.WaitReplicas, 0, maxReplicas); msg != "" {
		l.blame("redis.waitReplicas", msg)
		return
	}
	waits := r.WaitReplicas > 0 || r.WaitAOF
	if store := l.config.Lease.Store; r.WaitReplicas > 0 && store != OnRedis {
		l.blame("redis.waitReplicas", fmt.Sprintf("has no effect on lease.store %s: take it out; it is for leases in Redis", store))
	}
	switch {
	case r.WaitAOF && r.WaitReplicas == 0:
		l.blame("redis.waitAOF", "needs waitReplicas: how many replicas, beside the master, must have a lease on disk")
	case !waits && l.set("redis.waitTimeout"):
		l.blame("redis.waitTimeout", "has no effect without waitReplicas or waitAOF")
	case waits:
		r.WaitTimeout = cmp.Or(r.WaitTimeout, (try / 2).Truncate(time.Millisecond))
		if r.WaitTimeout >= try || r.WaitTimeout < minWait || r.WaitTimeout%time.Millisecond != 0 {
			l.blame("redis.waitTimeout", fmt.Sprintf("is %s: it must be whole milliseconds, at least %s and less than lease.tryTimeout %s, which the answer needs too",
				r.WaitTimeout, minWait, try))
		}
	}
}
