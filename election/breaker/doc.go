// Package breaker gives a lease store a circuit breaker: when several calls in a
// row got no answer, claims fail at once instead of waiting, each of them, for a
// store that is away; now and then one is let through to see.
//
// What is in hand is never given up for it. A claim may wait; a lease that was
// granted may not, and its start, renewals and release are few. So those pass
// whatever the state, and what they find out counts. It knows nothing of Redis.
package breaker
