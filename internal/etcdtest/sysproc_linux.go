package etcdtest

import "syscall"

// sysProcAttr lets the kernel end the server when the test process dies
// without its clean-up, as after a time-out.
func sysProcAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
