package config

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

const (
	maxAddrs    = 64 // addresses in a list
	minNodes    = 3  // of a Redlock
	maxNodes    = 15
	maxWordName = 200 // bytes of a name that a server knows
	minWait     = time.Millisecond
)

// checkStore looks at the lease stores that are not Config.Redis.
func (l *loader) checkStore() {
	lease := &l.config.Lease
	for _, s := range []struct {
		key   string
		kind  StoreKind
		check func()
	}{
		{"lease.redlock", OnRedlock, func() { l.checkRedlock(&lease.Redlock) }},
		{"lease.etcd", OnEtcd, func() { l.checkEtcd(&lease.Etcd) }},
	} {
		given := l.below(s.key)
		switch {
		case given && lease.Store != s.kind && !l.faulty("lease.store"):
			l.blame(s.key, fmt.Sprintf("has no effect while lease.store is %s: set lease.store to %s, or take it out", lease.Store, s.kind))
		case lease.Store == s.kind:
			s.check()
		}
	}
}

// below reports whether anything at or below key was said.
func (l *loader) below(key string) bool {
	if l.set(key) {
		return true
	}
	for k := range l.origins {
		if strings.HasPrefix(k, key+".") {
			return true
		}
	}
	return false
}

func (l *loader) checkRedlock(r *Redlock) {
	key := l.either("lease.redlock.addrs", "lease.redlock", "lease.store")
	switch n := len(r.Addrs); {
	case n < minNodes || n > maxNodes:
		l.blame(key, fmt.Sprintf("names %d servers for Redlock: it takes an odd number from %d to %d in lease.redlock.addrs", n, minNodes, maxNodes))
	case n%2 == 0:
		l.blame(key, fmt.Sprintf("names %d servers: take an odd number; %d bear the loss of no more servers than %d do", n, n, n-1))
	}
	l.checkAddrs("lease.redlock.addrs", r.Addrs, 0)
	l.checkUser("lease.redlock", r.Username, r.Password)
	l.checkTLS("lease.redlock.tls", &r.TLS)
	if try := l.config.Lease.TryTimeout; l.set("lease.redlock.nodeTimeout") && (r.NodeTimeout < minWait || r.NodeTimeout > try) {
		l.blame("lease.redlock.nodeTimeout", fmt.Sprintf("must be from %s to lease.tryTimeout %s", minWait, try))
	}
}

func (l *loader) checkEtcd(e *Etcd) {
	if len(e.Endpoints) == 0 {
		l.blame(l.either("lease.etcd.endpoints", "lease.etcd", "lease.store"), "needs lease.etcd.endpoints, such as [10.0.0.1:2379, 10.0.0.2:2379, 10.0.0.3:2379]")
	}
	l.checkAddrs("lease.etcd.endpoints", e.Endpoints, 0)
	l.checkUser("lease.etcd", e.Username, e.Password)
	l.checkTLS("lease.etcd.tls", &e.TLS)
	if msg := badPrefix(e.Prefix); msg != "" {
		l.blame("lease.etcd.prefix", msg)
	}
}

// either is the first of keys that was set, else the last.
func (l *loader) either(keys ...string) string {
	for _, k := range keys {
		if l.set(k) {
			return k
		}
	}
	return keys[len(keys)-1]
}

// checkAddrs looks at a list of at least so many addresses of different servers.
func (l *loader) checkAddrs(key string, addrs []string, least int) {
	switch n := len(addrs); {
	case n < least:
		l.blame(key, "is empty: write at least one host:port")
	case n > maxAddrs:
		l.blame(key, fmt.Sprintf("has %d addresses: at most %d", n, maxAddrs))
		return
	}
	first := make(map[string]int, len(addrs))
	for i, addr := range addrs {
		if msg := badAddr(addr); msg != "" {
			l.blameItem(key, i, msg)
			continue
		}
		server := serverOf(addr)
		if before, ok := first[server]; ok {
			l.blameItem(key, i, fmt.Sprintf("is the same server as %s", itemKey(key, before)))
			continue
		}
		first[server] = i
	}
}

// blameItem blames the ith item of a list, which an override has no place for.
func (l *loader) blameItem(key string, i int, msg string) {
	if l.origins[key].file != l.faults.file {
		l.blame(key, fmt.Sprintf("item %d %s", i+1, msg))
		return
	}
	l.blame(itemKey(key, i), msg)
}

// badRedisAddr never repeats the address: it might hold a password.
func badRedisAddr(s string) string {
	if s == Embedded {
		return ""
	}
	if msg := badAddr(s); msg != "" {
		return strings.Replace(msg, "127.0.0.1:6379", "127.0.0.1:6379, or "+Embedded, 1)
	}
	return ""
}

// badAddr never repeats the address either.
func badAddr(s string) string {
	if strings.Contains(s, "://") {
		return "must be host:port without a scheme; user and password have settings of their own"
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil || host == "" || badPort(port, 1) || strings.ContainsAny(s, "@/ ") {
		return "must be host:port such as 127.0.0.1:6379"
	}
	return ""
}

// serverOf is addr as it is compared: names of this host are one.
func serverOf(addr string) string {
	host, port, _ := net.SplitHostPort(addr) // checked
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	ip, err := netip.ParseAddr(host)
	switch {
	case err == nil && ip.Unmap() == netip.AddrFrom4([4]byte{127, 0, 0, 1}), err == nil && ip == netip.IPv6Loopback():
		host = "localhost"
	case err == nil:
		host = ip.Unmap().String()
	}
	n, _ := strconv.Atoi(port)
	return net.JoinHostPort(host, strconv.Itoa(n))
}

// badWordOf reports what no user, master or host is called.
func badWordOf(s string) string {
	if len(s) > maxWordName || strings.ContainsAny(s, " \t\r\n") {
		return fmt.Sprintf("must have at most %d characters, and no spaces", maxWordName)
	}
	return ""
}

func badPrefix(s string) string {
	ok := func(r rune) bool {
		return r >= 'A' && r <= 'Z' || r < 0x80 && inner(byte(r)) || strings.ContainsRune("~/:", r)
	}
	if s == "" || len(s) > maxName || strings.ContainsFunc(s, func(r rune) bool { return !ok(r) }) {
		return "must have 1 to 100 characters of A-Z a-z 0-9 . _ ~ / : -"
	}
	return ""
}
