// Package cli is what the commands that speak to a replica share: a client of its
// API, the ways in which answers are written, and the exit codes.
//
// It knows neither flags nor what any command does.
package cli
