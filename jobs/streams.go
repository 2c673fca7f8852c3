package jobs

import (
	"errors"
	"os"
	"os/exec"
	"sync"
	"time"
)

// drainTime is how long output is read on after the program and its like are
// dead, for a process out of reach may hold the pipe open.
const drainTime = 500 * time.Millisecond

// streams is the output of a program on its way to an output.
type streams struct {
	ours, theirs []*os.File // ends of the pipes of stdout and stderr
	pumps        sync.WaitGroup
}

// openStreams has the output of cmd, which has not been started, go to out.
func openStreams(cmd *exec.Cmd, out *output) (*streams, error) {
	s := new(streams)
	for range 2 {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, errors.Join(err, closeAll(s.ours), closeAll(s.theirs))
		}
		s.ours, s.theirs = append(s.ours, r), append(s.theirs, w)
	}
	cmd.Stdout, cmd.Stderr = s.theirs[0], s.theirs[1]
	s.pumps.Go(func() { out.pump("stdout", s.ours[0]) })
	s.pumps.Go(func() { out.pump("stderr", s.ours[1]) })
	return s, nil
}

// started gives up the program's ends of the pipes, which the program has got if
// it could be started.
func (s *streams) started() { _ = closeAll(s.theirs) }

// drain reads what is left of the output and returns when no line can come any more.
func (s *streams) drain() {
	shut := time.AfterFunc(drainTime, func() { _ = closeAll(s.ours) })
	s.pumps.Wait()
	if shut.Stop() {
		_ = closeAll(s.ours)
	}
}

func closeAll(files []*os.File) error {
	var errs []error
	for _, f := range files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}
