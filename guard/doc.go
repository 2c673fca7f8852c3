// Package guard binds a program to a deadline that others move: it is dead when
// the deadline comes, whatever has become of whoever started it.
//
// The program runs below a small process, the guard, which is told each new
// deadline through a pipe. It ends the program by itself when the deadline is
// near, and takes the end of the pipe for the death of the process that started
// it. So a program does not outlive a scheduler that was killed, frozen or
// swapped out. The guard becomes the parent of all that the program leaves
// behind, in whatever session, and ends that as well.
//
// The package knows nothing of jobs or leases. Guards exist on Linux only; on
// other systems Self returns nil, and Missing says so.
//
// A guard is the program itself, started again. For that its main calls Main
// before anything else, or it imports package early, which is cheaper.
package guard
