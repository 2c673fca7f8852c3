// Package redistest gives a test a real redis-server of its own: started on a
// free loopback port, without persistence, stopped when the test ends.
package redistest
