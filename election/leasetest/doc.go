// Package leasetest is the contract of a lease store as tests. Every store runs
// the same suite, in a bubble of fake time or, where real sockets are needed,
// in real time.
package leasetest
