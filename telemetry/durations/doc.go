// Package durations says how long the runs of a job take, how near they come to
// their timeout, and which timeout would suit them. It computes, and asks nobody.
package durations
