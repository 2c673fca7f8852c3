package redistest

import (
	"strings"
	"testing"
	"time"
)

const syncLimit = 20 * time.Second

// Replicated is a master with its replicas.
type Replicated struct {
	Master   *Server
	Replicas []*Server
}

// StartReplicated starts a master with n replicas for t, and waits until all of
// them are in step with it.
func StartReplicated(t testing.TB, n int) *Replicated {
	t.Helper()
	args := []string{"--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"}
	r := &Replicated{Master: Start(t, args...)}
	for range n {
		replica := Start(t, args...)
		replica.Do(t, "REPLICAOF", "127.0.0.1", r.Master.port())
		r.Replicas = append(r.Replicas, replica)
	}
	r.InSync(t)
	return r
}

// InSync waits until the master counts every replica as being in step with it.
func (r *Replicated) InSync(t testing.TB) {
	t.Helper()
	await(t, "the replicas to be in step", syncLimit, func() bool {
		return r.Master.replicas() == len(r.Replicas)
	})
}

// replicas is how many replicas are in step with s.
func (s *Server) replicas() int {
	info, err := s.Call("INFO", "replication")
	if err != nil {
		return -1
	}
	return strings.Count(info, ",state=online,")
}
