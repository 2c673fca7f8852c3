// Command scheduler runs jobs on a schedule, each moment on exactly one of its
// replicas. This package is flags, signals, exit codes, and the choice of the
// job kinds and of the lease store; the rest is in package daemon.
package main
