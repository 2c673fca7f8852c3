package etcdtest

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	startTries = 5
	startLimit = 20 * time.Second
	pollEvery  = 20 * time.Millisecond
)

// Cluster is some etcd members that know each other.
type Cluster struct {
	Members []*Member
}

// TLS is how clients reach members that take none without a certificate: the paths of
// PEM files for the members, and how a client of theirs encrypts.
type TLS struct {
	Cert, Key, CA string
	Client        *tls.Config
}

// Start starts an etcd cluster of n members for t, in a directory of its own,
// and waits until it has a leader. It fails t if etcd is not on PATH, or skips it
// if SOLOCRON_ALLOW_SKIP=1. The members end with t.
func Start(t testing.TB, n int) *Cluster {
	t.Helper()
	return StartSecure(t, n, nil)
}

// StartSecure is Start with TLS between clients and members; nil: without.
func StartSecure(t testing.TB, n int, secure *TLS) *Cluster {
	t.Helper()
	path, err := exec.LookPath("etcd")
	if err != nil {
		if os.Getenv("SOLOCRON_ALLOW_SKIP") == "1" {
			t.Skip("etcd is not on PATH")
		}
		t.Fatalf("this test needs a real etcd (set SOLOCRON_ALLOW_SKIP=1 to skip it): %v", err)
	}
	for try := 1; ; try++ {
		c, err := launch(path, t.TempDir(), n, secure)
		if err == nil {
			t.Cleanup(c.Stop)
			return c
		}
		if try == startTries {
			t.Fatalf("starting etcd, %d tries: %v", try, err)
		}
	}
}

// launch starts n processes and waits until all of them answer. A free port may
// be taken by somebody else in between: the process then ends at once, and the
// caller tries again.
func launch(path, dir string, n int, secure *TLS) (*Cluster, error) {
	ports, err := freePorts(2 * n)
	if err != nil {
		return nil, err
	}
	var peers []string
	for i := range n {
		peers = append(peers, fmt.Sprintf("m%d=%s", i, url(ports[2*i+1])))
	}
	c := new(Cluster)
	for i := range n {
		client := url(ports[2*i])
		if secure != nil {
			client = strings.Replace(client, "http:", "https:", 1)
		}
		m, err := start(path, filepath.Join(dir, fmt.Sprint(i)), fmt.Sprintf("m%d", i), client, url(ports[2*i+1]), strings.Join(peers, ","), secure)
		if err != nil {
			c.Stop()
			return nil, err
		}
		c.Members = append(c.Members, m)
	}
	if err := c.waitReady(); err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

func url(port int) string { return fmt.Sprintf("http://127.0.0.1:%d", port) }

// freePorts holds all ports before it lets any go, so that no two are the same.
func freePorts(n int) ([]int, error) {
	var ports []int
	var held []net.Listener
	defer func() {
		for _, l := range held {
			_ = l.Close() // nobody has connected
		}
	}()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		held = append(held, l)
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

func (c *Cluster) waitReady() error {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	for _, m := range c.Members {
		for err := m.healthy(ctx); err != nil; err = m.healthy(ctx) {
			select {
			case <-m.done:
				return errors.New("etcd ended at once; was its port taken?")
			case <-ctx.Done():
				return fmt.Errorf("etcd on %s is not ready: %w", m.Endpoint, err)
			case <-time.After(pollEvery):
			}
		}
	}
	return nil
}

// Endpoints are the addresses for clients, http://127.0.0.1:port each, or https.
func (c *Cluster) Endpoints() []string {
	var all []string
	for _, m := range c.Members {
		all = append(all, m.Endpoint)
	}
	return all
}

// Leader returns the member that leads, as one of those that answer says. It
// waits for an election that is going on until ctx ends.
func (c *Cluster) Leader(ctx context.Context) (*Member, error) {
	for {
		for _, m := range c.Members {
			s, err := m.status(ctx)
			if err != nil || s.Leader == "" || s.Leader == "0" {
				continue
			}
			for _, other := range c.Members {
				if s, err2 := other.status(ctx); err2 == nil && s.Header.Member == s.Leader {
					return other, nil
				}
			}
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("finding the leader of etcd: %w", context.Cause(ctx))
		case <-time.After(pollEvery):
		}
	}
}

// Stop kills all members and waits for their end. It may be called twice.
func (c *Cluster) Stop() {
	var wg sync.WaitGroup
	for _, m := range c.Members {
		wg.Go(m.Stop)
	}
	wg.Wait()
}
