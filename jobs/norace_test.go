//go:build !race

package jobs_test

// manyRows is for a report that must not be held in memory.
const manyRows = 1_000_000
