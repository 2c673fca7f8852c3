// Package journal declares what the cluster remembers and tells itself: requests
// and stops that wait, what became of every tick, dead letters, checkpoints,
// what people did; which replicas live and which ticks they have just started.
//
// What replicas tell each other are hints: they save work, and no run is ever
// decided by them. Who may run is not decided here either, but by leases; the
// journal says what is wanted and what has become of it.
package journal
