// Package admin is the HTTP API of a replica: it lists jobs and their runs,
// requests and cancels runs, pauses jobs, shows what a run printed, tells what
// became of a tick, and answers probes. Every answer that is not a success is a
// problem document as RFC 9457 has it, also for routes that do not exist. It
// knows an [Engine] and a [Memory], not how they work, and there is no
// authentication yet: it answers only to requests that were addressed to this
// machine by a loopback name.
package admin
