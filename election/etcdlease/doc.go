// Package etcdlease is a lease store in etcd, for jobs that must not run twice
// even when a server fails and another takes over. Everything about a key is
// changed in one transaction that a majority of the members agree to, and
// exclusion in time is judged by etcd alone: others stay out until a key has
// vanished that stands on an etcd lease. Early ticks and what people see as the
// store's time are told by the clock of the replica that asks, since etcd has
// none to compare with.
package etcdlease
