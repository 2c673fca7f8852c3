package redistest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	slots = 16384
	// nodeTimeout is short, and longer than a busy machine stands still.
	nodeTimeout = 2000 * time.Millisecond
)

// Cluster is a Redis Cluster.
type Cluster struct {
	Nodes []*Server // the masters at first, then the replicas: the i-th of the i-th master

	t testing.TB
}

// StartCluster starts a cluster for t of so many masters, which share the slots,
// and replicas, and waits until every node says that it is well.
func StartCluster(t testing.TB, masters, replicas int) *Cluster {
	t.Helper()
	c := &Cluster{t: t}
	for range masters + replicas {
		c.Nodes = append(c.Nodes, start(t, design{args: node}))
	}
	for i, n := range c.Nodes {
		n.Do(t, "CLUSTER", "SET-CONFIG-EPOCH", strconv.Itoa(i+1))
		if i < masters {
			n.Do(t, "CLUSTER", "ADDSLOTSRANGE", strconv.Itoa(i*slots/masters), strconv.Itoa((i+1)*slots/masters-1))
		}
	}
	c.meet()
	for i, n := range c.Nodes[masters:] {
		n.Do(t, "CLUSTER", "REPLICATE", c.Nodes[i%masters].ID(t))
	}
	c.Settle()
	return c
}

// node are the arguments of a node. The port of its bus is free, too: the usual
// one, 10000 above, may be none.
func node(dir string, port int) ([]string, error) {
	bus, err := freePort()
	if err != nil {
		return nil, err
	}
	return append(common(dir, port),
		"--cluster-enabled", "yes", "--cluster-config-file", filepath.Join(dir, "nodes.conf"),
		"--cluster-port", strconv.Itoa(bus), "--cluster-node-timeout", strconv.FormatInt(nodeTimeout.Milliseconds(), 10),
		"--cluster-replica-validity-factor", "0", "--cluster-allow-replica-migration", "no",
		"--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"), nil
}

// meet lets every node know every other, and waits until it does. All are told,
// as gossip takes its time.
func (c *Cluster) meet() {
	c.t.Helper()
	for i, n := range c.Nodes {
		_, bus, _ := strings.Cut(n.Do(c.t, "CONFIG", "GET", "cluster-port"), "\n")
		for _, other := range c.Nodes[i+1:] {
			other.Do(c.t, "CLUSTER", "MEET", "127.0.0.1", n.port(), bus)
		}
	}
	known := fmt.Sprintf("cluster_known_nodes:%d\r\n", len(c.Nodes))
	await(c.t, "the nodes to know each other", syncLimit, func() bool {
		for _, n := range c.Nodes {
			if !n.Holds(known, "CLUSTER", "INFO") || n.Holds("handshake", "CLUSTER", "NODES") {
				return false
			}
		}
		return true
	})
}

// Settle waits until every node that runs says that the cluster is well, all
// name the same owners of the slots, and every replica is in step.
func (c *Cluster) Settle() {
	c.t.Helper()
	await(c.t, "the cluster to be well", syncLimit, func() bool {
		owners := ""
		for _, n := range c.Nodes {
			if n.ended() {
				continue
			}
			seen := n.owners()
			if !n.Holds("cluster_state:ok", "CLUSTER", "INFO") || !n.inStep() || seen == "" || owners != "" && seen != owners {
				return false
			}
			owners = seen
		}
		return true
	})
}

// Addrs returns the addresses of all nodes.
func (c *Cluster) Addrs() []string { return addrs(c.Nodes) }

// ID returns the name of s among the nodes of its cluster.
func (s *Server) ID(t testing.TB) string {
	t.Helper()
	return s.Do(t, "CLUSTER", "MYID")
}

// Owner returns the master that has the slot of key, as the first node that
// answers says, and the slot.
func (c *Cluster) Owner(key string) (owner *Server, slot int) {
	c.t.Helper()
	for _, n := range c.Nodes {
		if n.ended() {
			continue
		}
		slot, err := strconv.Atoi(n.Do(c.t, "CLUSTER", "KEYSLOT", key))
		if err != nil {
			c.t.Fatalf("slot of %q: %v", key, err)
		}
		for line := range strings.Lines(n.owners()) {
			var first, last int
			var addr string
			if _, err := fmt.Sscan(line, &first, &last, &addr); err == nil && first <= slot && slot <= last {
				return find(c.Nodes, addr), slot
			}
		}
	}
	c.t.Fatalf("nobody has the slot of %q", key)
	return nil, 0
}

// ReplicaOf returns a replica of master that runs.
func (c *Cluster) ReplicaOf(master *Server) *Server {
	c.t.Helper()
	for _, n := range c.Nodes {
		if n != master && !n.ended() && n.Holds("slave\n127.0.0.1\n"+master.port()+"\n", "ROLE") {
			return n
		}
	}
	c.t.Fatalf("%s has no replica", master.Addr)
	return nil
}

// owners are the ranges of slots and their masters as a node sees them, a line
// each: first, last, address.
func (s *Server) owners() string {
	nodes, err := s.Call("CLUSTER", "NODES")
	if err != nil {
		return ""
	}
	ranges := make([]string, 0, 8)
	for line := range strings.Lines(nodes) {
		fields := strings.Fields(line)
		const fixed = 8 // fields before the slots
		if len(fields) < fixed || !strings.Contains(fields[2], "master") || strings.Contains(fields[2], "fail") {
			continue
		}
		addr, _, _ := strings.Cut(fields[1], "@")
		for _, r := range fields[fixed:] {
			if strings.HasPrefix(r, "[") { // on its way
				continue
			}
			first, last, found := strings.Cut(r, "-")
			if !found {
				last = first
			}
			ranges = append(ranges, first+" "+last+" "+addr)
		}
	}
	slices.Sort(ranges)
	return strings.Join(ranges, "\n")
}

// inStep reports whether s is a master, or a replica in step with one.
func (s *Server) inStep() bool {
	return s.Holds("master\n", "ROLE") || s.Holds("\nconnected\n", "ROLE")
}

// ended reports whether the process has ended.
func (s *Server) ended() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}
