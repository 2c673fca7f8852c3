// Package scheduler runs each tick of each job on one replica.
//
// Every replica runs a Scheduler over the same jobs. The life of a tick:
//
//	robfig/cron wakes the engine              waker.go
//	the cursor says which ticks are due       due.go     pure
//	replicas take turns to ask                rank.go    pure
//	claim, start, run                         round.go, run.go
//	the verdict                               decide.go  pure
//
// Begin reading in round.go: it takes ticks from claim to run, top to bottom.
//
// # What is promised
//
// Each scheduled moment of a job gets exactly one verdict in the cluster, and
// while clocks drift and processes pause within the bounds of package election,
// no two runs of a job overlap. Beyond those bounds each run carries a fencing
// token that the receiving system can check.
//
// A tick that is due while no replica lives, or while the store gives no
// answer, stays due until its starting deadline; after that it is recorded as
// missed. If several ticks of a job are due, the latest runs.
//
// # What is not
//
// A verdict is an event to observers. If the process that gives it is killed in
// the instant between the store's decision and the event, it is not told again;
// the record in the store still holds the decision.
//
// The package does not know Redis, metrics, logs or YAML.
package scheduler
