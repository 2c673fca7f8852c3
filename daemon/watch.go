package daemon

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/fsnotify/fsnotify"
)

// maxWatched is how many bytes of a configuration file are looked at for a change;
// one that is longer is refused when it is read.
const maxWatched = 65 << 20

// watch tells when something happens around a file. It watches directories, not the
// file: editors and Kubernetes put another file in its place, and who watches the file
// watches the one that is gone.
type watch struct {
	file   string
	log    *slog.Logger
	notify *fsnotify.Watcher // nil: the system does not tell
	dirs   []string          // that are watched
}

// newWatch begins to watch. Where the system cannot, it never tells anything.
func newWatch(file string, log *slog.Logger) *watch {
	w := &watch{file: file, log: log}
	n, err := fsnotify.NewWatcher()
	if err != nil {
		log.Warn("the configuration file is not watched; it is looked at regularly", "err", err)
		return w
	}
	w.notify = n
	w.follow()
	return w
}

// follow watches the directory that the file is in, and the one that it really is in.
func (w *watch) follow() {
	if w.notify == nil {
		return
	}
	want := []string{filepath.Dir(w.file)}
	if target, err := filepath.EvalSymlinks(w.file); err == nil && !slices.Contains(want, filepath.Dir(target)) {
		want = append(want, filepath.Dir(target))
	}
	for _, dir := range w.dirs {
		if !slices.Contains(want, dir) {
			_ = w.notify.Remove(dir) // it may be gone, and its watch with it
		}
	}
	var dirs []string
	for _, dir := range want {
		if err := w.notify.Add(dir); err != nil {
			w.log.Warn("a directory of the configuration is not watched; the file is looked at regularly", "dir", dir, "err", err)
			continue
		}
		dirs = append(dirs, dir)
	}
	w.dirs = dirs
}

// concerns reports whether an event may be about the file: its name, that of what it
// stands for, or the link through which a ConfigMap changes all its files at once.
func (w *watch) concerns(e fsnotify.Event) bool {
	name := filepath.Base(e.Name)
	if name == filepath.Base(w.file) || name == "..data" {
		return true
	}
	target, err := filepath.EvalSymlinks(w.file)
	return err == nil && name == filepath.Base(target)
}

// events is nil where the system does not tell.
func (w *watch) events() <-chan fsnotify.Event {
	if w.notify == nil {
		return nil
	}
	return w.notify.Events
}

func (w *watch) errors() <-chan error {
	if w.notify == nil {
		return nil
	}
	return w.notify.Errors
}

func (w *watch) close() {
	if w.notify != nil {
		_ = w.notify.Close() // nothing is left to be told
	}
}

// A sight is what a look at a file found.
type sight struct {
	digest string // of its content, or why there is none
	empty  bool   // it is not there, or nothing is in it: it may be about to be written
}

// look reads the file.
func look(file string) sight {
	f, err := os.Open(file)
	if err != nil {
		return sight{fmt.Sprint("unreadable: ", errors.Unwrap(err)), true}
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, maxWatched))
	if err != nil {
		return sight{fmt.Sprint("unreadable: ", err), true}
	}
	return sight{hex.EncodeToString(h.Sum(nil)), n == 0}
}
