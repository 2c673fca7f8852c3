// Package sqlite lets reports and syncs use files of SQLite: hand Database to
// jobs.Kinds. It is apart from package jobs because of the size of its driver,
// modernc.org/sqlite, which needs no C compiler.
package sqlite
