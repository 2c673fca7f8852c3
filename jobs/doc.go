// Package jobs says what a job is and does the work of the built-in kinds:
// command, shell, http, func, report and sync.
//
// A job is a Job with a Runner; a Kind makes a Runner from the settings that
// stand under its key in YAML. The package knows nothing of schedules, leases
// or replicas. What it needs of them comes in as a Run: who this run is, which
// tick it is for, its fencing token, and how long it may go on.
//
// Reports and syncs work with the databases that are handed to Kinds. The ones
// we have are in packages of their own, jobs/sqlite and jobs/postgres: a
// program that names neither links neither driver.
//
// Every kind hands the identity of its run to whoever does the work. Commands
// find it in the environment variables SOLOCRON_RUN_ID, SOLOCRON_JOB,
// SOLOCRON_TICK, SOLOCRON_ATTEMPT and SOLOCRON_TOKEN, HTTP servers in the
// headers Solocron-Run-Id, Solocron-Job, Solocron-Tick, Solocron-Attempt and
// Solocron-Token, and Go functions in their argument and through FromContext.
// The parameters of the job go the same ways: SOLOCRON_PARAM_REGION,
// Solocron-Param-Region, and Run.Params.
//
// Every kind stops when its context ends and then returns an error that wraps
// the context's cause, whatever the work itself answered.
package jobs
