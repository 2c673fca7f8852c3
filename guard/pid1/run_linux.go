package pid1

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Needed reports whether this process is the first of its container.
func Needed() bool { return os.Getpid() == 1 }

// Run starts argv, passes signals on to it, waits for every process that becomes
// a child of this one, and returns the exit code of argv: 128 and the signal's
// number if a signal ended it.
func Run(path string, argv []string) (int, error) {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals)
	defer signal.Stop(signals)
	// A group of its own: a terminal would tell it of an interrupt once and this
	// process once more, and the second one ends a scheduler at once.
	child, err := os.StartProcess(path, argv, &os.ProcAttr{
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}, Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		return 0, fmt.Errorf("process 1: %w", err)
	}
	go pass(signals, child.Pid) // ends with the process
	return reap(child.Pid)
}

// pass sends signals on, but those that are about this process: that a child
// has ended, and what the Go runtime tells itself.
func pass(signals <-chan os.Signal, pid int) {
	for s := range signals {
		if s != syscall.SIGCHLD && s != syscall.SIGURG && s != syscall.SIGPIPE {
			_ = syscall.Kill(pid, s.(syscall.Signal)) // it may just have ended
		}
	}
}

// reap waits for whoever ends, until that is pid.
func reap(pid int) (int, error) {
	for {
		var status syscall.WaitStatus
		ended, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return 0, fmt.Errorf("process 1: wait: %w", err)
		case ended != pid:
		case status.Signaled():
			return 128 + int(status.Signal()), nil
		default:
			return status.ExitStatus(), nil
		}
	}
}
