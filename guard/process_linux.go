package guard

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/solocron/solocron/guard/internal/wire"
)

// extendWait bounds the writing of a deadline, which a guard that is not frozen
// reads at once.
const extendWait = 100 * time.Millisecond

// reapWait bounds the reaping of killed processes, and reapPause is between two
// looks at them.
const (
	reapWait  = 2 * time.Second
	reapPause = 2 * time.Millisecond
)

// Process is a program that runs below a guard.
type Process struct {
	guard   *exec.Cmd
	orders  *os.File
	records *os.File
	pid     int

	exited chan struct{}
	done   chan struct{}
	outcome
}

// outcome is what the guard told of the end; each field is read after the channel
// that tells of it has been closed.
type outcome struct {
	exit    Exit
	cleanup Cleanup
	err     error
}

// Pid is the process id of the program, and the number of its process group.
func (p *Process) Pid() int { return p.pid }

// GuardPid is the process id of the guard.
func (p *Process) GuardPid() int { return p.guard.Process.Pid }

// Exited is closed when the program has ended, before what it left behind has. It
// stays open if the guard dies first.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Done is closed when nothing of the program runs any more, or the guard has died.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit returns how the program ended; ok is false while it has not, and if that
// is not known. It may be called at any time.
func (p *Process) Exit() (e Exit, ok bool) {
	select {
	case <-p.exited:
		return p.exit, true
	default:
		return Exit{}, false
	}
}

// Wait waits for Done and returns what the guard had to do. The error wraps
// ErrDied, and says how, if the guard died.
func (p *Process) Wait() (Cleanup, error) {
	<-p.done
	return p.cleanup, p.err
}

// SetDeadline replaces the deadline. A program that was told to stop stays so,
// but may then take until the new d.Dead. An error says that the guard is gone
// or does not read: the deadline before stays in force.
func (p *Process) SetDeadline(d Deadline) error {
	_ = p.orders.SetWriteDeadline(time.Now().Add(extendWait))
	if _, err := p.orders.Write(d.wire().Append(nil)); err != nil {
		return fmt.Errorf("guard: %w", err)
	}
	return nil
}

// Stop has the program told to end now, and killed after grace.
func (p *Process) Stop(grace time.Duration) error {
	at := Now()
	return p.SetDeadline(Deadline{Stop: at, Dead: at + max(grace, 0)})
}

// Kill ends the guard, which ends the program, and the rest of the program's
// group. It is for a guard that does not do its work, and waits for nothing.
func (p *Process) Kill() {
	select {
	case <-p.done: // and the number of the group may be another's
	default:
		p.kill()
	}
}

func (p *Process) kill() {
	_ = p.guard.Process.Kill()
	p.killGroup()
}

// killGroup ends what a dead guard leaves in the program's group.
func (p *Process) killGroup() {
	if p.pid > 0 {
		_ = syscall.Kill(-p.pid, syscall.SIGKILL)
	}
}

// reapGroup waits for what a dead guard leaves in the program's group, where this
// process, being the first of its container, has become its parent.
func (p *Process) reapGroup() {
	for until := time.Now().Add(reapWait); p.pid > 0 && time.Now().Before(until); {
		pid, err := syscall.Wait4(-p.pid, nil, syscall.WNOHANG, nil)
		switch {
		case errors.Is(err, syscall.EINTR) || pid > 0:
		case err != nil:
			return
		default:
			time.Sleep(reapPause)
		}
	}
}

// next reads one record.
func (p *Process) next() (wire.Record, error) {
	var b [wire.RecordSize]byte
	if _, err := io.ReadFull(p.records, b[:]); err != nil {
		return wire.Record{}, err
	}
	return wire.DecodeRecord(b[:]), nil
}

// follow reads what the guard tells until its end.
func (p *Process) follow() {
	defer close(p.done)
	told := false
	for !told {
		r, err := p.next()
		if err != nil {
			break
		}
		switch r.Kind {
		case wire.Exited:
			p.exit = exitOf(r)
			close(p.exited)
		case wire.Ended:
			how := wire.How(r.Status)
			p.cleanup = Cleanup{Stopped: how&wire.ByDeadline != 0, Survived: how&wire.Survived != 0}
			told = true
		}
	}
	ended := p.close()
	if !told {
		p.killGroup()
		p.reapGroup()
		p.err = fmt.Errorf("%w: %w", ErrDied, ended)
	}
}

// close frees what the guard holds, and returns how it ended.
func (p *Process) close() error {
	err := p.guard.Wait()
	if err == nil {
		err = errors.New(p.guard.ProcessState.String())
	}
	_ = errors.Join(p.orders.Close(), p.records.Close())
	return err
}

func exitOf(r wire.Record) Exit {
	return Exit{
		Status: syscall.WaitStatus(r.Status),
		Usage: Usage{
			User:   time.Duration(r.User) * time.Microsecond,
			System: time.Duration(r.System) * time.Microsecond,
			MaxRSS: r.MaxRSS << 10,
		},
	}
}
