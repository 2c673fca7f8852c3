// Package redislease is a lease store in Redis: one hash for each key, decided
// in Lua scripts that run in the server, against the server's clock. A call
// with any number of items is one pipeline of at most 128 items a script.
//
// It knows nothing of retries: a call is sent once. What certainly did not
// reach a record is marked election.ErrNotApplied; anything else that went
// wrong may have been applied.
package redislease
