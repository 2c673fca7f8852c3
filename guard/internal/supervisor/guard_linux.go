package supervisor

import (
	"syscall"

	"github.com/solocron/solocron/guard/internal/wire"
)

// guard is a program that runs, and what is known of it.
type guard struct {
	plan
	pid    int
	how    wire.How
	alarm  alarm
	reaped int // where the reaper's records can be read
	gone   bool
}

// serve does the work of a guard and returns its exit code.
func serve() int {
	prepare()
	order, ok := readOrder()
	if !ok {
		return refuse(syscall.EPROTO)
	}
	g := &guard{plan: plan{Deadline: order.Deadline, grace: order.Grace}, alarm: newAlarm()}
	if now() >= min(g.Stop, g.Dead) {
		return refuse(syscall.ETIME)
	}
	var events [2]int
	if err := syscall.Pipe2(events[:], syscall.O_CLOEXEC); err != nil {
		return refuse(err)
	}
	pid, err := syscall.ForkExec(order.Path, order.Args, &syscall.ProcAttr{
		Dir: order.Dir, Env: order.Env, Files: []uintptr{0, 1, 2},
		Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		return refuse(err)
	}
	g.pid, g.reaped = pid, events[0]
	tell(wire.Record{Kind: wire.Started, Status: int64(pid)})
	go reap(pid, events[1])
	_ = syscall.SetNonblock(wire.OrdersFD, true)
	g.watch()
	tell(wire.Record{Kind: wire.Ended, Status: int64(g.how)})
	return 0
}

// prepare makes this process the parent of all orphans below it, deaf to
// signals that are meant for others of its session or control group, and keeps
// its pipes to itself.
func prepare() {
	setName("solocron-guard")
	prctl(prSetSubreaper, 1)
	for _, sig := range []syscall.Signal{
		syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGPIPE,
	} {
		ignore(sig)
	}
	syscall.CloseOnExec(wire.OrdersFD)
	syscall.CloseOnExec(wire.RecordsFD)
}

func readOrder() (*wire.Order, bool) {
	head := make([]byte, wire.HeadSize)
	if !readFull(wire.OrdersFD, head) {
		return nil, false
	}
	size, ok := wire.BodySize(head)
	if !ok {
		return nil, false
	}
	body := make([]byte, size)
	if !readFull(wire.OrdersFD, body) {
		return nil, false
	}
	return wire.DecodeOrder(body)
}

// refuse tells that nothing was started, and why.
func refuse(err error) int {
	errno, _ := err.(syscall.Errno) //nolint:errorlint // package syscall wraps none, and package errors stays out
	tell(wire.Record{Kind: wire.Refused, Status: int64(errno)})
	return 1
}

// tell writes r for the scheduler. If that is gone there is nobody to tell.
func tell(r wire.Record) {
	_, _ = syscall.Write(wire.RecordsFD, r.Append(nil))
}

// reap waits for children, those that this process was given as well, until there
// is none. It writes a record when the program ends and one at the end.
func reap(program, to int) {
	for {
		var (
			status syscall.WaitStatus
			usage  syscall.Rusage
		)
		pid, err := syscall.Wait4(-1, &status, waitAll, &usage)
		if err == syscall.EINTR { //nolint:errorlint // an errno is compared, and package errors stays out
			continue
		}
		r := wire.Record{Kind: wire.Ended}
		if err == nil {
			if pid != program {
				continue
			}
			r = wire.Record{
				Kind: wire.Exited, Status: int64(status), MaxRSS: usage.Maxrss,
				User: usage.Utime.Nano() / 1000, System: usage.Stime.Nano() / 1000,
			}
		}
		_, _ = syscall.Write(to, r.Append(nil))
		if err != nil {
			return
		}
	}
}
