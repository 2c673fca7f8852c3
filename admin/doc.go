// Package admin is the HTTP API of a replica: it lists jobs and their runs,
// requests and cancels runs, pauses jobs, shows what a run printed, tells what
// became of a tick and who holds which lease, and answers probes. Its routes are
// declared with the types of what they take and give, from which the description in
// openapi.json is made; a test keeps that fresh. Every answer that is not a success is
// a problem document as RFC 9457 has it, also for routes that do not exist.
//
// It knows an [Engine] and a [Memory], not how they work. Who asks is package access's
// affair; each route says which role it needs. Without an [access.Access] it answers
// only to requests that were addressed to this machine by a loopback name, and to
// these everything.
//
// When the store gives no answer, what can be read is told from memory and marked
// as stale, and nothing can be changed.
package admin
