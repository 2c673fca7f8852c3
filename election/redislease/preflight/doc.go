// Package preflight judges whether a Redis is fit to keep leases: what it says of
// itself, and what was measured of it, become rows of a table for people. It asks
// nobody: package redislease gathers the facts.
package preflight
