// Package scheduler runs each tick of each job on one replica.
//
// Every replica runs a Scheduler over the same jobs. The life of a tick:
//
//	robfig/cron wakes the engine              waker.go
//	the cursor says which ticks are due       due.go     pure
//	the policies say which of them to run     plan.go    pure
//	replicas take turns to ask                rank.go    pure
//	claim, start, run                         round.go, run.go
//	the verdict, and what follows from it     decide.go, sequel.go  pure
//	its row in the journal                    conclude.go, scribe.go
//
// Begin reading in round.go: it takes ticks from claim to run, top to bottom.
//
// What is wanted outside the schedule (triggers, retries, reruns, backfills) is a
// request: order.go and cancel.go take it, desk.go looks what waits, wanted.go
// takes requests from claim to run. What died with its replica is found by the
// janitor: janitor.go, sweep.go.
//
// All jobs can be put in the place of others while it runs: reload.go writes the new
// book and asks for what must be known, handover.go gives it to the loop. Of two
// configurations in a cluster the newer one is in force: generation.go says which,
// standing.go what that is to a job, reconcile.go keeps it so. What a removed job
// leaves behind is the janitor's too: estate.go.
//
// # What is promised
//
// Each scheduled moment of a job gets exactly one verdict in the cluster, and
// while clocks drift and processes pause within the bounds of package election,
// no two runs of a job overlap (unless its policy allows it). Beyond those bounds
// each run carries a fencing token that the receiving system can check.
//
// A tick that is due while no replica lives, or while the store gives no
// answer, stays due until its starting deadline; after that it is recorded as
// missed. If several ticks of a job are due, its policies say which of them run.
//
// A request that was kept is run, or its run recorded as lost, whichever replica
// dies when.
//
// # What is not
//
// A verdict is an event to observers. If the process that gives it is killed in
// the instant between the store's decision and the event, the janitor of another
// replica gives it some seconds later, from what the record still says; without a
// journal nobody does.
//
// The package does not know Redis, metrics, logs or YAML.
package scheduler
