package guard

import (
	"syscall"
	"time"
)

// Exit is how a program ended.
type Exit struct {
	Status syscall.WaitStatus
	Usage  Usage
}

// Usage is what a program used, with those of its children that it waited for.
type Usage struct {
	User   time.Duration // processor time in the program
	System time.Duration // processor time in the system for it
	MaxRSS int64         // the most memory at a time, in bytes, of one process
}

// Cleanup is what a guard had to do besides waiting.
type Cleanup struct {
	Stopped  bool // it ended the program because a deadline came
	Survived bool // processes are left that SIGKILL does not end
}
