// Package journaltest is the contract of a journal, and of the replicas' view of
// each other, as tests: every implementation runs the same suite.
package journaltest
