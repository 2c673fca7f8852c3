//go:build unix

package jobs

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes cmd the leader of a new process group.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// terminateGroup asks every process in leader's group to end. An error means
// that there is none left; groupDead finds out.
func terminateGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGTERM) }

// killGroup ends every process in leader's group.
func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) }

// groupDead reports whether nothing in leader's group runs any more. It must
// be asked only after the leader has been reaped. Orphans of the group become
// children of this process where it is the first one of a container: then it
// is up to us to reap them.
func groupDead(leader *os.Process) bool {
	for {
		pid, err := syscall.Wait4(-leader.Pid, nil, syscall.WNOHANG, nil)
		if errors.Is(err, syscall.EINTR) || err == nil && pid > 0 {
			continue
		}
		break
	}
	if errors.Is(syscall.Kill(-leader.Pid, 0), syscall.ESRCH) {
		return true
	}
	return onlyZombies(leader.Pid)
}

// endSignal returns the signal that ended the process, 0 if none did.
func endSignal(state *os.ProcessState) syscall.Signal {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal()
	}
	return 0
}
