//go:build race

package jobs_test

// manyRows is for a report that must not be held in memory. A million of them
// take half a minute under the race detector.
const manyRows = 100_000
