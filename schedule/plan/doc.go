// Package plan looks at schedules over a stretch of time: what a change of a
// file of jobs gains, loses and moves, which minutes are the busiest, and which
// phase would be the quietest for one more job. It is pure: it reads no clock,
// whoever asks says which stretch is meant.
//
// What counts is when a job starts: its moments after jitter and deferral,
// without those that are excluded. Several ticks deferred to the same moment
// are one start.
//
// Work is bounded. A figure that a bound cut short says so, in AtLeast.
package plan
