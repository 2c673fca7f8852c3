// Package memlease is a lease store in the memory of one process: for tests and
// for a single replica. Its rules are those of package ledger, the readable form
// of the protocol that redislease speaks in Lua. It remembers nothing over a
// restart.
package memlease
