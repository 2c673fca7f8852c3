//go:build race

package journal_test

// muchOutput is what a job prints that must not be held in memory, in bytes. The
// race detector makes it twenty times slower.
const muchOutput = 64 << 20
