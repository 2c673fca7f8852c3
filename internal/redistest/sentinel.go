package redistest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	sentinels = 3
	quorum    = 2
	// downAfter is short, and longer than a busy machine stands still.
	downAfter       = 1000 * time.Millisecond
	failoverTimeout = 3000 * time.Millisecond
)

// Sentinel is a master with two replicas, watched by three sentinels of which
// two must agree that it is down, after a second without an answer.
type Sentinel struct {
	Name      string    // of the master, as sentinels know it
	Sentinels []*Server // not the data
	Servers   []*Server // the data: the first is the master at first

	t testing.TB
}

// StartSentinel starts it all for t, and waits until every sentinel knows the
// others and the replicas.
func StartSentinel(t testing.TB) *Sentinel {
	t.Helper()
	data := StartReplicated(t, 2)
	s := &Sentinel{Name: "solo", Servers: append([]*Server{data.Master}, data.Replicas...), t: t}
	for range sentinels {
		watcher := start(t, design{args: s.watch})
		// As often as a sentinel does while it fails over: else each change
		// takes ten seconds to be seen.
		watcher.Do(t, "SENTINEL", "DEBUG", "INFO-PERIOD", "300", "PUBLISH-PERIOD", "300")
		s.Sentinels = append(s.Sentinels, watcher)
	}
	s.Settle()
	return s
}

// watch writes the configuration of a sentinel, which it will write over.
func (s *Sentinel) watch(dir string, port int) ([]string, error) {
	path := filepath.Join(dir, "sentinel.conf")
	text := fmt.Sprintf("port %d\nbind 127.0.0.1\ndir %s\nloglevel warning\n"+
		"sentinel monitor %[3]s 127.0.0.1 %s %d\nsentinel down-after-milliseconds %[3]s %[6]d\n"+
		"sentinel failover-timeout %[3]s %[7]d\nsentinel parallel-syncs %[3]s 2\n",
		port, dir, s.Name, s.Servers[0].port(), quorum, downAfter.Milliseconds(), failoverTimeout.Milliseconds())
	return []string{path, "--sentinel"}, os.WriteFile(path, []byte(text), 0o600)
}

// Addrs returns the addresses of the sentinels.
func (s *Sentinel) Addrs() []string { return addrs(s.Sentinels) }

// Master returns the server that the first sentinel that answers takes for the
// master; nil if none does.
func (s *Sentinel) Master() *Server {
	for _, watcher := range s.Sentinels {
		if reply, err := watcher.Call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", s.Name); err == nil {
			return find(s.Servers, strings.ReplaceAll(reply, "\n", ":"))
		}
	}
	return nil
}

// Settle waits until every sentinel sees one and the same master, two replicas
// that are up, and two other sentinels.
func (s *Sentinel) Settle() {
	s.t.Helper()
	await(s.t, "the sentinels to know each other and the servers", syncLimit, func() bool {
		master := s.Master()
		if master == nil || master.replicas() != len(s.Servers)-1 {
			return false
		}
		for _, watcher := range s.Sentinels {
			if !watcher.sees(s.Name, master, len(s.Servers)-1) {
				return false
			}
		}
		return true
	})
}

// sees reports whether a sentinel sees master, as such, and so many replicas.
func (s *Server) sees(name string, master *Server, replicas int) bool {
	seen, err := s.Call("SENTINEL", "MASTER", name)
	if err != nil {
		return false
	}
	facts := pairs(seen)
	followers, err := s.Call("SENTINEL", "REPLICAS", name)
	return err == nil && facts["flags"] == "master" && facts["port"] == master.port() &&
		facts["num-slaves"] == strconv.Itoa(replicas) && facts["num-other-sentinels"] == strconv.Itoa(sentinels-1) &&
		!strings.Contains(followers, "_down") && !strings.Contains(followers, "disconnected") &&
		strings.Count(followers, "\nmaster-link-status\nok") == replicas
}

// AwaitFailover waits until all sentinels name another master than old and that
// server says that it is one, and returns it.
func (s *Sentinel) AwaitFailover(old *Server, limit time.Duration) *Server {
	s.t.Helper()
	var now *Server
	await(s.t, "another master than "+old.Addr, limit, func() bool {
		now = s.Master()
		if now == nil || now == old || !now.Holds("master\n", "ROLE") {
			return false
		}
		for _, watcher := range s.Sentinels {
			if !watcher.Holds(now.port(), "SENTINEL", "GET-MASTER-ADDR-BY-NAME", s.Name) {
				return false
			}
		}
		return true
	})
	return now
}

// Calm lets the sentinels wait for a minute before they call a server down: on a busy
// machine they replace a master a second time that has merely not been given the
// processor for a second, and that failover loses what the first one did not.
func (s *Sentinel) Calm() {
	s.t.Helper()
	for _, watcher := range s.Sentinels {
		watcher.Do(s.t, "SENTINEL", "SET", s.Name, "down-after-milliseconds", "60000")
	}
}

// Epoch is how often the sentinels have replaced the master, in the eyes of the first
// that answers; -1 if none does.
func (s *Sentinel) Epoch() int {
	for _, watcher := range s.Sentinels {
		if seen, err := watcher.Call("SENTINEL", "MASTER", s.Name); err == nil {
			if n, err := strconv.Atoi(pairs(seen)["config-epoch"]); err == nil {
				return n
			}
		}
	}
	return -1
}

// pairs reads lines that are names and values in turn.
func pairs(text string) map[string]string {
	lines := strings.Split(text, "\n")
	facts := make(map[string]string, len(lines)/2)
	for i := 0; i+1 < len(lines); i += 2 {
		facts[lines[i]] = lines[i+1]
	}
	return facts
}

func addrs(servers []*Server) []string {
	list := make([]string, len(servers))
	for i, s := range servers {
		list[i] = s.Addr
	}
	return list
}

func find(servers []*Server, addr string) *Server {
	for _, s := range servers {
		if s.Addr == addr {
			return s
		}
	}
	return nil
}
