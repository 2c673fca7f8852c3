//go:build !unix

package jobs

import (
	"os"
	"os/exec"
	"syscall"
)

// Without process groups only the program itself can be ended, and only the
// hard way.

func ownGroup(*exec.Cmd) {}

func terminateGroup(leader *os.Process) { _ = leader.Kill() }

func killGroup(leader *os.Process) { _ = leader.Kill() }

func groupDead(*os.Process) bool { return true }

func endSignal(*os.ProcessState) syscall.Signal { return 0 }
