package jobs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// leftoverAge is how long a file has not been written to when nobody can
	// be writing it any more, however wrong a clock is.
	leftoverAge = 24 * time.Hour
	// maxSwept bounds the names that one sweep looks at, sweepStep those it
	// holds in memory.
	maxSwept  = 100_000
	sweepStep = 1000
)

// tempPrefix begins the names of the files that runs of job have not finished.
// They are named after the job: the names of its reports may differ every day.
func tempPrefix(job string) string { return ".solocron-" + cut(job, MaxName) + ".tmp-" }

// isTemp reports whether name is one that os.CreateTemp made of prefix. The
// rest must be a number, since the name of a job can look like such a name.
func isTemp(name, prefix string) bool {
	number, ok := strings.CutPrefix(name, prefix)
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// sweepTemp removes the unfinished files of job in dir that were last written
// before a moment. It goes on after an error, and stops when ctx ends.
func sweepTemp(ctx context.Context, dir, job string, before time.Time) error {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer d.Close()
	var stale []string
	for seen := 0; err == nil && seen < maxSwept && ctx.Err() == nil; seen += sweepStep {
		var entries []fs.DirEntry
		entries, err = d.ReadDir(sweepStep)
		for _, e := range entries {
			if isTemp(e.Name(), tempPrefix(job)) && isStale(e, before) {
				stale = append(stale, filepath.Join(dir, e.Name()))
			}
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, removeAll(stale))
}

// isStale reports whether e is a plain file that was last written before a moment.
func isStale(e fs.DirEntry, before time.Time) bool {
	info, err := e.Info()
	return err == nil && info.Mode().IsRegular() && info.ModTime().Before(before)
}

// removeAll removes files, some of which another replica may have removed.
func removeAll(paths []string) error {
	var errs []error
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
