// Package redlock gives leases that a majority of independent stores must agree
// on, so that the loss of a minority, or a minority that is wrong, harms nobody.
//
// It takes an odd number of stores, the nodes, at least three, which must know
// nothing of each other: not replicas of one server, not parts of one cluster.
// A claim is made at all nodes at once and granted by a quorum of them. It marks
// nothing: the tick is spent by Start, the second round, which also makes the
// quorum agree on one token, the highest that any of them has given. As any two
// quorums share a node, the next grant is above it, and a tick that has been
// started cannot be started again. A claim that no quorum grants is undone.
//
// One node that does not answer costs at most Config.NodeTimeout, and once it has
// been silent a few times, nothing: it is still asked, but not waited for.
//
// What a majority cannot mend is in package election's comment as well: clocks
// that step and processes that freeze. The fencing token is for those.
//
// The package imports the standard library only. It knows nothing of Redis.
package redlock
