// Package early makes a program that imports it, for this effect only, its own
// guard: started as "PROGRAM guard", with two pipes, it is one, and none of
// its other packages is initialised that has to wait for more than syscall.
//
// That is no matter of taste. In our scheduler a guard that begins in main costs
// the initialisation of every package for each command it runs; begun here it costs a
// third of the time and half of the memory (docs/adr has the figures). A small
// program calls guard.Main at the top of main instead.
package early
