// Package matrix holds the tests that let every lease store, on every kind of Redis
// that we support, keep the contract of package leasetest, and that do to a Redis
// with replicas what happens to one: masters that are killed, frozen, replaced and
// relieved of their slots while ticks run. SOLOCRON_CHAOS=1 makes them long.
package matrix
