// Package memjournal lets the replicas of one process know of each other.
package memjournal
