// Package e2e holds the tests that start the real binary, several times over,
// beside a real Redis: what a user would see.
package e2e
