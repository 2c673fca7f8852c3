// Package fence shows how the receiver of an effect checks a fencing token.
//
// A lease, a lock or a leadership ends at some moment, but what its holder sent
// before may arrive after another has begun: the holder was frozen, or the
// network slow. Every holder has a token that is higher than those before
// (election.Token, jobs.Run.Token). A receiver that remembers the highest token
// it has seen, in the same step as the effect, refuses the late one. Without a
// receiver that checks, a token proves nothing; it only makes a double effect
// visible in a log.
//
// There is a way for SQL (Postgres, SQLite), where the check is part of the
// transaction with the effect, and one for Redis, where both are one script. For
// an object store the same is a precondition on the object's metadata.
//
// A resource is whatever one lock guards: use the key of the lock. The package
// knows nothing of locks and imports the standard library only.
package fence
