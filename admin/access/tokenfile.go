package access

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"
)

const (
	lookEvery = time.Second     // how often a file is looked at, at most
	settled   = 2 * time.Second // after a change, a file may change again unseen: its time has not moved on
)

// tokenFile is a file of tokens, read again when it changes.
type tokenFile struct {
	path string
	log  *slog.Logger
	now  func() time.Time

	mu     sync.Mutex
	looked time.Time
	seen   os.FileInfo // of what was read last; nil: nothing was
	young  bool        // seen was read before it had settled
	fault  string      // what was wrong then
	tokens []entry
}

// openTokens reads the file for the first time, when it must be right.
func openTokens(path string, log *slog.Logger, now func() time.Time) (*tokenFile, error) {
	f := &tokenFile{path: path, log: log, now: now}
	f.looked = now()
	if err := f.read(f.looked); err != nil {
		return nil, err
	}
	return f, nil
}

// current returns the tokens there are now. While the file is not right, they are
// those there were: a slip of a pen locks nobody out.
func (f *tokenFile) current() []entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if now.Sub(f.looked) < lookEvery && !now.Before(f.looked) {
		return f.tokens
	}
	f.looked = now
	err := f.read(now)
	switch {
	case err == nil:
		f.fault = ""
	case err.Error() != f.fault: // once for each fault, not once a second
		f.fault = err.Error()
		f.log.Error("tokens not read again; those of before are still good", "err", err)
	}
	return f.tokens
}

// read takes the tokens over from the file unless it is as it was.
func (f *tokenFile) read(now time.Time) error {
	info, err := os.Stat(f.path)
	if err != nil {
		return fmt.Errorf("admin.tokens: %w", err)
	}
	same := f.seen != nil && os.SameFile(info, f.seen) && info.Size() == f.seen.Size() && info.ModTime().Equal(f.seen.ModTime())
	if same && !f.young {
		if f.fault != "" {
			return errors.New(f.fault)
		}
		return nil
	}
	f.young = now.Sub(info.ModTime()) < settled
	again := f.seen != nil
	f.seen = info
	text, err := readAll(f.path, info)
	if err != nil {
		return fmt.Errorf("admin.tokens: %w", err)
	}
	tokens, err := parseTokens(text)
	if err != nil {
		return fmt.Errorf("admin.tokens: %s: %w", f.path, err)
	}
	f.tokens = tokens
	if !same {
		f.tell(info, again)
	}
	return nil
}

// tell logs what was read.
func (f *tokenFile) tell(info os.FileInfo, again bool) {
	if again {
		f.log.Info("tokens read again", "file", f.path, "tokens", len(f.tokens))
	}
	if len(f.tokens) == 0 {
		f.log.Warn("there are no tokens: nobody can sign in with one", "file", f.path)
	}
	if mode := info.Mode().Perm(); mode&0o004 != 0 {
		f.log.Warn("everybody on this machine can read the file of tokens: take the right away (chmod o-r)", "file", f.path, "mode", mode.String())
	}
}

// readAll reads a file of tokens, which must be one: a device might never end.
func readAll(path string, info os.FileInfo) ([]byte, error) {
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is no regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s: is larger than %d KiB", path, maxFile>>10)
	}
	return text, err
}
