// Package memnotify is a notify.Store in memory, for one replica without Redis and
// for tests: what it keeps ends with the process.
package memnotify
