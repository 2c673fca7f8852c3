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
// # For other code
//
// The same lease serves code that is not a job. NewLocks makes, on any Store,
//
//   - a Mutex: Do(ctx, fn) holds the lock of a Key for as long as fn runs, renews
//     it, and ends fn's context when it is lost; Try and Lock give a Handle;
//   - a Once: at most one success within a window, undone by a failure;
//   - a Semaphore: at most n at a time;
//   - a Leader: a leadership that lasts, with callbacks that are awaited.
//
// All of them give a fencing token (Token), and their handle travels in the
// context, so that the holder of a lock may lock it again. A plain lock is a
// claim that is never started: one request takes it, one gives it back, and
// nothing of it stays in the store. So it has no lock delay: what is promised
// above holds for it as long as nobody is frozen for longer than StopGrace +
// Slack. Its tokens grow by the store's clock where no record is left to grow
// from. A Once that was done and a Leader are started, like a run.
//
// Package fence shows how a receiver checks a token.
//
// The package imports the standard library only. It knows nothing of jobs,
// schedules or Redis.
package election
