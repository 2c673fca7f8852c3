package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const (
	maxName       = 100     // bytes of a job's name, or a namespace
	maxHost       = 253     // bytes of a replica's name
	maxRuns       = 100_000 // at once
	maxGeneration = 1_000_000_000
	maxGrace      = 24 * time.Hour

	minClockOffset = 100 * time.Millisecond
	maxClockOffset = time.Minute
)

// check reports settings that are well formed but make no sense.
func (l *loader) check() {
	c := l.config
	for _, s := range []struct{ key, msg string }{
		{"namespace", badNamespace(c.Namespace)},
		{"replica", badReplica(c.Replica)},
		{"log.format", badLogFormat(c.Log.Format)},
		{"maxConcurrent", outside(c.MaxConcurrent, 0, maxRuns)},
		{"generation", outside(c.Generation, 0, maxGeneration)},
		{"clock.maxOffset", badClockOffset(c.Clock.MaxOffset)},
		{"metrics.perJob", badPerJob(c.Metrics.PerJob)},
		{"terminationGracePeriod", tooLong(c.TerminationGracePeriod, maxGrace, "24h")},
		{"shutdownGrace", tooLong(c.ShutdownGrace, maxGrace, "24h")},
	} {
		if s.msg != "" {
			l.blame(s.key, s.msg)
		}
	}
	l.checkAdmin()
	l.checkLease()
	l.checkRedis()
	l.checkStore()
	l.checkTracing()
	l.checkNotify()
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
	le.TTL, le.RenewEvery, le.TryTimeout = full.TTL, full.RenewEvery, full.Try
	le.StopGrace, le.Slack, le.LockDelay = full.StopGrace, full.Slack, full.LockDelay
	if err := full.Validate(); err != nil {
		l.blame(l.leaseKey(), err.Error())
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

func badPort(s string, least int) bool {
	p, err := strconv.Atoi(s)
	return err != nil || p < least || p > 65535
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
