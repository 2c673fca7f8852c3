package config

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/solocron/solocron/election"
)

const (
	maxName  = 100 // bytes of a job's name, or a namespace
	maxHost  = 253 // bytes of a replica's name
	maxDB    = 65535
	maxRuns  = 100_000 // at once
	maxGrace = 24 * time.Hour

	minClockOffset = 100 * time.Millisecond
	maxClockOffset = time.Minute
)

// check reports settings that are well formed but make no sense.
func (l *loader) check() {
	c := l.config
	for _, s := range []struct{ key, msg string }{
		{"namespace", badNamespace(c.Namespace)},
		{"replica", badReplica(c.Replica)},
		{"redis.addr", badRedisAddr(c.Redis.Addr)},
		{"redis.db", outside(c.Redis.DB, 0, maxDB)},
		{"admin.listen", badListen(c.Admin.Listen)},
		{"log.format", badLogFormat(c.Log.Format)},
		{"maxConcurrent", outside(c.MaxConcurrent, 0, maxRuns)},
		{"clock.maxOffset", badClockOffset(c.Clock.MaxOffset)},
		{"terminationGracePeriod", tooLong(c.TerminationGracePeriod, maxGrace, "24h")},
		{"shutdownGrace", tooLong(c.ShutdownGrace, maxGrace, "24h")},
	} {
		if s.msg != "" {
			l.blame(s.key, s.msg)
		}
	}
	l.checkLease()
}

// checkLease fills in what is left out of the lease and has package election
// check the arithmetic.
func (l *loader) checkLease() {
	le := &l.config.Lease
	ok := true
	for _, d := range []struct {
		key   string
		value time.Duration
	}{
		{"lease.ttl", le.TTL},
		{"lease.renewEvery", le.RenewEvery},
		{"lease.tryTimeout", le.TryTimeout},
		{"lease.stopGrace", le.StopGrace},
		{"lease.slack", le.Slack},
		{"lease.lockDelay", le.LockDelay},
	} {
		if _, set := l.origins[d.key]; !set {
			continue
		}
		if d.value == 0 && !l.faulty(d.key) {
			l.blame(d.key, "must be more than 0: leave it out to have it derived from the ttl")
		}
		ok = ok && !l.faulty(d.key)
	}
	if !ok {
		return
	}
	full := le.Election().WithDefaults()
	*le = fromElection(full)
	if err := full.Validate(); err != nil {
		l.blame(l.leaseKey(), err.Error())
	}
}

func fromElection(c election.Config) Lease {
	return Lease{
		TTL: c.TTL, RenewEvery: c.RenewEvery, TryTimeout: c.Try,
		StopGrace: c.StopGrace, Slack: c.Slack, LockDelay: c.LockDelay,
	}
}

// leaseKey returns the key to blame for arithmetic that does not work out: the
// section of the file, or else the override.
func (l *loader) leaseKey() string {
	if _, ok := l.origins["lease"]; ok {
		return "lease"
	}
	for _, key := range []string{"ttl", "renewEvery", "tryTimeout", "stopGrace", "slack", "lockDelay"} {
		if _, ok := l.origins["lease."+key]; ok {
			return "lease." + key
		}
	}
	return "lease"
}

// faulty reports whether a fault was found at the place that set key.
func (l *loader) faulty(key string) bool {
	o := l.origins[key]
	for _, f := range l.faults.faults {
		if f.File == o.file && f.Line == o.line && f.Col == o.col && f.Path == o.path {
			return true
		}
	}
	return false
}

func badNamespace(s string) string {
	const rule = "must be of a-z, 0-9, dots, dashes, underscores and slashes, begin and end with a letter or digit, and have at most 100 characters"
	if s == "" || len(s) > maxName || !edge(s[0]) || !edge(s[len(s)-1]) {
		return rule
	}
	for i := range len(s) {
		if !inner(s[i]) && s[i] != '/' {
			return rule
		}
	}
	return ""
}

func badReplica(s string) string {
	if s == "" || len(s) > maxHost || strings.ContainsAny(s, " {}\t\n") {
		return "must have 1 to 253 characters, without spaces and braces"
	}
	return ""
}

// badRedisAddr never repeats the address: it might hold a password.
func badRedisAddr(s string) string {
	if s == Embedded {
		return ""
	}
	if strings.Contains(s, "://") {
		return "must be host:port without a scheme; user and password have settings of their own"
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil || host == "" || badPort(port, 1) || strings.ContainsAny(s, "@/ ") {
		return "must be host:port such as 127.0.0.1:6379, or " + Embedded
	}
	return ""
}

func badPort(s string, least int) bool {
	p, err := strconv.Atoi(s)
	return err != nil || p < least || p > 65535
}

func badListen(s string) string {
	host, port, err := net.SplitHostPort(s)
	if err != nil || badPort(port, 0) {
		return "must be host:port such as 127.0.0.1:8080"
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
		return "must be a loopback address such as 127.0.0.1:8080: the API has no authentication yet, so nobody outside this host may reach it"
	}
	return ""
}

func badClockOffset(d time.Duration) string {
	if d < minClockOffset || d > maxClockOffset {
		return "must be from 100ms to 1m"
	}
	return ""
}

func badLogFormat(s string) string {
	switch s {
	case "auto", "text", "json":
		return ""
	}
	return quote(s) + " is not one of auto, text, json"
}

func outside(n, least, most int) string {
	if n < least || n > most {
		return fmt.Sprintf("must be from %d to %d", least, most)
	}
	return ""
}

// tooLong takes the limit in words too: a Duration would print itself as 8784h0m0s.
func tooLong(d, most time.Duration, words string) string {
	if d > most {
		return "must be at most " + words
	}
	return ""
}

// edge reports whether b may begin and end a name.
func edge(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' }

// inner reports whether b may stand in a name.
func inner(b byte) bool { return edge(b) || b == '.' || b == '_' || b == '-' }
