package main

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/solocron/solocron/config"
)

// maxFiles is how many files the last lines name.
const maxFiles = 10

// outro says what happened, what is left, and what to try next.
func (t trial) outro(out io.Writer, b *board, began time.Time, cfg *config.Config, url string) {
	fmt.Fprintln(out)
	b.summary(out, time.Since(began))
	if files := writtenSince("var", began); len(files) > 0 {
		fmt.Fprintln(out, "\nlook at")
		for _, f := range files {
			fmt.Fprintf(out, "  %s\n", f)
		}
	}
	fmt.Fprintln(out, "\ntry next")
	fmt.Fprintln(out, "  run a job now, while \"scheduler dev\" runs in another terminal:")
	fmt.Fprintf(out, "    curl -X POST %s/api/v1/jobs/%s/trigger\n", url, showpiece(cfg))
	fmt.Fprintf(out, "    scheduler trigger %s --wait --server %s\n", showpiece(cfg), url)
	file := cmp.Or(t.file, "config.yaml")
	fmt.Fprintln(out, "  real replicas over a real Redis, one in each terminal:")
	for i := range 2 {
		fmt.Fprintf(out, "    scheduler serve -c %s --set redis.addr=127.0.0.1:6379 --set admin.listen=127.0.0.1:%d\n", file, 8080+i)
	}
	fmt.Fprintln(out, "  your own jobs:")
	fmt.Fprintln(out, "    scheduler config validate FILE && scheduler dev FILE")
}

// writtenSince lists the files below dir that have changed since then, by name.
func writtenSince(dir string, then time.Time) []string {
	var files []string
	// A directory that is not there, or a file that vanishes, is simply not listed.
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil //nolint:nilerr // see above
		}
		if info, err := e.Info(); err == nil && !info.ModTime().Before(then) {
			files = append(files, path)
		}
		return nil
	})
	slices.Sort(files)
	return files[:min(len(files), maxFiles)]
}
