package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

const (
	// maxCheckpoint is the longest checkpoint in bytes.
	maxCheckpoint = 64 << 10
	// checkpointEvery is how often a file is looked at while its run goes on.
	checkpointEvery = 2 * time.Second
	// checkpointAge is how long a file has not been written to when the run it
	// belonged to is taken for dead.
	checkpointAge = 7 * 24 * time.Hour
	// checkpointName is the environment variable with the path of the file.
	checkpointName = "SOLOCRON_CHECKPOINT"
)

// checkpointFile is a private file through which a process gets the checkpoint of the
// attempt before, and tells its own. The process may write it in place or
// replace it; it should replace it (write another, rename it), since what is
// read while it writes may be half of it. An empty file is no checkpoint.
type checkpointFile struct {
	run  Run
	path string // "": there is none

	stop  chan struct{}
	watch sync.WaitGroup

	seen     fileMark
	kept     []byte
	objected bool
}

// fileMark is what shows that a file has been written to.
type fileMark struct {
	at   time.Time
	size int64
}

// openCheckpoint makes the file of run, if run has any use for it, and watches
// it until close. What goes wrong is told in the output and stops no run.
func openCheckpoint(ctx context.Context, run Run) *checkpointFile {
	c := &checkpointFile{run: run, stop: make(chan struct{}), kept: run.Restored}
	if run.Checkpoint == nil && run.Restored == nil {
		return c
	}
	dir := os.TempDir()
	if run.Attempt > 1 { // the one before may have been killed
		if err := sweepTemp(ctx, dir, run.Job, time.Now().Add(-checkpointAge)); err != nil {
			run.Output("stderr", "old checkpoint files could not be removed: "+err.Error())
		}
	}
	if err := c.create(dir); err != nil {
		run.Output("stderr", "there is no checkpoint file: "+err.Error())
		return c
	}
	if run.Checkpoint != nil {
		c.watch.Go(c.follow)
	}
	return c
}

func (c *checkpointFile) create(dir string) error {
	f, err := os.CreateTemp(dir, tempPrefix(c.run.Job))
	if err != nil {
		return err
	}
	_, err = f.Write(c.run.Restored)
	info, statErr := f.Stat()
	if err := errors.Join(err, statErr, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	c.path, c.seen = f.Name(), markOf(info)
	return nil
}

// environ is what the process has to know.
func (c *checkpointFile) environ() []string {
	if c.path == "" {
		return nil
	}
	return []string{checkpointName + "=" + c.path}
}

func (c *checkpointFile) follow() {
	tick := time.NewTicker(checkpointEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.keep()
		case <-c.stop:
			return
		}
	}
}

// close takes what the process has written last, and removes the file. The
// process must have ended.
func (c *checkpointFile) close() {
	close(c.stop)
	c.watch.Wait()
	if c.path == "" {
		return
	}
	if c.run.Checkpoint != nil {
		c.seen = fileMark{} // two writes in one tick of the file system's clock look alike
		c.keep()
	}
	if err := removeAll([]string{c.path}); err != nil {
		c.run.Output("stderr", "the checkpoint file could not be removed: "+err.Error())
	}
}

// keep hands on the content of the file if it is another than before.
func (c *checkpointFile) keep() {
	data, mark, err := readCheckpoint(c.path, c.seen)
	switch {
	case err != nil:
		c.seen = mark
		c.object(err)
	case len(data) == 0 || bytes.Equal(data, c.kept):
		c.seen = mark
	default:
		if err := c.run.Checkpoint(data); err != nil {
			c.object(err) // and try again: nothing is marked as seen
			return
		}
		c.seen, c.kept = mark, data
	}
}

// object tells once what is wrong with a checkpoint: the file is read often.
func (c *checkpointFile) object(err error) {
	if !c.objected {
		c.objected = true
		c.run.Output("stderr", "the checkpoint was not kept: "+err.Error())
	}
}

func markOf(info os.FileInfo) fileMark { return fileMark{at: info.ModTime(), size: info.Size()} }

// readCheckpoint reads the file at path unless it still is as seen. A file that
// is not there counts as such. It never waits, not even for a FIFO.
func readCheckpoint(path string, seen fileMark) (data []byte, mark fileMark, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, seen, nil
	} else if err != nil {
		return nil, fileMark{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fileMark{}, err
	}
	mark = markOf(info)
	switch {
	case mark == seen:
		return nil, mark, nil
	case !info.Mode().IsRegular():
		return nil, mark, errors.New("it is no regular file")
	case mark.size > maxCheckpoint:
		return nil, mark, fmt.Errorf("it has %d bytes, over the %d that are kept", mark.size, maxCheckpoint)
	}
	data, err = io.ReadAll(io.LimitReader(f, maxCheckpoint+1))
	if err == nil && len(data) > maxCheckpoint {
		err = fmt.Errorf("it has over %d bytes, which are kept at most", maxCheckpoint)
	}
	return data, mark, err
}
