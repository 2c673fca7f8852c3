// Package journaltest is the contract of the replicas' view of each other as
// tests: every implementation runs the same suite.
package journaltest
