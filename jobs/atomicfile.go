package jobs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// outputDirMode is for directories that have to be made for a file.
const outputDirMode = 0o750

// replaceFile lets write fill a new file beside path, brings it to disk and
// gives it the name path in one step, if ctx has not ended by then. If
// anything fails, the new file is removed and what stood at path stays. Only
// a process that is killed leaves the new file: see sweepTemp.
func replaceFile(ctx context.Context, path, job string, mode os.FileMode, write func(*os.File) error) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, outputDirMode); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, tempPrefix(job)+"*")
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = errors.Join(f.Chmod(mode), f.Sync())
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = stopped(ctx, nil)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDir(dir)
}

// syncDir brings the names in dir to disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
