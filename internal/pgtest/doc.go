// Package pgtest gives a test a private Postgres server: a real one, in a
// directory of its own, reachable through a Unix socket only, gone when the
// test ends.
package pgtest
