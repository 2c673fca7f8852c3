// Package ledger is what a lease record says and how it changes: every rule of
// the contract as a pure step from a record, a request and an instant to the
// record after it and an answer. It does no I/O and reads no clock; a store
// brings the record, calls a step, and writes what the Change says.
package ledger
