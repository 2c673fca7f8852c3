package guard

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/solocron/solocron/guard/internal/supervisor"
	"github.com/solocron/solocron/guard/internal/wire"
)

// orderWait bounds, in time, the handing over of an order and the answer to it.
const orderWait = 10 * time.Second

// Main makes this process a guard and does not return, if it was started as one;
// else it returns at once. Call it first in main, on the main goroutine.
func Main() { supervisor.Main() }

// Start runs cmd below a guard, which self starts: Self, as a rule. Of cmd, Path,
// Args, Dir, Env, Stdin, Stdout and Stderr count. The streams must be files or
// nil. Grace is the time between SIGTERM and SIGKILL where d leaves more.
//
// An error is that of cmd, *os.PathError as from cmd.Start, ErrTooLate, or one
// that says what is wrong with the guard. Otherwise the caller must wait for Done.
func Start(self []string, cmd *exec.Cmd, grace time.Duration, d Deadline) (*Process, error) {
	if cmd.Err != nil {
		return nil, cmd.Err
	}
	order := &wire.Order{
		Path: cmd.Path, Dir: cmd.Dir, Args: cmd.Args, Env: cmd.Environ(),
		Grace: int64(grace), Deadline: d.wire(),
	}
	text := order.Encode()
	if text == nil {
		return nil, &os.PathError{Op: "fork/exec", Path: cmd.Path, Err: syscall.E2BIG}
	}
	p, err := launch(self, cmd)
	if err != nil {
		return nil, fmt.Errorf("guard: %w", err)
	}
	if err := p.begin(text, cmd.Path); err != nil {
		p.kill()
		p.close()
		return nil, err
	}
	go p.follow()
	return p, nil
}

// launch starts the guard itself. Its environment says nothing of the program's,
// which it gets through the pipe: no variable meant for the program changes it.
func launch(self []string, cmd *exec.Cmd) (*Process, error) {
	orders, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	records, theirs, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, orders.Close(), ours.Close())
	}
	g := exec.Command(self[0], self[1:]...)
	g.Args[0] = "scheduler"
	g.Env = []string{"GOMAXPROCS=1"}
	g.Stdin, g.Stdout, g.Stderr = cmd.Stdin, cmd.Stdout, cmd.Stderr
	g.ExtraFiles = []*os.File{orders, theirs} // wire.OrdersFD, wire.RecordsFD
	g.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = errors.Join(g.Start(), orders.Close(), theirs.Close())
	if err != nil {
		return nil, errors.Join(err, ours.Close(), records.Close())
	}
	return &Process{
		guard: g, orders: ours, records: records,
		exited: make(chan struct{}), done: make(chan struct{}),
	}, nil
}

// begin hands over the order and reads what became of it.
func (p *Process) begin(order []byte, path string) error {
	until := time.Now().Add(orderWait)
	if err := errors.Join(p.orders.SetWriteDeadline(until), p.records.SetReadDeadline(until)); err != nil {
		return fmt.Errorf("guard: %w", err)
	}
	_, wrong := p.orders.Write(order)
	r, err := p.next()
	if err != nil {
		return fmt.Errorf("guard: %w before the program was started: %w", ErrDied, errors.Join(wrong, err))
	}
	switch r.Kind {
	case wire.Started:
		p.pid = int(r.Status)
		return p.records.SetReadDeadline(time.Time{})
	case wire.Refused:
		return refusal(syscall.Errno(r.Status), path)
	}
	return fmt.Errorf("guard: a record of kind %d instead of the start", r.Kind)
}

func refusal(errno syscall.Errno, path string) error {
	switch errno {
	case syscall.ETIME:
		return ErrTooLate
	case syscall.EPROTO:
		return errors.New("guard: it does not understand its order")
	}
	return &os.PathError{Op: "fork/exec", Path: path, Err: errno}
}
