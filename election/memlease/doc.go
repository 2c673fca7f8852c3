// Package memlease is a lease store in the memory of one process: for tests,
// for a single replica, and as the readable form of the protocol that
// redislease speaks in Lua. It remembers nothing over a restart.
package memlease
