// Package admin is the HTTP API of a replica: it lists jobs, triggers them and
// answers probes. Every answer that is not a success is a problem document as
// RFC 9457 has it, also for routes that do not exist. It knows an [Engine], not
// how one works, and there is no authentication yet: it answers only to
// requests that were addressed to this machine by a loopback name.
package admin
