//go:build !race

package journal_test

// muchOutput is what a job prints that must not be held in memory, in bytes.
const muchOutput = 1 << 30
