package tlsfiles

import (
	"os"
	"sync"
)

// Files are paths of files in PEM; "": there is none.
type Files struct {
	Cert string // one's own certificate, and those between it and its authority
	Key  string // its key
	CA   string // authorities to trust
}

// Cache keeps what files held when they were read last. The zero Cache has read none.
// It may be used by several goroutines.
type Cache struct {
	mu    sync.Mutex
	files Files
	seen  []os.FileInfo // of the files as they were before they were read
	held  *Papers
}

// Read returns what the files of f hold. It reads them only if they are not those that
// it has read. With an error, which names the file, come the papers of before if those
// were of the same files; nil: there are none.
func (c *Cache) Read(f Files) (*Papers, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f != c.files {
		c.files, c.seen, c.held = f, nil, nil
	}
	// Looked at before they are read: a change in between is seen the next time.
	now, err := f.stat()
	if err != nil || c.held != nil && alike(now, c.seen) {
		return c.held, err
	}
	fresh, err := f.read()
	if err != nil {
		return c.held, err
	}
	c.seen, c.held = now, fresh
	return fresh, nil
}

// stat looks at the files, and through links: an orchestrator exchanges a link.
func (f Files) stat() ([]os.FileInfo, error) {
	var infos []os.FileInfo
	for _, path := range []string{f.Cert, f.Key, f.CA} {
		if path == "" {
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		infos = append(infos, info)
	}
	return infos, nil
}

// alike reports whether two looks at the same paths found the same.
func alike(a, b []os.FileInfo) bool {
	for i := range a {
		if !os.SameFile(a[i], b[i]) || a[i].Size() != b[i].Size() || !a[i].ModTime().Equal(b[i].ModTime()) {
			return false
		}
	}
	return true
}
