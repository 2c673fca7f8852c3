// Package tracing makes spans of what happens to ticks: one for the tick, one for
// each replica's claim of it, one for each attempt to run it. It is an observer, and
// keeps nothing: all replicas compute the same trace for a tick, so that winner and
// losers meet in it without a word between them.
package tracing
