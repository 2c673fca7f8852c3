// Package election gives one replica at a time the right to act.
//
// A Store keeps one record per key: who holds the lease, until when, and the
// last tick that was decided (the ledger). An Elector claims keys on behalf of
// one replica and turns grants into Leases; Lease.Keep returns a context that
// ends when the lease does, with the cause.
//
// # What is promised
//
// While every clock runs at nearly the same rate (within 1 %), no process that
// must stop is frozen for longer than the lock delay, and the store does not
// lose acknowledged writes: no two leases of a key are believed at the same
// time, and each tick of a key is started at most once.
//
// # What is not
//
// No lock gives mutual exclusion in an asynchronous network. A holder that is
// frozen for longer than its lease wakes up behind its deadline; it is told at
// once, but what it sent before it was frozen may arrive after another has
// begun. Therefore every lease carries a token that only grows; a receiver that
// remembers the highest token it saw can refuse the stale one.
//
// # How long a lease is believed
//
// The deadline is counted from the moment before the request was sent that was
// answered, never from the answer and never from a request that was not
// answered, and ends 1 % and 2 ms early. It is read off a clock that runs while
// the machine sleeps. StopGrace + Slack before the deadline the work is told to
// stop; another replica may enter LockDelay after the store's own expiry. Why
// each of these is needed, with the runs in which it was missing, is in
// docs/adr/0001-ledger-beside-the-lease.md and docs/adr/0002-the-deadline-rule.md.
//
// The package imports the standard library only. It knows nothing of jobs,
// schedules or Redis.
package election
