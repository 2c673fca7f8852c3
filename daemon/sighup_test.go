package daemon_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/daemon"
	"github.com/solocron/solocron/jobs"
)

// childFile in the environment says that this process is a replica, and which
// configuration it has.
const childFile = "SOLOCRON_TEST_CHILD"

// child is such a replica. It does not return.
func child(file string) {
	load := func() (*config.Config, error) { return config.Load(file, config.Overrides{}, jobs.Kinds(nil)) }
	cfg, err := load()
	if err == nil {
		var d *daemon.Daemon
		with := deps(new(store))
		with.File, with.Load, with.Log = file, load, slog.New(slog.NewTextHandler(os.Stderr, nil))
		if d, err = daemon.New(cfg, with); err == nil {
			err = d.Run(context.Background())
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func TestSIGHUPToTheProcessGroupReloadsAndLetsTheJobLive(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "c.yaml")
	write := func(more string) {
		t.Helper()
		content := "admin: {listen: '127.0.0.1:0'}\njobs:\n  - name: job\n    schedule: '@every 1s'\n    workingDir: " + dir +
			"\n    shell: 'echo $$ >> begun; sleep 3; echo $$ >> done'\n" + more
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	var log logBook
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childFile+"="+file)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-ended
		if t.Failed() {
			t.Logf("log:\n%s", log.String())
		}
	})
	lines := func(name string) []string {
		content, _ := os.ReadFile(filepath.Join(dir, name)) // it may not be there yet
		return strings.Fields(string(content))
	}
	p := &plant{t: t}
	p.await("a run", func() bool { return len(lines("begun")) > 0 })
	pid := lines("begun")[0]
	write("  - {name: other, schedule: '0 3 * * *', shell: 'true'}\n")
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	p.await("the reload", func() bool {
		return strings.Contains(log.String(), "SIGHUP") && strings.Contains(log.String(), "configuration reloaded")
	})
	if n, err := strconv.Atoi(pid); err != nil || syscall.Kill(n, 0) != nil {
		t.Errorf("the run %s does not live any more, error %v", pid, err)
	}
	p.await("the end of the run", func() bool { return len(lines("done")) > 0 })
	if got := lines("done")[0]; got != pid {
		t.Errorf("ended: got %s, want %s, which was not disturbed", got, pid)
	}
	if err := syscall.Kill(cmd.Process.Pid, syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	p.await("the second reload", func() bool { return strings.Contains(log.String(), "is the one in force") })
	select {
	case err := <-ended:
		ended <- err
		t.Errorf("the replica has ended: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
}
