// Command zonenames writes zones.txt, the names of Go's own zone database. Run
// it with go generate after a new Go release.
package main

import (
	"archive/zip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := write("zones.txt"); err != nil {
		fmt.Fprintln(os.Stderr, "zonenames:", err)
		os.Exit(1)
	}
}

func write(file string) error {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	z, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		return err
	}
	defer z.Close()
	var names []string
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, "/") && f.Name != "Factory" {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	return os.WriteFile(file, []byte(strings.Join(names, "\n")+"\n"), 0o644)
}
