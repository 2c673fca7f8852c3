// Package redistest gives a test real redis-servers of its own: one, a master with
// replicas, a master watched by sentinels, a cluster, or a server with TLS; started
// on free loopback ports, without persistence, stopped when the test ends.
package redistest
