package jobs_test

import (
	"os/exec"
	"syscall"
	"testing"

	"github.com/solocron/solocron/jobs"
)

func TestStateOfAProcessIsReadBehindAnyName(t *testing.T) {
	state, group := jobs.StatFields([]byte("7 (a) R 1 ( ) Z 1 42 42 0 -1 4194560"))
	if state != 'Z' || group != 42 {
		t.Errorf("got %c in group %d, want Z in 42", state, group)
	}
	if state, group := jobs.StatFields([]byte("nonsense")); state != 0 || group != 0 {
		t.Errorf("got %c, %d from nonsense", state, group)
	}
}

func TestGroupOfProcessesThatNobodyReapsCountsAsDead(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if jobs.OnlyZombies(cmd.Process.Pid) {
		t.Error("a process that runs is taken for dead")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "a dead group", func() bool { return jobs.OnlyZombies(cmd.Process.Pid) })
	if err := syscall.Kill(-cmd.Process.Pid, 0); err != nil {
		t.Errorf("got %v, want a zombie that still answers", err)
	}
	_ = cmd.Wait() // killed, as it should be
}
