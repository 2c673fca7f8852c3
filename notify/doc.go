// Package notify tells people what becomes of jobs: that one failed, is missed, lost
// or late, and that it works again. It looks at events of the engine and never
// changes what happens; no run waits for it.
//
// Every replica observes what it does itself and judges who is late. What is known
// of a job in trouble is kept in a Store that the replicas share, as a State, and
// changed by one pure function, Next. A change and the messages that it makes are
// one step of the store, so that of all replicas that saw the same, one tells it; and
// messages wait there until a channel has taken them, so that neither an outage of
// the receiver nor the end of a replica loses one. A message may arrive twice if the
// replica that sent it dies before it could say so: its ID is the same each time.
//
// Pings, which tell a check that a run began and ended, are the replica's own: they
// are tried a few times and then dropped, since their receiver notices silence.
package notify
