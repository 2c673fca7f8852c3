// Package memjournal is a journal for one process, and lets the replicas in it
// know of each other. What it keeps is lost with the process.
package memjournal
